package dev.idspring.autoconfigure.actuate;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.store.KeySpaceStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the {@code ids} endpoint.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(IdsEndpoint.class)
public final class IdsEndpointAutoConfiguration {

	@Bean
	@ConditionalOnBean(IdGenerators.class)
	@ConditionalOnMissingBean
	IdsEndpoint idsEndpoint(IdGenerators generators, ObjectProvider<KeySpaceStore> store) {
		return new IdsEndpoint(generators, store.getIfUnique());
	}

}
