package dev.idspring.annotation;

import org.junit.jupiter.params.provider.CsvSource;
import jakarta.persistence.OneToOne;
import jakarta.persistence.MapsId;
import jakarta.persistence.Transient;
import jakarta.persistence.ElementCollection;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsHibernateAutoConfiguration;
import dev.idspring.testsupport.RequiresSpringBoot;
import jakarta.persistence.Access;
import jakarta.persistence.AccessType;
import jakarta.persistence.AttributeOverride;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityExistsException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GeneratedId} on all kinds of properties of JPA entities. The first
 * generator that a test names starts at 1000, the second one at 2000, and so on. The
 * default generator starts at 1. An id thus shows which generator issued it.
 */
class GeneratedIdTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
				IdsAutoConfiguration.class, IdsHibernateAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true", "spring.jpa.hibernate.ddl-auto=create-drop",
				"spring.jpa.properties.hibernate.generate_statistics=true", "ids.store=memory",
				"ids.strategy=sequential");

	@Test
	void fillsNumbersAndStrings() {
		run(Stream.of(Wrapped.class, Primitive.class, Text.class), List.of(), (context) -> {
			Wrapped wrapped = persist(context, new Wrapped());
			assertThat(wrapped.id).isEqualTo(1);
			assertThat(wrapped.code).isEqualTo("2");
			Primitive primitive = persist(context, new Primitive());
			assertThat(primitive.id).isEqualTo(3);
			assertThat(primitive.number).isEqualTo(4);
			assertThat(persist(context, new Text()).id).isEqualTo("5");
			assertThat(find(context, Wrapped.class, 1L).code).isEqualTo("2");
			assertThat(find(context, Primitive.class, 3L).number).isEqualTo(4);
			assertThat(find(context, Text.class, "5")).isNotNull();
		});
	}

	@Test
	void persistSetsTheIdAndFlushSetsOtherColumns() {
		run(Stream.of(Wrapped.class), List.of(),
				(context) -> context.getBean(EntityManagerFactory.class).runInTransaction((entities) -> {
					Wrapped entity = new Wrapped();
					entities.persist(entity);
					assertThat(entity.id).isEqualTo(1);
					assertThat(entity.code).isNull();
					entities.flush();
					assertThat(entity.code).isEqualTo("2");
				}));
	}

	@Test
	void usesTheNamedGenerator() {
		run(Stream.of(Named.class), List.of("named", "other"), (context) -> {
			Named entity = persist(context, new Named());
			assertThat(entity.id).isEqualTo(2000);
			assertThat(entity.code).isEqualTo(1);
		});
	}

	@Test
	void annotationWithoutANameUsesTheDefaultGeneratorForAnyTable() {
		run(Stream.of(Wrapped.class, Text.class, Joined.class, JoinedSub.class, PerClass.class, PerClassSub.class,
				InheritedId.class, TwoTables.class),
				List.of("wrapped", "texts", "joined", "joined-sub", "per-class-sub", "inherited-id", "two-tables",
						"second-table"),
				(context) -> {
					assertThat(persist(context, new Wrapped()).id).isEqualTo(1);
					assertThat(persist(context, new Text()).id).isEqualTo("3");
					JoinedSub joined = persist(context, new JoinedSub());
					assertThat(List.of(joined.id, joined.rootNumber, joined.subNumber)).containsExactlyInAnyOrder(4L,
							5L, 6L);
					PerClassSub perClass = persist(context, new PerClassSub());
					assertThat(List.of(perClass.id, perClass.rootNumber, perClass.subNumber))
						.containsExactlyInAnyOrder(7L, 8L, 9L);
					InheritedId mapped = persist(context, new InheritedId());
					assertThat(List.of(mapped.id, mapped.number)).containsExactly(10L, 11L);
					TwoTables twoTables = persist(context, new TwoTables());
					assertThat(List.of(twoTables.id, twoTables.number)).containsExactly(12L, 13L);
				});
	}

	@Test
	void resolvesTheTypeVariableOfAnId() {
		run(Stream.of(GenericText.class), List.of(),
				(context) -> assertThat(persist(context, new GenericText()).id).isEqualTo("1"));
	}

	@Test
	void fillsPropertiesWithAnnotatedGetters() {
		run(Stream.of(ByGetter.class), List.of(), (context) -> {
			ByGetter entity = persist(context, new ByGetter());
			assertThat(entity.getId()).isEqualTo(1);
			assertThat(entity.getCode()).isEqualTo("2");
		});
	}

	@Test
	void partOfAnEmbeddedIdIsFilled() {
		run(Stream.of(WithEmbeddedId.class), List.of(), (context) -> {
			WithEmbeddedId entity = new WithEmbeddedId();
			entity.id.tenant = "t";
			assertThat(persist(context, entity).id.number).isEqualTo(1);
			assertThat(find(context, WithEmbeddedId.class, entity.id)).isNotNull();
		});
	}

	@Test
	void partOfAnIdClassIsFilled() {
		run(Stream.of(WithIdClass.class), List.of(), (context) -> {
			WithIdClass entity = new WithIdClass();
			entity.tenant = "t";
			assertThat(persist(context, entity).number).isEqualTo(1);
		});
	}

	@Test
	void onlyPartOfAnIdClassIsFilled() {
		run(Stream.of(WithSmallIdClass.class), List.of(),
				(context) -> assertThat(persist(context, new WithSmallIdClass()).number).isEqualTo(1));
	}

	@Test
	void columnOfAnEmbeddableIsFilled() {
		run(Stream.of(WithEmbedded.class), List.of(), (context) -> {
			WithEmbedded entity = persist(context, new WithEmbedded());
			assertThat(entity.id).isEqualTo(1);
			assertThat(entity.codes.code).isEqualTo("2");
			assertThat(find(context, WithEmbedded.class, 1L).codes.code).isEqualTo("2");
		});
	}

	@Test
	@RequiresSpringBoot(version = "4.0", because = "Hibernate 6 reports the whole embeddable for an inherited property")
	void inheritedColumnOfAnEmbeddableIsFilled() {
		run(Stream.of(WithInheritedPart.class), List.of(), (context) -> {
			WithInheritedPart entity = persist(context, new WithInheritedPart());
			assertThat(entity.part.getNumber()).isEqualTo(2);
			assertThat(find(context, WithInheritedPart.class, 1L).part.getNumber()).isEqualTo(2);
		});
	}

	@Test
	void assignedIdIsUsedWhenTheVersionIsNull() {
		run(Stream.of(Versioned.class, VersionedPrimitive.class), List.of(), (context) -> {
			Versioned persisted = new Versioned();
			persisted.id = 77L;
			assertThat(statementCount(context, (entities) -> entities.persist(persisted))).isEqualTo(1);
			assertThat(find(context, Versioned.class, 77L).version).isZero();
			Versioned merged = new Versioned();
			merged.id = 78L;
			assertThat(statementCount(context, (entities) -> entities.merge(merged))).isEqualTo(1);
			assertThat(find(context, Versioned.class, 78L).version).isZero();
			VersionedPrimitive primitive = new VersionedPrimitive();
			primitive.id = 79;
			assertThat(statementCount(context, (entities) -> entities.persist(primitive))).isEqualTo(1);
			assertThat(find(context, VersionedPrimitive.class, 79L).version).isZero();
			assertThat(persist(context, new Versioned()).id).as("no id was consumed").isEqualTo(1);
		});
	}

	@Test
	void entityWithAnAssignedIdIsNewOnlyIfItsVersionIsNull() {
		run(Stream.of(Wrapped.class, PrimitiveVersion.class), List.of(), (context) -> {
			EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
			Wrapped wrapped = new Wrapped();
			wrapped.id = 77L;
			PrimitiveVersion versioned = new PrimitiveVersion();
			versioned.id = 77L;
			for (Object entity : new Object[] { wrapped, versioned }) {
				assertThatExceptionOfType(EntityExistsException.class).isThrownBy(() -> persist(context, entity));
				assertThatExceptionOfType(OptimisticLockException.class)
					.isThrownBy(() -> factory.runInTransaction((entities) -> entities.merge(entity)));
			}
		});
	}

	@Test
	void assignedValuesOfOtherColumnsAndPartsOfIdsAreUsed() {
		run(Stream.of(Wrapped.class, Primitive.class, WithEmbeddedId.class), List.of(), (context) -> {
			Wrapped wrapped = new Wrapped();
			wrapped.code = "given";
			persist(context, wrapped);
			assertThat(find(context, Wrapped.class, 1L).code).isEqualTo("given");
			Primitive primitive = new Primitive();
			primitive.number = 79;
			persist(context, primitive);
			assertThat(find(context, Primitive.class, 2L).number).isEqualTo(79);
			WithEmbeddedId embedded = new WithEmbeddedId();
			embedded.id.tenant = "t";
			embedded.id.number = 80L;
			persist(context, embedded);
			assertThat(find(context, WithEmbeddedId.class, embedded.id).id.number).isEqualTo(80);
		});
	}

	@Test
	void newEntitiesAreNotSelected() {
		run(Stream.of(Wrapped.class, Primitive.class, Text.class, Versioned.class, VersionedPrimitive.class,
				PrimitiveVersion.class), List.of(), (context) -> {
					List<Supplier<Object>> constructors = List.of(Wrapped::new, Primitive::new, Text::new,
							Versioned::new, VersionedPrimitive::new, PrimitiveVersion::new);
					for (Supplier<Object> constructor : constructors) {
						assertThat(statementCount(context, (entities) -> entities.persist(constructor.get())))
							.as(() -> "persist " + constructor.get())
							.isEqualTo(1);
						assertThat(statementCount(context, (entities) -> entities.merge(constructor.get())))
							.as(() -> "merge " + constructor.get())
							.isEqualTo(1);
					}
				});
	}

	@Test
	void referencedDetachedEntitiesAreNotSelected() {
		run(Stream.of(Wrapped.class, Primitive.class, Versioned.class, Referring.class), List.of(), (context) -> {
			Referring entity = new Referring();
			entity.wrapped = persist(context, new Wrapped());
			entity.primitive = persist(context, new Primitive());
			entity.versioned = persist(context, new Versioned());
			assertThat(statementCount(context, (entities) -> entities.persist(entity))).isEqualTo(1);
		});
	}

	@Test
	void deletedRowIsNotInsertedAgain() {
		run(Stream.of(Wrapped.class, Versioned.class), List.of(), (context) -> {
			EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
			Wrapped wrapped = persist(context, new Wrapped());
			Versioned versioned = persist(context, new Versioned());
			factory.runInTransaction((entities) -> {
				entities.remove(entities.find(Wrapped.class, wrapped.id));
				entities.remove(entities.find(Versioned.class, versioned.id));
			});
			for (Object entity : new Object[] { wrapped, versioned }) {
				assertThatExceptionOfType(OptimisticLockException.class)
					.isThrownBy(() -> factory.runInTransaction((entities) -> entities.merge(entity)));
			}
		});
	}

	@Test
	void detachedEntityIsNotPersisted() {
		run(Stream.of(Wrapped.class, Versioned.class), List.of(), (context) -> {
			for (Object entity : new Object[] { new Wrapped(), new Versioned() }) {
				persist(context, entity);
				assertThatExceptionOfType(EntityExistsException.class).isThrownBy(() -> persist(context, entity));
			}
		});
	}

	@Test
	void statelessSessionFillsPropertiesOnInsert() {
		run(Stream.of(Wrapped.class), List.of(),
				(context) -> context.getBean(EntityManagerFactory.class)
					.unwrap(SessionFactory.class)
					.inStatelessTransaction((session) -> {
						Wrapped entity = new Wrapped();
						session.insert(entity);
						assertThat(entity.id).isPositive();
						assertThat(entity.code).isNotNull();
						assertThat(session.get(Wrapped.class, entity.id).code).isEqualTo(entity.code);
					}));
	}

	@Test
	@RequiresSpringBoot(version = "4.0", because = "Hibernate 6 writes a changed value")
	void updateNeitherChangesNorDrawsIds() {
		run(Stream.of(Wrapped.class), List.of(), (context) -> {
			EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
			persist(context, new Wrapped());
			factory.runInTransaction((entities) -> entities.find(Wrapped.class, 1L).name = "changed");
			factory.runInTransaction((entities) -> entities.find(Wrapped.class, 1L).code = "changed");
			Wrapped updated = find(context, Wrapped.class, 1L);
			assertThat(updated.name).isEqualTo("changed");
			assertThat(updated.code).isEqualTo("2");
			assertThat(context.getBean(IdGenerators.class).get("default").nextLong()).isEqualTo(3);
		});
	}

	@Test
	void doesNotUseZeroAsAnId() {
		run(this.runner.withPropertyValues("ids.sequential.start=0"), Stream.of(Wrapped.class), List.of(),
				(context) -> assertThat(persist(context, new Wrapped()).id).isEqualTo(1));
	}

	@Test
	void propertiesOfUnsupportedTypesAreRejected() {
		assertStartupFails(WrongId.class, WrongId.class.getName() + ".id is annotated with", "type short;",
				"long, Long, int, Integer, String or UUID");
		assertStartupFails(WrongColumn.class, WrongColumn.class.getName() + ".code is annotated with",
				"type java.lang.Double;", "long, Long, int, Integer, String or UUID");
	}

	@ParameterizedTest
	@ValueSource(classes = { UnknownOfId.class, UnknownOfColumn.class })
	void unknownGeneratorsAreRejected(Class<?> entity) {
		String property = (entity == UnknownOfId.class) ? ".id" : ".code";
		assertStartupFails(entity, entity.getName() + property, "@GeneratedId(\"nope\")", "known: default, known");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"OnRelation | .other is annotated with @GeneratedId but is an embeddable, a relation or a collection",
			"OnCollection | .codes is annotated with @GeneratedId but is an embeddable, a relation or",
			"OnVersion | .version is annotated with @GeneratedId but is also annotated with @Version",
			"OnGeneratedValue | .id is annotated with @GeneratedId and with @GeneratedValue",
			"NotInsertable | .code is annotated with @GeneratedId but its column is not insertable",
			"NotInsertableBesideTypedId | .code is annotated with @GeneratedId but its column is not insertable",
			"NotInsertableBesideIdClass | .code is annotated with @GeneratedId but its column is not insertable",
			"OnComposedKey | .id is annotated with @GeneratedId, but the persistence library does not read",
			"OnComposed | .code is annotated with @GeneratedId, but the persistence library does not read",
			"OnGetterOnly | .id is annotated with @GeneratedId, but the persistence library does not read",
			"OnTransient | .code is annotated with @GeneratedId, but the persistence library does not read",
			"OnStatic | .code is annotated with @GeneratedId, but the persistence library does not read" })
	void annotationsOnPropertiesThatCannotStoreIdsAreRejected(String entity, String message) throws Exception {
		Class<?> type = Class.forName(getClass().getName() + "$" + entity);
		assertStartupFails(type, type.getName() + message);
	}

	@Test
	@RequiresSpringBoot(version = "4.0", because = "Hibernate 6 does not initialize the generators of these properties")
	void annotationsOnKeyPartsThatCannotStoreIdsAreRejected() {
		assertStartupFails(OnEmbeddedId.class, OnEmbeddedId.class.getName()
				+ ".id is annotated with @GeneratedId but is an embeddable, a relation or a collection");
		assertStartupFails(OnPartWithGeneratedValue.class, OnPartWithGeneratedValue.class.getName()
				+ ".number is annotated with @GeneratedId and with @GeneratedValue");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "WithNotInsertable | NotInsertablePart | but its column is not insertable",
			"WithOverriddenColumn | Codes | but its column is not insertable",
			"WithGetterPart | GetterPart | , but the persistence library does not read the annotation there",
			"WithComposedPart | ComposedPart | , but the persistence library does not read the annotation there",
			"WithNestedPart | Codes | , but the persistence library does not read the annotation there",
			"WithElements | Codes | , but the persistence library does not read the annotation there" })
	@RequiresSpringBoot(version = "4.0", because = "Hibernate 6 reports no columns of embeddables")
	void annotationsOnEmbeddedPropertiesThatCannotStoreIdsAreRejected(String entity, String embeddable, String message)
			throws Exception {
		assertStartupFails(Class.forName(getClass().getName() + "$" + entity), getClass().getName() + "$" + embeddable
				+ ".code is annotated with @GeneratedId" + (message.startsWith(",") ? "" : " ") + message);
	}

	@Test
	@RequiresSpringBoot(version = "4.0", because = "Hibernate 6 reports no columns of key parts")
	void partsOfAKeyNeedNoInsertableColumn() {
		run(Stream.of(NotInsertableKeyPart.class), List.of(), (context) -> {
			NotInsertableKeyPart entity = new NotInsertableKeyPart();
			entity.tenant = "t";
			assertThat(persist(context, entity).number).isEqualTo(1);
			IdClassKey key = new IdClassKey();
			key.tenant = "t";
			key.number = 1L;
			assertThat(find(context, NotInsertableKeyPart.class, key)).isNotNull();
		});
	}

	@Test
	void fillsEmbeddablesWithAnnotatedGetters() {
		run(Stream.of(WithGetters.class), List.of(), (context) -> {
			WithGetters entity = new WithGetters();
			entity.setPart(new GetterPart());
			assertThat(persist(context, entity).getPart().getCode()).isEqualTo("2");
			assertThat(find(context, WithGetters.class, 1L).getPart().getCode()).isEqualTo("2");
		});
	}

	@Test
	void idDeterminedByARelationIsRejected() {
		assertStartupFails(Stream.of(Derived.class, Wrapped.class), Derived.class.getName()
				+ ".id is annotated with @GeneratedId, but the persistence library does not read");
	}

	@Test
	void componentOfARecordIsRejected() {
		assertStartupFails(WithRecord.class,
				Part.class.getName() + ".code is annotated with @GeneratedId but is a component"
						+ " of a record, which Hibernate cannot change");
	}

	private void assertStartupFails(Class<?> entity, String... message) {
		assertStartupFails(Stream.of(entity), message);
	}

	private void assertStartupFails(Stream<Class<?>> entities, String... message) {
		run(entities, List.of("known"), (context) -> {
			assertThat(context).hasFailed();
			Throwable cause = context.getStartupFailure();
			while (!(cause instanceof IdSetupException)) {
				cause = cause.getCause();
				assertThat(cause).as("has an IdSetupException as a cause").isNotNull();
			}
			assertThat(cause).hasMessageContainingAll(message);
		});
	}

	private void run(Stream<Class<?>> entities, List<String> generators,
			ContextConsumer<AssertableApplicationContext> test) {
		run(this.runner, entities, generators, test);
	}

	private void run(ApplicationContextRunner runner, Stream<Class<?>> entities, List<String> generators,
			ContextConsumer<AssertableApplicationContext> test) {
		List<String> properties = new ArrayList<>();
		for (int i = 0; i < generators.size(); i++) {
			properties.add("ids.generators." + generators.get(i) + ".sequential.start=" + 1000 * (i + 1));
		}
		String[] names = entities.map(Class::getName).toArray(String[]::new);
		runner.withPropertyValues(properties.toArray(String[]::new))
			.withBean(PersistenceManagedTypes.class, () -> PersistenceManagedTypes.of(names))
			.run(test);
	}

	/**
	 * Return the number of statements that a transaction executes.
	 */
	private static long statementCount(AssertableApplicationContext context, Consumer<EntityManager> work) {
		EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
		Statistics statistics = factory.unwrap(SessionFactory.class).getStatistics();
		statistics.clear();
		factory.runInTransaction((entities) -> work.accept(entities));
		return statistics.getPrepareStatementCount();
	}

	private static <T> T persist(AssertableApplicationContext context, T entity) {
		context.getBean(EntityManagerFactory.class).runInTransaction((entities) -> entities.persist(entity));
		return entity;
	}

	private static <T> T find(AssertableApplicationContext context, Class<T> type, Object id) {
		return context.getBean(EntityManagerFactory.class).callInTransaction((entities) -> entities.find(type, id));
	}

	@Entity(name = "Wrapped")
	static class Wrapped {

		@Id
		@GeneratedId
		Long id;

		@GeneratedId
		String code;

		String name;

	}

	@Entity(name = "Versioned")
	static class Versioned {

		@Id
		@GeneratedId
		Long id;

		@Version
		Integer version;

	}

	@Entity(name = "VersionedPrimitive")
	static class VersionedPrimitive {

		@Id
		@GeneratedId
		long id;

		@Version
		Integer version;

	}

	@Entity(name = "PrimitiveVersion")
	static class PrimitiveVersion {

		@Id
		@GeneratedId
		Long id;

		@Version
		int version;

	}

	@Entity(name = "Referring")
	static class Referring {

		@Id
		@GeneratedId
		Long id;

		@ManyToOne
		Wrapped wrapped;

		@ManyToOne
		Primitive primitive;

		@ManyToOne
		Versioned versioned;

	}

	@Entity(name = "Primitive")
	static class Primitive {

		@Id
		@GeneratedId
		long id;

		@GeneratedId
		long number;

	}

	@Entity(name = "Text")
	@Table(name = "texts")
	static class Text {

		@Id
		@GeneratedId
		String id;

	}

	@Entity(name = "Named")
	static class Named {

		@Id
		@GeneratedId("other")
		Long id;

		@GeneratedId("default")
		Long code;

	}

	@Entity(name = "Joined")
	@Inheritance(strategy = InheritanceType.JOINED)
	static class Joined {

		@Id
		@GeneratedId
		Long id;

		@GeneratedId
		Long rootNumber;

	}

	@Entity(name = "JoinedSub")
	static class JoinedSub extends Joined {

		@GeneratedId
		Long subNumber;

	}

	@Entity(name = "PerClass")
	@Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
	abstract static class PerClass {

		@Id
		@GeneratedId
		Long id;

		@GeneratedId
		Long rootNumber;

	}

	@Entity(name = "PerClassSub")
	static class PerClassSub extends PerClass {

		@GeneratedId
		Long subNumber;

	}

	@MappedSuperclass
	abstract static class Mapped {

		@Id
		@GeneratedId
		Long id;

		@GeneratedId
		Long number;

	}

	@Entity(name = "InheritedId")
	static class InheritedId extends Mapped {

	}

	@Entity(name = "TwoTables")
	@SecondaryTable(name = "second_table")
	static class TwoTables {

		@Id
		@GeneratedId
		Long id;

		@GeneratedId
		@Column(table = "second_table")
		Long number;

	}

	@MappedSuperclass
	abstract static class Generic<T> {

		@Id
		@GeneratedId
		T id;

	}

	@Entity(name = "GenericText")
	static class GenericText extends Generic<String> {

	}

	@Entity(name = "ByGetter")
	static class ByGetter {

		private long id;

		private String code;

		@Id
		@GeneratedId
		long getId() {
			return this.id;
		}

		void setId(long id) {
			this.id = id;
		}

		@GeneratedId
		String getCode() {
			return this.code;
		}

		void setCode(String code) {
			this.code = code;
		}

	}

	@Embeddable
	static class TenantKey {

		String tenant;

		@GeneratedId
		Long number;

		@Override
		public boolean equals(Object other) {
			return other instanceof TenantKey key && this.tenant.equals(key.tenant) && this.number.equals(key.number);
		}

		@Override
		public int hashCode() {
			return Arrays.asList(this.tenant, this.number).hashCode();
		}

	}

	@Entity(name = "WithEmbeddedId")
	static class WithEmbeddedId {

		@EmbeddedId
		TenantKey id = new TenantKey();

	}

	static class IdClassKey {

		String tenant;

		Long number;

		@Override
		public boolean equals(Object other) {
			return other instanceof IdClassKey key && this.tenant.equals(key.tenant) && this.number.equals(key.number);
		}

		@Override
		public int hashCode() {
			return Arrays.asList(this.tenant, this.number).hashCode();
		}

	}

	static class SmallIdClassKey {

		Long number;

		@Override
		public boolean equals(Object other) {
			return other instanceof SmallIdClassKey key && this.number.equals(key.number);
		}

		@Override
		public int hashCode() {
			return this.number.hashCode();
		}

	}

	@Entity(name = "WithSmallIdClass")
	@IdClass(SmallIdClassKey.class)
	static class WithSmallIdClass {

		@Id
		@GeneratedId
		Long number;

	}

	@Entity(name = "WithIdClass")
	@IdClass(IdClassKey.class)
	static class WithIdClass {

		@Id
		String tenant;

		@Id
		@GeneratedId
		Long number;

	}

	@Embeddable
	static class Codes {

		@GeneratedId
		String code;

	}

	@Entity(name = "WithEmbedded")
	static class WithEmbedded {

		@Id
		@GeneratedId
		Long id;

		@Embedded
		Codes codes = new Codes();

	}

	@MappedSuperclass
	@Access(AccessType.PROPERTY)
	abstract static class InheritedPart {

		private Long number;

		@GeneratedId
		Long getNumber() {
			return this.number;
		}

		void setNumber(Long number) {
			this.number = number;
		}

	}

	@Embeddable
	static class InheritingPart extends InheritedPart {

		String text = "text";

	}

	@Entity(name = "WithInheritedPart")
	static class WithInheritedPart {

		@Id
		@GeneratedId
		Long id;

		@Embedded
		InheritingPart part = new InheritingPart();

	}

	@Entity(name = "OnEmbeddedId")
	static class OnEmbeddedId {

		@EmbeddedId
		@GeneratedId
		TenantKey id = new TenantKey();

	}

	@Entity(name = "OnRelation")
	static class OnRelation {

		@Id
		@GeneratedId
		Long id;

		@ManyToOne
		@GeneratedId
		OnRelation other;

	}

	@Entity(name = "OnCollection")
	static class OnCollection {

		@Id
		@GeneratedId
		Long id;

		@ElementCollection
		@GeneratedId
		List<Long> codes = new ArrayList<>();

	}

	@Entity(name = "OnGeneratedValue")
	static class OnGeneratedValue {

		@Id
		@GeneratedId
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		Long id;

	}

	@Entity(name = "OnPartWithGeneratedValue")
	@IdClass(IdClassKey.class)
	static class OnPartWithGeneratedValue {

		@Id
		String tenant;

		@Id
		@GeneratedId
		@GeneratedValue
		Long number;

	}

	@Entity(name = "OnVersion")
	static class OnVersion {

		@Id
		@GeneratedId
		Long id;

		@Version
		@GeneratedId
		Long version;

	}

	@Entity(name = "NotInsertable")
	static class NotInsertable {

		@Id
		@GeneratedId
		Long id;

		@GeneratedId
		@Column(insertable = false)
		Long code;

	}

	@Entity(name = "NotInsertableBesideTypedId")
	static class NotInsertableBesideTypedId {

		@EmbeddedId
		TypedId id;

		@GeneratedId
		@Column(insertable = false)
		Long code;

	}

	record TypedId(long number) {
	}

	@Entity(name = "NotInsertableBesideIdClass")
	@IdClass(IdClassKey.class)
	static class NotInsertableBesideIdClass {

		@Id
		String tenant;

		@Id
		Long number;

		@GeneratedId
		@Column(insertable = false)
		Long code;

	}

	@Entity(name = "NotInsertableKeyPart")
	@IdClass(IdClassKey.class)
	static class NotInsertableKeyPart {

		@Id
		String tenant;

		@Id
		@GeneratedId
		@Column(insertable = false)
		Long number;

	}

	@Embeddable
	static class NotInsertablePart {

		@GeneratedId
		@Column(insertable = false)
		String code;

	}

	@Entity(name = "WithNotInsertable")
	static class WithNotInsertable {

		@Id
		@GeneratedId
		Long id;

		@Embedded
		NotInsertablePart part;

	}

	@Entity(name = "WithOverriddenColumn")
	static class WithOverriddenColumn {

		@Id
		@GeneratedId
		Long id;

		@Embedded
		@AttributeOverride(name = "code", column = @Column(insertable = false))
		Codes codes;

	}

	@GeneratedId
	@Retention(RetentionPolicy.RUNTIME)
	@interface Composed {

	}

	@Entity(name = "OnComposedKey")
	static class OnComposedKey {

		@Id
		@Composed
		Long id;

	}

	@Entity(name = "OnComposed")
	static class OnComposed {

		@Id
		@GeneratedId
		Long id;

		@Composed
		String code;

	}

	@Embeddable
	static class ComposedPart {

		@Composed
		String code;

	}

	@Entity(name = "WithComposedPart")
	static class WithComposedPart {

		@Id
		@GeneratedId
		Long id;

		@Embedded
		ComposedPart part;

	}

	@Embeddable
	static class GetterPart {

		private String code;

		@GeneratedId
		String getCode() {
			return this.code;
		}

		void setCode(String code) {
			this.code = code;
		}

	}

	@Entity(name = "WithGetterPart")
	static class WithGetterPart {

		@Id
		@GeneratedId
		Long id;

		@Embedded
		GetterPart part;

	}

	@Entity(name = "WithGetters")
	static class WithGetters {

		private Long id;

		private GetterPart part;

		@Id
		@GeneratedId
		Long getId() {
			return this.id;
		}

		void setId(Long id) {
			this.id = id;
		}

		@Embedded
		GetterPart getPart() {
			return this.part;
		}

		void setPart(GetterPart part) {
			this.part = part;
		}

	}

	@Embeddable
	static class Outer {

		@Embedded
		Codes codes;

	}

	@Entity(name = "WithNestedPart")
	static class WithNestedPart {

		@Id
		@GeneratedId
		Long id;

		@Embedded
		Outer outer;

	}

	@Entity(name = "WithElements")
	static class WithElements {

		@Id
		@GeneratedId
		Long id;

		@ElementCollection
		List<Codes> codes = new ArrayList<>();

	}

	@Entity(name = "OnGetterOnly")
	static class OnGetterOnly {

		@Id
		private Long id;

		@GeneratedId
		Long getId() {
			return this.id;
		}

	}

	@Entity(name = "OnTransient")
	static class OnTransient {

		@Id
		@GeneratedId
		Long id;

		@Transient
		@GeneratedId
		Long code;

	}

	@Entity(name = "OnStatic")
	static class OnStatic {

		@GeneratedId
		static Long code;

		@Id
		Long id;

	}

	@Entity(name = "Derived")
	static class Derived {

		@Id
		@GeneratedId
		Long id;

		@MapsId
		@OneToOne
		Wrapped other;

	}

	@Embeddable
	record Part(@GeneratedId String code, String name) {
	}

	@Entity(name = "WithRecord")
	static class WithRecord {

		@Id
		@GeneratedId
		Long id;

		@Embedded
		Part part;

	}

	@Entity(name = "WrongId")
	static class WrongId {

		@Id
		@GeneratedId
		short id;

	}

	@Entity(name = "WrongColumn")
	static class WrongColumn {

		@Id
		@GeneratedId
		Long id;

		@GeneratedId
		Double code;

	}

	@Entity(name = "UnknownOfId")
	static class UnknownOfId {

		@Id
		@GeneratedId("nope")
		Long id;

	}

	@Entity(name = "UnknownOfColumn")
	static class UnknownOfColumn {

		@Id
		@GeneratedId
		Long id;

		@GeneratedId("nope")
		String code;

	}

}
