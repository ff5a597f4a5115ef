package dev.idspring.autoconfigure;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariConfig;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.autoconfigure.actuate.GeneratorDescriptor;
import dev.idspring.autoconfigure.actuate.IdsEndpoint.IdDescriptor;
import dev.idspring.autoconfigure.actuate.IdsEndpoint.IdsDescriptor;
import dev.idspring.autoconfigure.actuate.IdsEndpoint;
import dev.idspring.autoconfigure.actuate.IdsEndpointAutoConfiguration;
import dev.idspring.autoconfigure.actuate.IdsHealthContributorAutoConfiguration;
import dev.idspring.autoconfigure.actuate.IdsEndpoint.StoreDescriptor;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import org.junit.jupiter.api.BeforeAll;
import org.hibernate.event.spi.PreInsertEvent;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes an application ahead of time and verifies the runtime hints for a native
 * image.
 */
class IdsRuntimeHintsTests {

	private static RuntimeHints hints;

	@BeforeAll
	static void process() {
		TestGenerationContext generation = new TestGenerationContext();
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		TestPropertyValues.of("management.endpoints.web.exposure.include=ids").applyTo(context);
		context.register(Application.class);
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		hints = generation.getRuntimeHints();
	}

	@Test
	void hintsIncludeEverySchemaScript() throws Exception {
		Resource[] scripts = new PathMatchingResourcePatternResolver()
			.getResources("classpath*:dev/idspring/jdbc/*.sql");
		assertThat(scripts).hasSizeGreaterThanOrEqualTo(10);
		for (Resource script : scripts) {
			String path = "dev/idspring/jdbc/" + script.getFilename();
			assertThat(RuntimeHintsPredicates.resource().forResource(path)).as(path).accepts(hints);
		}
		assertThat(RuntimeHintsPredicates.resource().forResource("dev/idspring/jdbc/schema.txt")).rejects(hints);
	}

	@Test
	void hintsIncludeEveryScriptForRedis() throws Exception {
		Resource[] scripts = new PathMatchingResourcePatternResolver()
			.getResources("classpath*:dev/idspring/redis/*.lua");
		assertThat(scripts).hasSizeGreaterThanOrEqualTo(5);
		for (Resource script : scripts) {
			String path = "dev/idspring/redis/" + script.getFilename();
			assertThat(RuntimeHintsPredicates.resource().forResource(path)).as(path).accepts(hints);
		}
	}

	@Test
	void hintsAllowBindingOfEveryProperty() {
		Set<Class<?>> records = new LinkedHashSet<>();
		for (Class<?> properties : new Class<?>[] { IdsProperties.class, IdsJdbcProperties.class,
				IdsRedisProperties.class, GeneratorProperties.class }) {
			collect(properties, records, new LinkedHashSet<>());
		}
		assertThat(records).contains(IdsProperties.SkipAhead.class, GeneratorProperties.Snowflake.class,
				GeneratorProperties.Health.class);
		for (Class<?> record : records) {
			assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(record.getDeclaredConstructors()[0]))
				.as(record.getName())
				.accepts(hints);
			for (RecordComponent component : record.getRecordComponents()) {
				assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(component.getAccessor()))
					.as(record.getName() + "." + component.getName())
					.accepts(hints);
			}
		}
	}

	@Test
	void hintsCoverAllTypesThatTheEndpointReturns() throws Exception {
		Set<Class<?>> records = new LinkedHashSet<>();
		Set<Class<?>> enums = new LinkedHashSet<>();
		for (Method operation : IdsEndpoint.class.getDeclaredMethods()) {
			if (operation.isAnnotationPresent(ReadOperation.class)) {
				assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(operation)).as(operation.getName())
					.accepts(hints);
				collect(operation.getGenericReturnType(), records, enums);
				RegisterReflectionForBinding binding = operation.getAnnotation(RegisterReflectionForBinding.class);
				for (Class<?> result : (binding != null) ? binding.value() : new Class<?>[0]) {
					collect(result, records, enums);
				}
			}
		}
		assertThat(records).contains(IdsDescriptor.class, StoreDescriptor.class, GeneratorDescriptor.class,
				IdDescriptor.class);
		assertThat(records).containsAll(Stream.of(GeneratorDescriptor.class.getDeclaredClasses()).toList());
		for (Class<?> record : records) {
			for (RecordComponent component : record.getRecordComponents()) {
				assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(component.getAccessor()))
					.as(record.getName() + "." + component.getName())
					.accepts(hints);
			}
		}
		assertThat(enums).contains(GeneratorStatus.class);
		for (Class<?> type : enums) {
			assertThat(RuntimeHintsPredicates.reflection().onType(type)).as(type.getName()).accepts(hints);
		}
	}

	@Test
	void hintsAllowCopyingTheSettingsOfThePool() {
		for (Field field : HikariConfig.class.getDeclaredFields()) {
			if (!Modifier.isStatic(field.getModifiers())) {
				assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(field)).as(field.getName()).accepts(hints);
			}
		}
	}

	@Test
	void hintsAllowHibernateToReadTheAnnotationAndCreateTheGenerator() {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(TypeReference.of("dev.idspring.annotation.EntityIdGenerator"))
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(GeneratedId.class)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(PreInsertEvent.class)
			.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints);
	}

	@Test
	void hintsIncludeTheFailureAnalyzer() {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(IdSetupFailureAnalyzer.class)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(hints);
		assertThat(RuntimeHintsPredicates.resource().forResource("META-INF/spring.factories")).accepts(hints);
	}

	/**
	 * Collect the records and enums of the starter that a type contains, including nested
	 * ones.
	 */
	private static void collect(Type type, Set<Class<?>> records, Set<Class<?>> enums) {
		if (type instanceof ParameterizedType parameterized) {
			Arrays.stream(parameterized.getActualTypeArguments())
				.forEach((argument) -> collect(argument, records, enums));
		}
		else if (type instanceof Class<?> starterType && starterType.getName().startsWith("dev.idspring.")) {
			if (starterType.isEnum()) {
				enums.add(starterType);
			}
			else if (starterType.isRecord() && records.add(starterType)) {
				Arrays.stream(starterType.getRecordComponents())
					.forEach((component) -> collect(component.getGenericType(), records, enums));
			}
		}
	}

	/**
	 * The store is JDBC, so the configuration of the Redis store, which otherwise enables
	 * {@link IdsRedisProperties}, does not apply.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(IdsRedisProperties.class)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, EndpointAutoConfiguration.class,
			IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class, IdsEndpointAutoConfiguration.class,
			IdsHealthContributorAutoConfiguration.class })
	static class Application {

	}

}
