package dev.idspring.block.stripe;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace.ArithmeticRun;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.text.Alphabet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SharedChunk}.
 */
class SharedChunkTests {

	private final SharedChunk[] places = { SharedChunk.usedUp() };

	@ParameterizedTest
	@CsvSource({ "6, 0", "6, 56800234000", "10, 0", "10, 839299365868339000" })
	void takesTheKeysOfTheKeySpace(int length, long start) {
		KeySpace keySpace = new CoprimeSettings(Alphabet.of("base62"), length, length, null, 0).resolve(null);
		SharedChunk chunk = this.places[0].next(new OrdinalRange(start, start + 1_024), keySpace.key(start),
				keySpace.arithmeticRun(start));
		for (long ordinal = start; ordinal < start + 1_024; ordinal++) {
			assertThat(chunk.take()).isEqualTo(keySpace.key(ordinal));
		}
		assertThat(chunk.take()).isEqualTo(Stripe.NONE);
	}

	@Test
	void keysWrapAroundAtTheModulus() {
		SharedChunk chunk = this.places[0].next(new OrdinalRange(7, 13), 102, new ArithmeticRun(100, 3, 5));
		for (long key : new long[] { 102, 100, 103, 101, 104, 102 }) {
			assertThat(chunk.take()).isEqualTo(key);
		}
	}

	@Test
	void keysOfTheLargestModulusDoNotOverflow() {
		long modulus = 1L << 62;
		SharedChunk chunk = this.places[0].next(new OrdinalRange(0, 3), modulus - 1,
				new ArithmeticRun(0, modulus - 1, modulus));
		assertThat(chunk.take()).isEqualTo(modulus - 1);
		assertThat(chunk.take()).isEqualTo(modulus - 2);
		assertThat(chunk.take()).isEqualTo(modulus - 3);
	}

	@Test
	void nextChunkCanHaveAnotherStep() {
		SharedChunk first = this.places[0].next(new OrdinalRange(0, 2), 100, new ArithmeticRun(100, 3, 5));
		SharedChunk second = first.next(new OrdinalRange(2, 5), 200, new ArithmeticRun(200, 5, 7));
		assertThat(new long[] { second.take(), second.take(), second.take() }).containsExactly(200, 205, 203);
	}

	@Test
	void remainderIsDrainedOnce() {
		SharedChunk chunk = chunk(this.places[0]);
		chunk.take();
		List<OrdinalRange> drained = new ArrayList<>();
		chunk.drain(drained);
		chunk.drain(drained);
		assertThat(drained).containsExactly(new OrdinalRange(8, 13));
		assertThat(chunk.take()).isEqualTo(Stripe.NONE);
		assertThat(chunk.left()).isZero();
	}

	@Test
	void onlyOneCallCreatesTheNextChunk() {
		SharedChunk usedUp = this.places[0];
		long key = usedUp.takeFromNext(this.places, 0, source((last) -> {
			assertThat(usedUp.takeFromNext(this.places, 0, source(SharedChunkTests::chunk))).isEqualTo(Stripe.NONE);
			return chunk(last);
		}));
		assertThat(key).isEqualTo(100);
		assertThat(this.places[0].take()).isEqualTo(103);
		assertThat(usedUp.takeFromNext(this.places, 0, source(SharedChunkTests::chunk))).isEqualTo(Stripe.NONE);
	}

	@Test
	void concurrentThreadsTakeDistinctKeys() {
		AtomicLong nextStart = new AtomicLong();
		SharedChunk.Source source = new SharedChunk.Source() {

			@Override
			public SharedChunk after(SharedChunk last) {
				long start = nextStart.getAndAdd(1_000);
				return last.next(new OrdinalRange(start, start + 1_000), start, new ArithmeticRun(0, 1, 1L << 62));
			}

			@Override
			public void added(SharedChunk chunk) {
				// not needed here
			}

		};
		List<CompletableFuture<Set<Long>>> callers = Stream.generate(
				() -> CompletableFuture.supplyAsync(() -> draw(200_000, source), (task) -> new Thread(task).start()))
			.limit(4)
			.toList();
		Set<Long> allKeys = new HashSet<>();
		callers.forEach((caller) -> allKeys.addAll(caller.join()));
		assertThat(allKeys).hasSize(800_000).allMatch((key) -> key < nextStart.get());
		List<OrdinalRange> remainder = new ArrayList<>();
		this.places[0].drain(remainder);
		assertThat(remainder.stream().mapToLong(OrdinalRange::size).sum()).isEqualTo(nextStart.get() - 800_000);
	}

	private Set<Long> draw(int count, SharedChunk.Source source) {
		Set<Long> keys = new HashSet<>();
		while (keys.size() < count) {
			SharedChunk chunk = SharedChunk.at(this.places, 0);
			long key = chunk.take();
			key = (key != Stripe.NONE) ? key : chunk.takeFromNext(this.places, 0, source);
			if (key != Stripe.NONE) {
				keys.add(key);
			}
		}
		return keys;
	}

	@Test
	void chunkIsCreatedByALaterCallAfterTheSourceFailed() {
		SharedChunk usedUp = this.places[0];
		assertThat(usedUp.takeFromNext(this.places, 0, source((last) -> null))).isEqualTo(Stripe.NONE);
		assertThatIllegalStateException().isThrownBy(() -> usedUp.takeFromNext(this.places, 0, source((last) -> {
			throw new IllegalStateException("injected");
		})));
		assertThat(usedUp.takeFromNext(this.places, 0, source(SharedChunkTests::chunk))).isEqualTo(100);
	}

	@Test
	void chunkIsDiscardedIfStripesAreShutWhileItIsCreated() {
		long key = this.places[0].takeFromNext(this.places, 0, source((last) -> {
			SharedChunk.replace(this.places, 0, SharedChunk.last());
			return chunk(last);
		}));
		assertThat(key).isEqualTo(Stripe.NONE);
		assertThat(this.places[0].takeFromNext(this.places, 0, source(SharedChunkTests::chunk))).isEqualTo(Stripe.NONE);
	}

	static SharedChunk.Source source(UnaryOperator<SharedChunk> follow) {
		return new SharedChunk.Source() {

			@Override
			public SharedChunk after(SharedChunk last) {
				return follow.apply(last);
			}

			@Override
			public void added(SharedChunk chunk) {
				assertThat(chunk.left()).isEqualTo(chunk.size() - 1);
			}

		};
	}

	private static SharedChunk chunk(SharedChunk last) {
		return last.next(new OrdinalRange(7, 13), 100, new ArithmeticRun(100, 3, 5));
	}

}
