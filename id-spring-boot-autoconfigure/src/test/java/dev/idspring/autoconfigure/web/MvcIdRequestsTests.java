package dev.idspring.autoconfigure.web;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.jackson.IdsJacksonAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.convert.ConversionService;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockServletContext;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.client.MockMvcWebTestClient;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.MvcUriComponentsBuilder;
import org.springframework.web.util.UriComponentsBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs {@link AbstractIdRequestsTests} with Spring MVC.
 */
class MvcIdRequestsTests extends AbstractIdRequestsTests {

	@Override
	ConfigurableApplicationContext createContext(Class<?> controller) {
		AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
		context.setServletContext(new MockServletContext());
		register(context, controller, IdsAutoConfiguration.class, IdsJacksonAutoConfiguration.class,
				IdsWebMvcAutoConfiguration.class, IdsWebMvcEntitiesAutoConfiguration.class,
				JacksonAutoConfiguration.class, HttpMessageConvertersAutoConfiguration.class,
				WebMvcAutoConfiguration.class);
		return context;
	}

	@Override
	WebTestClient createClient(ConfigurableApplicationContext context) {
		return MockMvcWebTestClient.bindToApplicationContext((WebApplicationContext) context).build();
	}

	@Override
	ConversionService conversions() {
		return context().getBean("mvcConversionService", ConversionService.class);
	}

	@Test
	void urisOfHandlerMethodsContainTheTextForm() {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setAttribute(DispatcherServlet.WEB_APPLICATION_CONTEXT_ATTRIBUTE, context());
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
		try {
			assertThat(uri("number", 1_000L)).isEqualTo("https://example.com/number/00000000g8");
			assertThat(uri("typed", new OrderId(1_000))).isEqualTo("https://example.com/typed/00000000g8");
			assertThat(uri("parameters", 1_000L, null)).isEqualTo("https://example.com/parameters?id=00000000g8");
		}
		finally {
			RequestContextHolder.resetRequestAttributes();
		}
	}

	private static String uri(String method, @Nullable Object... arguments) {
		return MvcUriComponentsBuilder
			.fromMethodName(UriComponentsBuilder.fromUriString("https://example.com"), Controller.class, method,
					arguments)
			.toUriString();
	}

}
