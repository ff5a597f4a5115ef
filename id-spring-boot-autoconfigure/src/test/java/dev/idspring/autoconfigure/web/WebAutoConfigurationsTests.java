package dev.idspring.autoconfigure.web;

import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.ConversionService;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the conditions of the auto-configurations for web requests.
 */
class WebAutoConfigurationsTests {

	private static final AutoConfigurations IDS_CONFIGURATIONS = AutoConfigurations.of(IdsAutoConfiguration.class,
			IdsHttpServiceAutoConfiguration.class, IdsRestClientAutoConfiguration.class,
			IdsWebClientAutoConfiguration.class, IdsWebFluxAutoConfiguration.class, IdsWebMvcAutoConfiguration.class,
			IdsWebMvcEntitiesAutoConfiguration.class);

	private final WebApplicationContextRunner servletRunner = new WebApplicationContextRunner()
		.withConfiguration(IDS_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
		.withPropertyValues("ids.store=memory");

	private final ReactiveWebApplicationContextRunner reactiveRunner = new ReactiveWebApplicationContextRunner()
		.withConfiguration(IDS_CONFIGURATIONS)
		.withUserConfiguration(WebFlux.class)
		.withPropertyValues("ids.store=memory");

	private final ApplicationContextRunner nonWebRunner = new ApplicationContextRunner()
		.withConfiguration(IDS_CONFIGURATIONS)
		.withPropertyValues("ids.store=memory");

	@Test
	void springMvcConvertsIds() {
		this.servletRunner.run((context) -> {
			assertThat(context).hasBean("idsEntityConverterConfigurer")
				.hasBean("idsBindingPostProcessor")
				.hasBean("idsParametersCheck");
			assertThat(context.getBean("mvcConversionService", ConversionService.class).convert("000001", Key.class))
				.isEqualTo(new Key(1));
		});
	}

	@Test
	void springWebFluxConvertsIds() {
		this.reactiveRunner.run((context) -> {
			assertThat(context).doesNotHaveBean("idsEntityConverterConfigurer")
				.hasBean("idsBindingPostProcessor")
				.hasBean("idsParametersCheck");
			assertThat(
					context.getBean("webFluxConversionService", ConversionService.class).convert("000001", Key.class))
				.isEqualTo(new Key(1));
		});
	}

	@Test
	void createsNoBeansWithoutAWebApplication() {
		this.nonWebRunner
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("idsBindingPostProcessor"));
	}

	@Test
	void springMvcIsOptional() {
		this.servletRunner.withClassLoader(new FilteredClassLoader("org.springframework.web.servlet"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("idsBindingPostProcessor"));
	}

	@Test
	void springWebFluxIsOptional() {
		new ReactiveWebApplicationContextRunner().withConfiguration(IDS_CONFIGURATIONS)
			.withPropertyValues("ids.store=memory")
			.withClassLoader(new FilteredClassLoader("org.springframework.web.reactive"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("idsBindingPostProcessor"));
	}

	@Test
	void springDataIsOptional() {
		this.servletRunner.withClassLoader(new FilteredClassLoader("org.springframework.data")).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean("idsEntityConverterConfigurer");
			assertThat(context.getBean("mvcConversionService", ConversionService.class).convert("000001", Key.class))
				.isEqualTo(new Key(1));
		});
	}

	@Test
	void createsNoBeansWithoutGenerators() {
		this.servletRunner.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("idsBindingPostProcessor"));
	}

	@Test
	void bindingUsesItsOwnConversionService() {
		this.servletRunner.run((context) -> {
			RequestMappingHandlerAdapter adapter = context.getBean(RequestMappingHandlerAdapter.class);
			assertThat(adapter.getWebBindingInitializer()).isInstanceOfSatisfying(
					ConfigurableWebBindingInitializer.class,
					(initializer) -> assertThat(initializer.getConversionService())
						.isNotSameAs(context.getBean("mvcConversionService")));
		});
	}

	@IdAsString
	record Key(long value) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFlux
	static class WebFlux {

	}

}
