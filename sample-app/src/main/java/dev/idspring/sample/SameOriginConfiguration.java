package dev.idspring.sample;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Rejects requests from pages of other origins. Otherwise, any page that a user visits
 * could make the user's browser draw ids. Requests without an {@code Origin} header are
 * accepted. Browsers send this header with every request that can draw ids, but not when
 * a user follows a link.
 * <p>
 * The origin is compared with the {@code Host} header of the request. Behind a proxy that
 * terminates TLS, {@code server.forward-headers-strategy} must be set.
 */
@Configuration(proxyBeanMethods = false)
class SameOriginConfiguration implements WebMvcConfigurer {

	@Override
	public void addCorsMappings(CorsRegistry registry) {
		registry.addMapping("/**").allowedOrigins();
	}

}
