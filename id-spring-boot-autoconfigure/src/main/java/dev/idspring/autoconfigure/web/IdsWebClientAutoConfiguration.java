package dev.idspring.autoconfigure.web;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.function.client.support.WebClientHttpServiceGroupConfigurer;
import org.springframework.web.service.registry.HttpServiceProxyRegistry;

/**
 * Auto-configuration for ids in the requests of HTTP service clients that use a
 * {@code WebClient} and are in the {@link HttpServiceProxyRegistry}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsHttpServiceAutoConfiguration.class)
@ConditionalOnClass(WebClientHttpServiceGroupConfigurer.class)
@ConditionalOnBean({ HttpServiceProxyRegistry.class, IdArgumentResolver.class })
public final class IdsWebClientAutoConfiguration {

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	WebClientHttpServiceGroupConfigurer idsWebClientGroupConfigurer(ObjectProvider<IdArgumentResolver> resolver) {
		return (groups) -> IdsRestClientAutoConfiguration.configure(groups, resolver);
	}

}
