package dev.idspring.annotation;

import dev.idspring.IdGenerator;
import dev.idspring.TransactionalIds;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link IdType}.
 */
class IdTypeTests {

	private static final IdType LONG = IdType.of(Long.class).orElseThrow();

	@Test
	void numberZeroIsDiscarded() {
		assertThat(LONG.next(zeroAndOne(IdGenerator.class), "Order.id")).isEqualTo(1L);
	}

	@Test
	void numberZeroOfASequenceWithoutGapsIsRejected() {
		assertThatIllegalStateException()
			.isThrownBy(() -> LONG.next(zeroAndOne(TransactionalIds.class), "Invoice.number"))
			.withMessageContainingAll("returned the number 0 for Invoice.number", "Let the numbers start at 1");
	}

	private static IdGenerator zeroAndOne(Class<? extends IdGenerator> type) {
		IdGenerator generator = mock(type);
		given(generator.nextLong()).willReturn(0L, 1L);
		return generator;
	}

}
