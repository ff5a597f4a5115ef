package dev.idspring.recipes.tenants;

import java.util.function.Supplier;

import org.hibernate.cfg.MultiTenancySettings;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.context.spi.TenantSchemaMapper;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class Tenants implements CurrentTenantIdentifierResolver<String> {

	private static final ThreadLocal<String> CURRENT = ThreadLocal.withInitial(() -> "public");

	static <T> T call(String tenant, Supplier<T> work) {
		CURRENT.set(tenant);
		try {
			return work.get();
		}
		finally {
			CURRENT.remove();
		}
	}

	@Override
	public String resolveCurrentTenantIdentifier() {
		return CURRENT.get();
	}

	@Override
	public boolean validateExistingCurrentSessions() {
		return true;
	}

	@Bean
	HibernatePropertiesCustomizer schemaPerTenant() {
		TenantSchemaMapper<String> schema = (tenant) -> tenant;
		return (properties) -> {
			properties.put(MultiTenancySettings.MULTI_TENANT_IDENTIFIER_RESOLVER, this);
			properties.put(MultiTenancySettings.MULTI_TENANT_SCHEMA_MAPPER, schema);
		};
	}

}
