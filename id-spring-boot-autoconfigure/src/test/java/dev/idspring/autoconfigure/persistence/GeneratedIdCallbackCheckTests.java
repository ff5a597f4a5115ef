package dev.idspring.autoconfigure.persistence;

import java.util.List;

import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.GeneratedValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.ReadOnlyProperty;
import org.springframework.data.annotation.Transient;
import org.springframework.data.annotation.Version;
import org.springframework.data.relational.core.mapping.Sequence;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that {@link GeneratedIdCallback} rejects entities whose ids it cannot generate or
 * set, and annotations that conflict with {@code @GeneratedId} or make it ineffective.
 */
class GeneratedIdCallbackCheckTests extends AbstractGeneratedIdCallbackTests {

	@Test
	void checkFailsForAnUnsupportedType() {
		this.context.getRequiredPersistentEntity(WrongType.class);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(this.callback::check)
			.withMessageContaining(WrongType.class.getName() + ".id")
			.withMessageContaining("type short");
	}

	@Test
	void checkFailsForAnUnknownGenerator() {
		this.context.getRequiredPersistentEntity(WithUnknownGenerator.class);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(this.callback::check)
			.withMessageContaining(WithUnknownGenerator.class.getName() + ".id")
			.withMessageContaining("\"absent\"")
			.withMessageContaining("known: default, codes");
	}

	@Test
	void checkFailsForAnUnknownGeneratorOfAChild() {
		this.context.getRequiredPersistentEntity(ParentOfUnknownGenerator.class);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(this.callback::check)
			.withMessageContaining(ChildWithUnknownGenerator.class.getName() + ".code");
	}

	@Test
	void checkFailsForAnIdThatCannotBeSet() {
		this.context.getRequiredPersistentEntity(Unsettable.class);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(this.callback::check)
			.withMessageContaining(Unsettable.class.getName() + ".id")
			.withMessageContaining("withId(…)");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"OnVersionProperty | .version is annotated with @GeneratedId but is also annotated with @Version",
			"WithGeneratedValue | .id is annotated with @GeneratedId and with @GeneratedValue",
			"WithGeneratedValueOnGetter | .id is annotated with @GeneratedId and with @GeneratedValue",
			"WithSequence | .id is annotated with @GeneratedId and with @Sequence",
			"OnReadOnlyProperty | .code is annotated with @GeneratedId but is also annotated with @ReadOnlyProperty",
			"OnTransientProperty | .code is annotated with @GeneratedId, but the persistence library does not read the annotation",
			"OnStaticField | .code is annotated with @GeneratedId, but the persistence library does not read the annotation" })
	void checkFailsForAConflictingOrIneffectiveAnnotation(String type, String message) throws Exception {
		Class<?> entity = Class.forName(getClass().getName() + "$" + type);
		this.context.getRequiredPersistentEntity(entity);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(this.callback::check)
			.withMessageContaining(entity.getName() + message);
	}

	@Test
	void saveFailsForAnUnknownGenerator() {
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> convert(new WithUnknownGenerator()));
	}

	record WithGeneratedValue(@Id @GeneratedId @GeneratedValue Long id) {

	}

	static class WithGeneratedValueOnGetter {

		@Id
		@GeneratedId
		private Long id;

		@GeneratedValue
		public Long getId() {
			return this.id;
		}

		public void setId(Long id) {
			this.id = id;
		}

	}

	record WithSequence(@Id @GeneratedId @Sequence("codes") Long id) {

	}

	static class WrongType {

		@Id
		@GeneratedId
		short id;

	}

	static class WithUnknownGenerator {

		@Id
		@GeneratedId("absent")
		@Nullable Long id;

	}

	static class ParentOfUnknownGenerator {

		@Id
		@Nullable Long id;

		List<ChildWithUnknownGenerator> children = List.of();

	}

	static class ChildWithUnknownGenerator {

		@GeneratedId("absent")
		@Nullable String code;

	}

	static class OnVersionProperty {

		@Id
		@GeneratedId
		Long id;

		@Version
		@GeneratedId
		Long version;

	}

	static class OnReadOnlyProperty {

		@Id
		@GeneratedId
		Long id;

		@ReadOnlyProperty
		@GeneratedId
		Long code;

	}

	static class OnTransientProperty {

		@Id
		@GeneratedId
		Long id;

		@Transient
		@GeneratedId
		Long code;

	}

	static class OnStaticField {

		@GeneratedId
		static Long code;

		@Id
		@GeneratedId
		Long id;

	}

	static class Unsettable {

		@Id
		@GeneratedId
		final Long id = null;

	}

}
