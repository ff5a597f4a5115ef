package dev.idspring.entity;

import dev.idspring.IdGenerator;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * What the number 0 means to properties that keep ids.
 */
class IdRepresentationTests {

	private final IdGenerator generator = mock(IdGenerator.class);

	@Test
	void zeroIsAnIdLikeOthers() {
		given(this.generator.nextLong()).willReturn(0L);
		assertThat(IdRepresentation.NUMBER.next(this.generator)).isEqualTo(0L);
	}

	@Test
	void generatorIsAskedOnceMoreWhereZeroIsNone() {
		given(this.generator.nextLong()).willReturn(0L, 7L, 8L);
		assertThat(IdRepresentation.NUMBER.nextNonZero(this.generator)).isEqualTo(7L);
		assertThat(IdRepresentation.NUMBER.nextNonZero(this.generator)).isEqualTo(8L);
		verify(this.generator, times(3)).nextLong();
	}

	/**
	 * A loop would never end with a generator that is mocked.
	 */
	@Test
	void generatorThatRepeatsZeroIsRefused() {
		given(this.generator.name()).willReturn("orders");
		assertThatIllegalStateException().isThrownBy(() -> IdRepresentation.NUMBER.nextNonZero(this.generator))
			.withMessageContaining("'orders'")
			.withMessageContaining("0 twice");
	}

	@Test
	void textOfZeroIsAnId() {
		given(this.generator.nextString()).willReturn("0", "000000");
		assertThat(IdRepresentation.TEXT.nextNonZero(this.generator)).isEqualTo("0");
		assertThat(IdRepresentation.TEXT.nextNonZero(this.generator)).isEqualTo("000000");
	}

	@Test
	void idIsMissingWhereThereIsNoneAndWhereAPrimitiveIsZero() {
		assertThat(IdRepresentation.isMissing(null, Long.class)).isTrue();
		assertThat(IdRepresentation.isMissing(null, String.class)).isTrue();
		assertThat(IdRepresentation.isMissing(0L, long.class)).isTrue();
		assertThat(IdRepresentation.isMissing(0L, Long.class)).isFalse();
		assertThat(IdRepresentation.isMissing(1L, long.class)).isFalse();
		assertThat(IdRepresentation.isMissing("", String.class)).isFalse();
	}

}
