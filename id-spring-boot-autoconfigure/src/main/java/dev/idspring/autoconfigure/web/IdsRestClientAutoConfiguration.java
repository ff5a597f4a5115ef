package dev.idspring.autoconfigure.web;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.service.registry.HttpServiceGroupConfigurer;
import org.springframework.web.service.registry.HttpServiceProxyRegistry;

/**
 * Auto-configuration for ids in the requests of HTTP service clients that use a
 * {@code RestClient} and are in the {@link HttpServiceProxyRegistry}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsHttpServiceAutoConfiguration.class)
@ConditionalOnClass({ HttpServiceProxyRegistry.class, RestClientHttpServiceGroupConfigurer.class })
@ConditionalOnBean({ HttpServiceProxyRegistry.class, IdArgumentResolver.class })
public final class IdsRestClientAutoConfiguration {

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	RestClientHttpServiceGroupConfigurer idsRestClientGroupConfigurer(ObjectProvider<IdArgumentResolver> resolver) {
		return (groups) -> configure(groups, resolver);
	}

	/**
	 * Register the resolver. The callers have the highest precedence, so that this
	 * resolver precedes all others. Other resolvers for request parameters would send ids
	 * as numbers.
	 */
	static <T> void configure(HttpServiceGroupConfigurer.Groups<T> groups,
			ObjectProvider<IdArgumentResolver> resolver) {
		groups.forEachProxyFactory((group, factory) -> factory.customArgumentResolver(resolver.getObject()));
	}

}
