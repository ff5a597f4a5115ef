package dev.idspring.autoconfigure.persistence;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.core.convert.JdbcCustomConversions;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.jdbc.core.dialect.JdbcH2Dialect;
import org.springframework.data.jdbc.core.dialect.JdbcMySqlDialect;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.relational.core.mapping.event.AbstractRelationalEventListener;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.mapping.event.BeforeConvertEvent;
import org.springframework.data.relational.core.mapping.event.BeforeSaveEvent;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdsDataJdbcAutoConfiguration}.
 */
class IdsDataJdbcAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, IdsDataJdbcAutoConfiguration.class))
		.withPropertyValues("ids.store=memory");

	@Test
	void callbackIsRegistered() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(GeneratedIdCallback.class));
	}

	@Test
	void callbackIsAbsentWithoutSpringDataJdbc() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.data.jdbc"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GeneratedIdCallback.class));
	}

	@Test
	void callbackIsAbsentWithoutGenerators() {
		this.contextRunner.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GeneratedIdCallback.class));
	}

	@Test
	void startupFailsForAnUnsupportedTypeOrAnUnknownGenerator() {
		this.contextRunner.withBean(JdbcMappingContext.class, () -> contextWith(WrongType.class))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("type short"));
		this.contextRunner.withBean(JdbcMappingContext.class, () -> contextWith(WithUnknownGenerator.class))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("\"absent\"")
				.hasMessageContaining(WithUnknownGenerator.class.getName()));
	}

	@Test
	void startupFailsForARecordThatSpringDataTreatsAsAnEntity() {
		for (Class<?> entity : List.of(TypedKey.class, TypedColumn.class)) {
			this.contextRunner.withBean(JdbcMappingContext.class, () -> contextWith(entity))
				.run((context) -> assertThat(context).getFailure()
					.isInstanceOf(IdSetupException.class)
					.hasMessageContainingAll(entity.getName() + ".id", Typed.class.getTypeName(),
							"treats as an entity with columns of its own", "Annotate Typed with @IdAsString",
							"IdConverters.of(Typed.class)"));
		}
	}

	@Test
	void startupFailsForATypedIdThatIsNotInAScannedPackage() {
		this.contextRunner.withBean(JdbcMappingContext.class, () -> contextWith(WithUnscannedId.class))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdSetupException.class)
				.extracting((failure) -> ((IdSetupException) failure).getRemedy())
				.asString()
				.startsWith("Move AnnotatedId to a package that is scanned for entities")
				.contains("IdConverters.of(AnnotatedId.class)"));
	}

	@Test
	void checkCreatesNoLazyBeans() {
		List<String> created = new ArrayList<>();
		this.contextRunner.withBean(JdbcMappingContext.class, () -> {
			created.add("context");
			return contextWith(WithUnknownGenerator.class);
		}, (definition) -> definition.setLazyInit(true)).run((context) -> assertThat(context).hasNotFailed());
		assertThat(created).isEmpty();
	}

	@Test
	void everyMappingContextIsChecked() {
		this.contextRunner.withBean("one", JdbcMappingContext.class, () -> contextWith(Order.class))
			.withBean("two", JdbcMappingContext.class, () -> contextWith(WithUnknownGenerator.class))
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("\"absent\""));
	}

	@Test
	void usesAMappingContextThatIsNotADefaultCandidate() {
		this.contextRunner.withBean("one", JdbcMappingContext.class, () -> contextWith(Plain.class))
			.withUserConfiguration(HiddenContext.class)
			.run((context) -> {
				Order saved = (Order) context.getBean(GeneratedIdCallback.class).onBeforeConvert(new Order(null, "a"));
				assertThat(saved.id()).isNotNull();
				assertThat(context.getBean("one", JdbcMappingContext.class).hasPersistentEntityFor(Order.class))
					.isFalse();
			});
	}

	@Test
	void entitiesAreInserted() {
		withDatabase().run((context) -> {
			context.getBean(JdbcTemplate.class).execute("create table \"ORDER\" (id bigint primary key, text char(1))");
			Order saved = context.getBean(JdbcAggregateTemplate.class).save(new Order(null, "a"));
			assertThat(context.getBean(JdbcAggregateTemplate.class).findAll(Order.class)).containsExactly(saved);
		});
	}

	@Test
	void childIsInsertedWithTheIdsOfItsSubtype() {
		withDatabase().run((context) -> {
			JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
			jdbc.execute("create table FRAME (ID bigint primary key)");
			jdbc.execute("create table CIRCLE (ID bigint primary key, CODE varchar(20) unique not null, FRAME bigint)");
			Frame frame = context.getBean(JdbcAggregateTemplate.class).save(new Frame(null, new Circle(null, null)));
			assertThat(frame.shape()).isInstanceOfSatisfying(Circle.class, (circle) -> {
				assertThat(circle.id).isNotNull();
				assertThat(circle.code).isNotNull();
				assertThat(jdbc.queryForMap("select * from CIRCLE")).containsEntry("ID", circle.id)
					.containsEntry("CODE", circle.code)
					.containsEntry("FRAME", frame.id());
			});
		});
	}

	/**
	 * Spring Data publishes the convert event before it calls callbacks.
	 */
	@Test
	void applicationCallbacksSeeIdsButConvertEventListenersDoNot() {
		List<String> observed = new ArrayList<>();
		withDatabase()
			.withBean(AbstractRelationalEventListener.class, () -> new AbstractRelationalEventListener<Order>() {

				@Override
				protected void onBeforeConvert(BeforeConvertEvent<Order> event) {
					observed.add("convert event " + (event.getEntity().id() != null));
				}

				@Override
				protected void onBeforeSave(BeforeSaveEvent<Order> event) {
					observed.add("save event " + (event.getEntity().id() != null));
				}

			})
			.withBean(BeforeConvertCallback.class, () -> new RecordingCallback(observed))
			.run((context) -> {
				context.getBean(JdbcTemplate.class)
					.execute("create table \"ORDER\" (id bigint primary key, text char(1))");
				context.getBean(JdbcAggregateTemplate.class).save(new Order(null, "a"));
				assertThat(observed).containsExactly("convert event false", "callback true", "save event true");
			});
	}

	/**
	 * Spring creates the callbacks together with a template. If callbacks created
	 * generators at this time, no bean that a generator depends on could use a template.
	 */
	@Test
	void templatesAreCreatedBeforeGenerators() {
		withDatabase().withUserConfiguration(Journal.class)
			.run((context) -> assertThat(context.getBean(Journal.class).created).containsSubsequence("template",
					"generator"));
	}

	@Test
	void writesUuidsAsBinaryWhenTheDatabaseHasNoUuidType() {
		this.contextRunner.withBean(JdbcDialect.class, () -> JdbcMySqlDialect.INSTANCE)
			.run((context) -> assertThat(context.getBean(JdbcCustomConversions.class).getCustomWriteTarget(UUID.class))
				.contains(byte[].class));
		this.contextRunner.withBean(JdbcDialect.class, () -> JdbcH2Dialect.INSTANCE)
			.run((context) -> assertThat(context.getBean(JdbcCustomConversions.class).getCustomWriteTarget(UUID.class))
				.isEmpty());
	}

	@Test
	void backsOffForUserDefinedConversions() {
		JdbcCustomConversions userDefined = new JdbcCustomConversions();
		this.contextRunner.withBean(JdbcDialect.class, () -> JdbcMySqlDialect.INSTANCE)
			.withBean(JdbcCustomConversions.class, () -> userDefined)
			.run((context) -> assertThat(context.getBean(JdbcCustomConversions.class)).isSameAs(userDefined));
	}

	private ApplicationContextRunner withDatabase() {
		return this.contextRunner
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class))
			.withUserConfiguration(DataJdbc.class)
			.withPropertyValues("spring.datasource.generate-unique-name=true");
	}

	private static JdbcMappingContext contextWith(Class<?> entity) {
		JdbcMappingContext context = new JdbcMappingContext();
		context.getRequiredPersistentEntity(entity);
		return context;
	}

	record Order(@Id @GeneratedId @Nullable Long id, String text) {

	}

	record Plain(@Id @Nullable Long id) {

	}

	record WrongType(@Id @GeneratedId short id) {

	}

	record WithUnknownGenerator(@Id @GeneratedId("absent") @Nullable Long id) {

	}

	record Frame(@Id @GeneratedId @Nullable Long id, Shape shape) {

	}

	static class Shape {

		@Id
		@GeneratedId
		final @Nullable Long id;

		Shape(@Nullable Long id) {
			this.id = id;
		}

	}

	static class Circle extends Shape {

		@GeneratedId
		final @Nullable String code;

		Circle(@Nullable Long id, @Nullable String code) {
			super(id);
			this.code = code;
		}

	}

	private record RecordingCallback(List<String> observed) implements BeforeConvertCallback<Order> {

		@Override
		public Order onBeforeConvert(Order order) {
			this.observed.add("callback " + (order.id() != null));
			return order;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HiddenContext {

		@Bean(defaultCandidate = false)
		JdbcMappingContext two() {
			return contextWith(Order.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DataJdbc extends AbstractJdbcConfiguration {

	}

	/**
	 * A generator that depends on a template, and a callback that is created with the
	 * template.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Journal {

		final List<String> created = new ArrayList<>();

		@Bean
		IdGenerator generatorWithTemplate(JdbcAggregateTemplate template) {
			this.created.add("generator");
			return new FixedGenerator();
		}

		@Bean
		BeforeConvertCallback<Plain> callbackOfTheTemplate() {
			this.created.add("template");
			return (plain) -> plain;
		}

	}

	record Typed(long value) {

	}

	record TypedKey(@Id @GeneratedId Typed id) {

	}

	record TypedColumn(@Id long key, @GeneratedId Typed id) {

	}

	@IdAsString
	record AnnotatedId(long value) {

	}

	record WithUnscannedId(@Id @GeneratedId AnnotatedId id) {

	}

	private static final class FixedGenerator implements IdGenerator {

		@Override
		public String name() {
			return "default";
		}

		@Override
		public long nextLong() {
			return 1;
		}

		@Override
		public void nextLongs(long[] into) {
			throw new UnsupportedOperationException();
		}

		@Override
		public UUID toUuid(long id) {
			return new UUID(0, id);
		}

		@Override
		public long fromUuid(UUID uuid) {
			return uuid.getLeastSignificantBits();
		}

		@Override
		public String format(long id) {
			throw new UnsupportedOperationException();
		}

		@Override
		public long parse(String text) {
			throw new UnsupportedOperationException();
		}

		@Override
		public IdDescription describe(long id) {
			throw new UnsupportedOperationException();
		}

	}

}
