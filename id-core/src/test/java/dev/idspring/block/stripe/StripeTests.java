package dev.idspring.block.stripe;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.keyspace.KeySpace.ArithmeticRun;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Stripe}.
 */
class StripeTests {

	private final Stripe stripe = Stripe.create();

	@Test
	void keysAreOneStepApart() {
		this.stripe.fill(7, 6, 100, new ArithmeticRun(100, 3, 5));
		for (long key : new long[] { 100, 103, 101, 104, 102, 100 }) {
			assertThat(take()).isEqualTo(key);
		}
		assertThat(take()).isEqualTo(Stripe.NONE);
	}

	@Test
	void keysOfTheLargestModulusDoNotOverflow() {
		long modulus = 1L << 62;
		this.stripe.fill(0, 3, modulus - 1, new ArithmeticRun(0, modulus - 1, modulus));
		assertThat(take()).isEqualTo(modulus - 1);
		assertThat(take()).isEqualTo(modulus - 2);
		assertThat(take()).isEqualTo(modulus - 3);
	}

	@Test
	void bulkCallTakesTheSameKeysAsSingleCalls() {
		this.stripe.fill(7, 6, 100, new ArithmeticRun(100, 3, 5));
		long[] into = { -1, -1, -1, -1 };
		take();
		this.stripe.take(into, 3);
		assertThat(into).containsExactly(103, 101, 104, -1);
		assertThat(this.stripe.left()).isEqualTo(2);
		assertThat(take()).isEqualTo(102);
	}

	@Test
	void remainderIsDrainedOnce() {
		this.stripe.fill(7, 6, 100, new ArithmeticRun(100, 3, 5));
		take();
		List<OrdinalRange> drained = new ArrayList<>();
		this.stripe.drain(drained);
		this.stripe.drain(drained);
		assertThat(drained).containsExactly(new OrdinalRange(8, 13));
		assertThat(take()).isEqualTo(Stripe.NONE);
	}

	private long take() {
		return this.stripe.take((stripe) -> {
		});
	}

}
