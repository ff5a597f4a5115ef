package dev.idspring.autoconfigure.persistence;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.mapping.context.AbstractMappingContext;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UnmanagedIdsAutoConfiguration}: properties that are annotated with
 * {@link GeneratedId @GeneratedId}, but to which no persistence module would assign ids.
 */
class UnmanagedIdsAutoConfigurationTests {

	private static final String SLICE_IMPORTS = "META-INF/spring/org.springframework.boot.data.%1$s.test.autoconfigure.AutoConfigureData%2$s.imports";

	private final ApplicationContextRunner sliceRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(UnmanagedIdsAutoConfiguration.class));

	private final ApplicationContextRunner applicationRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, IdsDataJdbcAutoConfiguration.class,
				IdsDataR2dbcAutoConfiguration.class, UnmanagedIdsAutoConfiguration.class))
		.withPropertyValues("ids.store=memory");

	@Test
	void startupFailsWithEveryModuleIfThereAreNoGenerators() {
		for (Supplier<RelationalMappingContext> context : List
			.<Supplier<RelationalMappingContext>>of(JdbcMappingContext::new, R2dbcMappingContext::new)) {
			assertStartupFails(withEntity(this.sliceRunner, context, Order.class),
					"this application context has no id generators");
			assertStartupFails(
					withEntity(this.applicationRunner.withPropertyValues("ids.enabled=false"), context, Order.class),
					"this application context has no id generators");
		}
	}

	@Test
	void entityOfAnUnsupportedModuleMakesStartupFail() {
		assertStartupFails(withEntity(this.applicationRunner, RelationalMappingContext::new, Order.class),
				RelationalMappingContext.class.getName() + " manages the entity");
	}

	@Test
	void jpaIdMakesStartupFailWhenSpringDataManagesTheEntity() {
		assertStartupFails(withEntity(this.applicationRunner, JdbcMappingContext::new, WithJpaId.class),
				"its @Id is the JPA annotation");
	}

	@Test
	void acceptsManagedAndPlainEntities() {
		for (Supplier<RelationalMappingContext> context : List.<Supplier<RelationalMappingContext>>of(
				JdbcMappingContext::new, R2dbcMappingContext::new, ExtendedMappingContext::new)) {
			withEntity(this.applicationRunner, context, Order.class)
				.run((running) -> assertThat(running).hasNotFailed());
			withEntity(this.sliceRunner, context, Plain.class).run((running) -> assertThat(running).hasNotFailed());
		}
	}

	@Test
	void checkCreatesNoLazyBeansAndDoesNotRequireSpringData() {
		this.sliceRunner.withBean(JdbcMappingContext.class, () -> {
			throw new IllegalStateException("too early");
		}, (definition) -> definition.setLazyInit(true)).run((context) -> assertThat(context).hasNotFailed());
		this.sliceRunner.withClassLoader(new FilteredClassLoader("org.springframework.data"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("idsUnmanagedCheck"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Jdbc", "R2dbc" })
	void springBootSlicesImportTheCheck(String slice) throws IOException {
		ClassPathResource imports = new ClassPathResource(
				SLICE_IMPORTS.formatted(slice.toLowerCase(java.util.Locale.ROOT), slice));
		assertThat(imports.getContentAsString(StandardCharsets.UTF_8).strip())
			.isEqualTo(UnmanagedIdsAutoConfiguration.class.getName());
	}

	private static ApplicationContextRunner withEntity(ApplicationContextRunner runner,
			Supplier<RelationalMappingContext> mappingContext, Class<?> entity) {
		return runner.withBean(AbstractMappingContext.class, () -> {
			RelationalMappingContext context = mappingContext.get();
			context.getRequiredPersistentEntity(entity);
			return context;
		});
	}

	private static void assertStartupFails(ApplicationContextRunner runner, String reason) {
		runner.run((context) -> assertThat(context).getFailure()
			.isInstanceOf(IdSetupException.class)
			.hasMessageContainingAll(".id is annotated with @GeneratedId, but " + reason,
					"Let Spring Boot configure Hibernate, Spring Data JDBC or Spring Data R2DBC for this entity",
					"@AutoConfigureTestIds"));
	}

	record Order(@Id @GeneratedId Long id) {

	}

	record Plain(@Id Long id) {

	}

	record WithJpaId(@jakarta.persistence.Id @GeneratedId Long id) {

	}

	static class ExtendedMappingContext extends JdbcMappingContext {

	}

}
