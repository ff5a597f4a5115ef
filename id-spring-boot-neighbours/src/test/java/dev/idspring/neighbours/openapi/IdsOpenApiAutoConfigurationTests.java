package dev.idspring.neighbours.openapi;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdsOpenApiAutoConfiguration}. The tests in the module
 * integration-tests check the documents that springdoc generates.
 */
class IdsOpenApiAutoConfigurationTests {

	private static final String BEAN = "idsModelConverter";

	private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(IdsAutoConfiguration.class,
			IdsOpenApiAutoConfiguration.class);

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(CONFIGURATIONS)
		.withPropertyValues("ids.store=memory");

	@Test
	void webApplicationsHaveAConverter() {
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed().hasBean(BEAN));
		new ReactiveWebApplicationContextRunner().withConfiguration(CONFIGURATIONS)
			.withPropertyValues("ids.store=memory")
			.run((context) -> assertThat(context).hasNotFailed().hasBean(BEAN));
	}

	@Test
	void converterDoesNotCreateTheGenerators() {
		this.contextRunner.withPropertyValues("spring.main.lazy-initialization=true")
			.withInitializer((context) -> context.addBeanFactoryPostProcessor((factory) -> {
				for (String name : factory.getBeanDefinitionNames()) {
					factory.getBeanDefinition(name).setLazyInit(true);
				}
			}))
			.run((context) -> {
				assertThat(context.getBean(BEAN)).isNotNull();
				assertThat(context.getSourceApplicationContext().getBeanFactory().containsSingleton("idGenerators"))
					.isFalse();
			});
	}

	@Test
	void definesNoConverterWithoutAWebApplication() {
		new ApplicationContextRunner().withConfiguration(CONFIGURATIONS)
			.withPropertyValues("ids.store=memory")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
	}

	@Test
	void backsOffWithoutSwagger() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.swagger"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
	}

	@Test
	void definesNoBeansWithoutGenerators() {
		this.contextRunner.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
	}

}
