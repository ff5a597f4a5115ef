package dev.idspring.autoconfigure;

import java.lang.reflect.Field;
import java.util.List;

import dev.idspring.data.GeneratedId;
import dev.idspring.entity.EntityTables;
import dev.idspring.entity.IdAsString;
import dev.idspring.entity.IdLocation;
import dev.idspring.entity.IdFormats;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.ConversionService;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.NamingStrategy;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
			assertThat(context).hasBean("idsEntityConverterConfigurer")
				.hasBean("idsTextConverterConfigurer")
				.hasBean("idsBindingPostProcessor")
				.hasBean("idsParametersCheck");
			assertThat(context.getBean("mvcConversionService", ConversionService.class).convert("000001", Key.class))
				.isEqualTo(new Key(1));
		});
	}

	@Test
	void springWebFluxConvertsIds() {
		this.reactive.run((context) -> {
			assertThat(context).doesNotHaveBean("idsEntityConverterConfigurer")
				.hasBean("idsTextConverterConfigurer")
				.hasBean("idsBindingPostProcessor")
				.hasBean("idsParametersCheck");
			assertThat(
					context.getBean("webFluxConversionService", ConversionService.class).convert("000001", Key.class))
				.isEqualTo(new Key(1));
		});
	}

	@Test
	void nothingIsThereWithoutARequest() {
		this.noWeb.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("idsTextConverterConfigurer"));
	}

	@Test
	void springMvcNeedNotBeThere() {
		this.servlet.withClassLoader(new FilteredClassLoader("org.springframework.web.servlet"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("idsTextConverterConfigurer"));
	}

	@Test
	void springWebFluxNeedNotBeThere() {
		new ReactiveWebApplicationContextRunner().withConfiguration(OURS)
			.withPropertyValues("ids.store=memory")
			.withClassLoader(new FilteredClassLoader("org.springframework.web.reactive"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("idsTextConverterConfigurer"));
	}

	@Test
	void springDataNeedNotBeThere() {
		this.servlet.withClassLoader(new FilteredClassLoader("org.springframework.data")).run((context) -> {
			assertThat(context).hasNotFailed()
				.doesNotHaveBean("idsEntityConverterConfigurer")
				.doesNotHaveBean("idsRelationalEntityTables");
			assertThat(context.getBean("mvcConversionService", ConversionService.class).convert("000001", Key.class))
				.isEqualTo(new Key(1));
		});
	}

	@Test
	void hibernateNeedNotBeThere() {
		this.servlet.withClassLoader(new FilteredClassLoader("org.hibernate", "jakarta.persistence"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("idsRelationalEntityTables")
				.doesNotHaveBean("idsHibernateEntityTables"));
	}

	@Test
	void thereAreNoneWithoutGenerators() {
		this.servlet.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("idsTextConverterConfigurer")
				.doesNotHaveBean("idsBindingPostProcessor")
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
			EntityTables tables = context.getBean("idsRelationalEntityTables", EntityTables.class);
			assertThat(tables.tableOf(Parcel.class)).isEqualTo("PARCEL");
			assertThat(tables.tableOfId(Parcel.class)).isEqualTo("PARCEL");
			assertThat(tables.tableOf(Key.class)).isNull();
			assertThat(known.getPersistentEntities()).hasSize(1);
			assertThat(List.of(context.getBeanNamesForType(EntityTables.class))).contains("idsHibernateEntityTables");
		});
	}

	@Test
	void tableThatSeveralMappingContextsNameDifferentlyCannotBeTold() {
		RelationalMappingContext one = new RelationalMappingContext();
		RelationalMappingContext two = new RelationalMappingContext();
		RelationalMappingContext other = new RelationalMappingContext(new NamingStrategy() {

			@Override
			public String getTableName(Class<?> type) {
				return "other_" + NamingStrategy.super.getTableName(type);
			}

		});
		for (RelationalMappingContext context : List.of(one, two, other)) {
			context.getPersistentEntity(Step.class);
			context.getPersistentEntity(Parcel.class);
		}
		this.noWeb.withBean("one", RelationalMappingContext.class, () -> one)
			.withBean("two", RelationalMappingContext.class, () -> two)
			.run((context) -> {
				EntityTables tables = context.getBean("idsRelationalEntityTables", EntityTables.class);
				assertThat(tables.tableOf(Step.class)).isEqualTo("step");
				assertThat(tables.tableOfId(Step.class)).isEqualTo("step");
			});
		this.noWeb.withBean("one", RelationalMappingContext.class, () -> one)
			.withBean("other", RelationalMappingContext.class, () -> other)
			.run((context) -> {
				EntityTables tables = context.getBean("idsRelationalEntityTables", EntityTables.class);
				assertThat(tables.tableOf(Step.class)).isNull();
				assertThat(tables.tableOfId(Step.class)).isNull();
				assertThat(tables.tableOf(Parcel.class)).isEqualTo("PARCEL");
			});
	}

	@Test
	void embeddedTypesHaveNoTable() {
		RelationalMappingContext known = new RelationalMappingContext();
		known.getPersistentEntity(Shipment.class);
		this.noWeb.withBean(RelationalMappingContext.class, () -> known).run((context) -> {
			EntityTables tables = context.getBean("idsRelationalEntityTables", EntityTables.class);
			assertThat(tables.tableOf(Shipment.class)).isEqualTo("shipment");
			assertThat(tables.tableOf(Label.class)).isNull();
			assertThat(tables.tableOf(Step.class)).isEqualTo("step");
			assertThat(known.hasPersistentEntityFor(Label.class)).isTrue();
		});
	}

	@Test
	void idsOfEmbeddedTypesNeedAName() throws Exception {
		RelationalMappingContext known = new RelationalMappingContext();
		known.getPersistentEntity(Shipment.class);
		Field code = Label.class.getDeclaredField("code");
		IdLocation place = new IdLocation(code.getAnnotation(IdAsString.class), List.of(code.getAnnotations()),
				Label.class, "Label.code");
		this.noWeb.withBean(RelationalMappingContext.class, () -> known)
			.withPropertyValues("ids.generators.label.strategy=sequential",
					"ids.generators.shipment.strategy=sequential")
			.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(IdFormats.class).of(place, Long.class))
				.withMessageContaining("Label.code")
				.withMessageContaining("name the generator"));
	}

	@Test
	void contextsThatAreNoCandidatesAreAskedToo() {
		RelationalMappingContext known = new RelationalMappingContext();
		known.getPersistentEntity(Parcel.class);
		this.noWeb
			.withBean("hidden", RelationalMappingContext.class, () -> known,
					(definition) -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false))
			.run((context) -> assertThat(
					context.getBean("idsRelationalEntityTables", EntityTables.class).tableOf(Parcel.class))
				.isEqualTo("PARCEL"));
	}

	@IdAsString
	record Key(long value) {

	}

	@Table("PARCEL")
	record Parcel(@Id Long id) {

	}

	record Shipment(@Id Long id, @Embedded.Nullable Label label, List<Step> steps) {

	}

	record Label(@GeneratedId @IdAsString Long code) {

	}

	record Step(@Id Long id) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFlux
	static class WebFlux {

	}

}
