package dev.idspring.annotation;

import java.util.List;
import java.util.stream.Stream;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.SecondaryTable;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@link GeneratedId} fills the ids and other columns of JPA entities, and
 * which generator fills them.
 */
class GeneratedIdTests extends AbstractGeneratedIdTests {

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
	void doesNotUseZeroAsAnId() {
		run(this.runner.withPropertyValues("ids.sequential.start=0"), Stream.of(Wrapped.class), List.of(),
				(context) -> assertThat(persist(context, new Wrapped()).id).isEqualTo(1));
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

}
