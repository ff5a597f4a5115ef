package dev.idspring.autoconfigure.actuate;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.Strategy;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import dev.idspring.store.KeySpaceStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for {@link IdsEndpoint}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(IdsEndpoint.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	IdsEndpoint idsEndpoint(IdGenerators generators, ObjectProvider<KeySpaceStore> store,
			ObjectProvider<ManagedScopedIdGenerator> scoped, ObjectProvider<WatchedColumns> columns,
			Environment environment) {
		Strategy strategy = Binder.get(environment).bind("ids.strategy", Strategy.class).orElse(Strategy.COPRIME);
		return new IdsEndpoint(generators, store.getIfUnique(), scoped.stream().toList(), columns.getIfUnique(),
				strategy.id());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	IdsEndpointWebExtension idsEndpointWebExtension(IdsEndpoint endpoint) {
		return new IdsEndpointWebExtension(endpoint);
	}

}
