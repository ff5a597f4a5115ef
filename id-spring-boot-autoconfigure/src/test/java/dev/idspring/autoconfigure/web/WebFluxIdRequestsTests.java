package dev.idspring.autoconfigure.web;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.jackson.IdsJacksonAutoConfiguration;
import org.springframework.boot.web.context.reactive.AnnotationConfigReactiveWebApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.ConversionService;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.json.JacksonJsonDecoder;
import org.springframework.http.codec.json.JacksonJsonEncoder;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs {@link AbstractIdRequestsTests} with Spring WebFlux.
 */
class WebFluxIdRequestsTests extends AbstractIdRequestsTests {

	@Override
	ConfigurableApplicationContext createContext(Class<?> controller) {
		AnnotationConfigReactiveWebApplicationContext context = new AnnotationConfigReactiveWebApplicationContext();
		register(context, controller, WebFlux.class, IdsAutoConfiguration.class, IdsJacksonAutoConfiguration.class,
				IdsWebFluxAutoConfiguration.class);
		return context;
	}

	@Override
	WebTestClient createClient(ConfigurableApplicationContext context) {
		return WebTestClient.bindToApplicationContext(context).build();
	}

	@Override
	ConversionService conversions() {
		return context().getBean("webFluxConversionService", ConversionService.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFlux
	static class WebFlux implements WebFluxConfigurer {

		private final JsonMapper mapper;

		WebFlux(JacksonModule module) {
			this.mapper = JsonMapper.builder().addModule(module).build();
		}

		@Override
		public void configureHttpMessageCodecs(ServerCodecConfigurer configurer) {
			configurer.defaultCodecs().jacksonJsonDecoder(new JacksonJsonDecoder(this.mapper));
			configurer.defaultCodecs().jacksonJsonEncoder(new JacksonJsonEncoder(this.mapper));
		}

	}

}
