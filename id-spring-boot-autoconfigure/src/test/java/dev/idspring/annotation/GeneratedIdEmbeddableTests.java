package dev.idspring.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.testsupport.RequiresSpringBoot;
import jakarta.persistence.Access;
import jakarta.persistence.AccessType;
import jakarta.persistence.AttributeOverride;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GeneratedId} on the properties of embeddables of JPA entities.
 */
class GeneratedIdEmbeddableTests extends AbstractGeneratedIdTests {

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
	void fillsEmbeddablesWithAnnotatedGetters() {
		run(Stream.of(WithGetters.class), List.of(), (context) -> {
			WithGetters entity = new WithGetters();
			entity.setPart(new GetterPart());
			assertThat(persist(context, entity).getPart().getCode()).isEqualTo("2");
			assertThat(find(context, WithGetters.class, 1L).getPart().getCode()).isEqualTo("2");
		});
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
	void componentOfARecordIsRejected() {
		assertStartupFails(WithRecord.class,
				Part.class.getName() + ".code is annotated with @GeneratedId but is a component"
						+ " of a record, which Hibernate cannot change");
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

	@Entity(name = "WithGetterPart")
	static class WithGetterPart {

		@Id
		@GeneratedId
		Long id;

		@Embedded
		GetterPart part;

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

}
