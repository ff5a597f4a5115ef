package dev.idspring.sample;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Refuses requests of pages of other origins: browsers would let any page that a user
 * visits draw ids. Requests without an origin pass. Browsers send it with all requests
 * that can draw; links are followed without it.
 * <p>
 * An origin is compared with the {@code Host} of the request. Behind a proxy that ends
 * TLS, {@code server.forward-headers-strategy} must be set.
 */
@Configuration(proxyBeanMethods = false)
class SameOriginConfiguration implements WebMvcConfigurer {

	@Override
	public void addCorsMappings(CorsRegistry registry) {
		registry.addMapping("/**").allowedOrigins();
	}

}
