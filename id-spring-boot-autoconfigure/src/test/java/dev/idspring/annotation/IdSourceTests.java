package dev.idspring.annotation;

import java.util.List;
import java.util.UUID;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedIds.IdProperty;
import dev.idspring.annotation.GeneratedIds.IdSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link IdSource}.
 */
class IdSourceTests {

	private final IdGenerator generator = mock(IdGenerator.class);

	private final IdGenerators generators = mock(IdGenerators.class);

	@BeforeEach
	void setUpGenerators() {
		given(this.generators.get("default")).willReturn(this.generator);
		given(this.generators.get("absent")).willThrow(new IllegalArgumentException("known: [default]"));
	}

	private IdSource source(Class<?> type) {
		return new GeneratedIds(() -> this.generators, (generator, property) -> {
		}).add(annotation("unnamed"), property(type), null);
	}

	private static IdProperty property(Class<?> type) {
		return new IdProperty("Order.id", type, false, null, List.of());
	}

	private static GeneratedId annotation(String field) {
		try {
			return Annotated.class.getDeclaredField(field).getAnnotation(GeneratedId.class);
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void unnamedGeneratorIsTheDefault() {
		assertThat(source(Long.class).generatorName()).isEqualTo("default");
		given(this.generator.nextLong()).willReturn(7L);
		assertThat(source(Long.class).next()).isEqualTo(7L);
	}

	@Test
	void unknownGeneratorIsRejected() {
		GeneratedIds ids = new GeneratedIds(() -> this.generators, (generator, property) -> {
		});
		given(this.generators.scoped("absent")).willThrow(new IllegalArgumentException());
		IdSource source = ids.add(annotation("absent"), property(Long.class), null);
		for (ThrowingCallable use : List.<ThrowingCallable>of(source::next, ids::resolve)) {
			assertThatExceptionOfType(IdSetupException.class).isThrownBy(use)
				.withMessageContainingAll("Order.id", "@GeneratedId(\"absent\")", "known: [default]");
		}
	}

	@Test
	void idTypeOfAnotherGeneratorIsRejected() {
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> source(Ticket.class))
			.withMessageContainingAll("Order.id gets ids of the generator 'default'",
					Ticket.class.getTypeName() + " holds ids of 'tickets'", "@GeneratedId(\"tickets\")",
					"@IdAsString(\"default\")");
		assertThat(source(WithoutGeneratorName.class).generatorName()).isEqualTo("default");
	}

	@ParameterizedTest
	@ValueSource(classes = { short.class, Double.class, Object.class, Pair.class, Wrapped.class })
	void unsupportedTypesAreRejected(Class<?> type) {
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> source(type))
			.withMessageContainingAll("Order.id", "type " + type.getTypeName(),
					"a long, Long, int, Integer, String or UUID");
	}

	@ParameterizedTest
	@ValueSource(classes = { long.class, Long.class })
	void skipsZeroForNumbers(Class<?> type) {
		given(this.generator.nextLong()).willReturn(0L, 7L, 8L);
		IdSource source = source(type);
		assertThat(source.next()).isEqualTo(7L);
		assertThat(source.next()).isEqualTo(8L);
		verify(this.generator, times(3)).nextLong();
	}

	@ParameterizedTest
	@ValueSource(classes = { int.class, Integer.class })
	void idThatDoesNotFitAnIntIsRejected(Class<?> type) {
		given(this.generator.nextLong()).willReturn(0L, 7L, Integer.MAX_VALUE + 1L);
		IdSource source = source(type);
		assertThat(source.next()).isEqualTo(7);
		assertThatIllegalStateException().isThrownBy(source::next)
			.withMessageContainingAll("2147483648", "does not fit into Order.id");
	}

	/**
	 * With a mocked generator, a loop that skips zeros would never end.
	 */
	@Test
	void failsWhenTheGeneratorRepeatsZero() {
		given(this.generator.name()).willReturn("default");
		assertThatIllegalStateException().isThrownBy(() -> source(Long.class).next())
			.withMessageContainingAll("'default'", "0 twice", "Order.id");
	}

	@Test
	void suppliesUuidsAndRecords() {
		UUID uuid = UUID.fromString("00000000-0000-8000-877c-0124b8dfefb1");
		given(this.generator.nextUuid()).willReturn(uuid);
		given(this.generator.nextString()).willReturn("a");
		given(this.generator.nextLong()).willReturn(0L, 7L);
		assertThat(source(UUID.class).next()).isEqualTo(uuid);
		assertThat(source(Uuid.class).next()).isEqualTo(new Uuid(uuid));
		assertThat(source(Code.class).next()).isEqualTo(new Code("a"));
		assertThat(source(Number.class).next()).isEqualTo(new Number(7));
		assertThat(source(Number.class).isMissing(null)).isTrue();
		assertThat(source(Number.class).isMissing(new Number(0))).isFalse();
	}

	@Test
	void exceptionOfARecordConstructorIsThrownUnchanged() {
		given(this.generator.nextString()).willReturn("wrong");
		assertThatIllegalArgumentException().isThrownBy(() -> source(Code.class).next()).withMessage("wrong");
	}

	@Test
	void stringThatDenotesZeroIsUsedAsAnId() {
		given(this.generator.nextString()).willReturn("0", "000000");
		assertThat(source(String.class).next()).isEqualTo("0");
		assertThat(source(String.class).next()).isEqualTo("000000");
	}

	@Test
	void idIsMissingIfNullOrAPrimitiveZero() {
		assertThat(source(Long.class).isMissing(null)).isTrue();
		assertThat(source(String.class).isMissing(null)).isTrue();
		assertThat(source(long.class).isMissing(0L)).isTrue();
		assertThat(source(int.class).isMissing(0)).isTrue();
		assertThat(source(Long.class).isMissing(0L)).isFalse();
		assertThat(source(long.class).isMissing(1L)).isFalse();
		assertThat(source(String.class).isMissing("")).isFalse();
	}

	static class Annotated {

		@GeneratedId
		Long unnamed;

		@GeneratedId("absent")
		Long absent;

	}

	private record Uuid(UUID value) {

	}

	private record Number(long value) {

	}

	private record Code(String value) {

		Code {
			if (value.equals("wrong")) {
				throw new IllegalArgumentException(value);
			}
		}

	}

	private record Pair(long first, long second) {

	}

	private record Wrapped(Number value) {

	}

	@IdAsString("tickets")
	record Ticket(long value) {

	}

	@IdAsString
	record WithoutGeneratorName(long value) {

	}

}
