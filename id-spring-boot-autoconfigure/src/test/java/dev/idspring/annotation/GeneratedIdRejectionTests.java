package dev.idspring.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import jakarta.persistence.Transient;
import jakarta.persistence.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that startup fails if a property of a JPA entity cannot store the ids of its
 * {@link GeneratedId} or if no generator has the name in the annotation.
 */
class GeneratedIdRejectionTests extends AbstractGeneratedIdTests {

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
	void idDeterminedByARelationIsRejected() {
		assertStartupFails(Stream.of(Derived.class, Wrapped.class), Derived.class.getName()
				+ ".id is annotated with @GeneratedId, but the persistence library does not read");
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

	@Entity(name = "OnVersion")
	static class OnVersion {

		@Id
		@GeneratedId
		Long id;

		@Version
		@GeneratedId
		Long version;

	}

	@Entity(name = "OnGeneratedValue")
	static class OnGeneratedValue {

		@Id
		@GeneratedId
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		Long id;

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

}
