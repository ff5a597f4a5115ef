package dev.idspring.autoconfigure;

import java.util.List;

import dev.idspring.entity.EntityTables;
import dev.idspring.entity.IdAsString;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.ConversionService;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdsWebMvcAutoConfiguration}, {@link IdsWebFluxAutoConfiguration} and
 * {@link IdsEntitiesAutoConfiguration}.
 */
class IdsWebAutoConfigurationTests {

	private static final AutoConfigurations OURS = AutoConfigurations.of(IdsAutoConfiguration.class,
			IdsWebMvcAutoConfiguration.class, IdsWebFluxAutoConfiguration.class, IdsEntitiesAutoConfiguration.class);

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner().withConfiguration(OURS)
		.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
		.withPropertyValues("ids.store=memory");

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(OURS)
		.withUserConfiguration(WebFlux.class)
		.withPropertyValues("ids.store=memory");

	private final ApplicationContextRunner noWeb = new ApplicationContextRunner().withConfiguration(OURS)
		.withPropertyValues("ids.store=memory");

	@Test
	void springMvcConvertsIds() {
		this.servlet.run((context) -> {
			assertThat(context).hasBean("idEntityConverterConfigurer");
			assertThat(context.getBean("mvcConversionService", ConversionService.class).convert("000001", Key.class))
				.isEqualTo(new Key(1));
		});
	}

	@Test
	void springWebFluxConvertsIds() {
		this.reactive.run((context) -> {
			assertThat(context).doesNotHaveBean("idEntityConverterConfigurer");
			assertThat(
					context.getBean("webFluxConversionService", ConversionService.class).convert("000001", Key.class))
				.isEqualTo(new Key(1));
		});
	}

	@Test
	void nothingIsThereWithoutARequest() {
		this.noWeb.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("idTextConverterConfigurer"));
	}

	@Test
	void springMvcNeedNotBeThere() {
		this.servlet.withClassLoader(new FilteredClassLoader("org.springframework.web.servlet"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("idTextConverterConfigurer"));
	}

	@Test
	void springWebFluxNeedNotBeThere() {
		new ReactiveWebApplicationContextRunner().withConfiguration(OURS)
			.withPropertyValues("ids.store=memory")
			.withClassLoader(new FilteredClassLoader("org.springframework.web.reactive"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("idTextConverterConfigurer"));
	}

	@Test
	void springDataNeedNotBeThere() {
		this.servlet.withClassLoader(new FilteredClassLoader("org.springframework.data")).run((context) -> {
			assertThat(context).hasNotFailed()
				.doesNotHaveBean("idEntityConverterConfigurer")
				.doesNotHaveBean("relationalEntityTables");
			assertThat(context.getBean("mvcConversionService", ConversionService.class).convert("000001", Key.class))
				.isEqualTo(new Key(1));
		});
	}

	@Test
	void hibernateNeedNotBeThere() {
		this.servlet.withClassLoader(new FilteredClassLoader("org.hibernate", "jakarta.persistence"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("relationalEntityTables")
				.doesNotHaveBean("hibernateEntityTables"));
	}

	@Test
	void thereAreNoneWithoutGenerators() {
		this.servlet.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("idTextConverterConfigurer")
				.doesNotHaveBean("idBindingPostProcessor")
				.doesNotHaveBean(EntityTables.class));
	}

	@Test
	void bindingIsMadeStrict() {
		this.servlet.run((context) -> {
			RequestMappingHandlerAdapter adapter = context.getBean(RequestMappingHandlerAdapter.class);
			assertThat(adapter.getWebBindingInitializer()).isInstanceOfSatisfying(
					ConfigurableWebBindingInitializer.class,
					(initializer) -> assertThat(initializer.getConversionService())
						.isNotSameAs(context.getBean("mvcConversionService")));
		});
	}

	@Test
	void mappingContextsKnowTables() {
		RelationalMappingContext known = new RelationalMappingContext();
		known.getPersistentEntity(Parcel.class);
		this.noWeb.withBean(RelationalMappingContext.class, () -> known).run((context) -> {
			EntityTables tables = context.getBean("relationalEntityTables", EntityTables.class);
			assertThat(tables.tableOf(Parcel.class)).isEqualTo("PARCEL");
			assertThat(tables.tableOfId(Parcel.class)).isEqualTo("PARCEL");
			assertThat(tables.tableOf(Key.class)).isNull();
			assertThat(known.getPersistentEntities()).hasSize(1);
			assertThat(List.of(context.getBeanNamesForType(EntityTables.class))).contains("hibernateEntityTables");
		});
	}

	@IdAsString
	record Key(long value) {

	}

	@Table("PARCEL")
	record Parcel(@Id Long id) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFlux
	static class WebFlux {

	}

}
