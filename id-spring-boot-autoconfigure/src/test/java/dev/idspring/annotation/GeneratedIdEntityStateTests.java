package dev.idspring.annotation;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.idspring.IdGenerators;
import dev.idspring.testsupport.RequiresSpringBoot;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityExistsException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.Version;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that JPA entities with a {@link GeneratedId} are inserted without a query if they
 * are new, keep the values that the application has set, and are not inserted again if
 * they are detached or deleted.
 */
class GeneratedIdEntityStateTests extends AbstractGeneratedIdTests {

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

}
