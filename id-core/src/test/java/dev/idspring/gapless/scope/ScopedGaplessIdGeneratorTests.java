package dev.idspring.gapless.scope;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import dev.idspring.keyspace.KeySpaceSettings.ScopedSettings;
import dev.idspring.monitor.ScopedSnapshot.ScopeState;
import dev.idspring.store.ScopedGaplessStore;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.text.IdScope;
import dev.idspring.text.ScopePattern;
import dev.idspring.text.ScopePeriod;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TestTimeSource;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that a {@link ScopedGaplessIdGenerator} leaves no gap when errors occur during a
 * draw.
 */
class ScopedGaplessIdGeneratorTests {

	private final Counters store = new Counters();

	private final TestTimeSource time = new TestTimeSource();

	private boolean clockFails;

	@Test
	void errorAfterTheDrawDoesNotLoseTheNumber() {
		try (ScopedGaplessIdGenerator ids = open()) {
			this.store.afterDraw = () -> this.clockFails = true;
			assertThat(ids.in("a").nextLong()).isEqualTo(1);
			this.clockFails = false;
			assertThat(ids.in("a").nextLong()).isEqualTo(2);
		}
	}

	@Test
	void errorInTheDrawFromALaterScopePreventsTheCommit() {
		InternalError error = new InternalError("injected");
		try (ScopedGaplessIdGenerator ids = open()) {
			this.store.afterDraw = () -> {
				if (this.store.next.size() == 2) {
					throw error;
				}
			};
			assertThatExceptionOfType(InternalError.class)
				.isThrownBy(() -> ids.next(Map.of(List.of("a"), 1, List.of("b"), 1)));
		}
		assertThat(this.store.refusals).singleElement().extracting(Throwable::getCause).isSameAs(error);
	}

	private ScopedGaplessIdGenerator open() {
		TimeSource failingTime = new TimeSource() {

			@Override
			public long nanoTime() {
				return ScopedGaplessIdGeneratorTests.this.time.nanoTime();
			}

			@Override
			public Instant instant() {
				if (ScopedGaplessIdGeneratorTests.this.clockFails) {
					throw new InternalError("injected");
				}
				return ScopedGaplessIdGeneratorTests.this.time.instant();
			}

		};
		ScopedSettings settings = new ScopedSettings(1, 1_000, ScopePeriod.NONE,
				ScopePattern.of("{scope}-{n}", ScopePeriod.NONE));
		return ScopedGaplessIdGenerator.builder("invoices", settings, new InMemoryKeySpaceStore(this.time), this.store)
			.timeSource(failingTime)
			.open();
	}

	/**
	 * Counters that commit each number immediately.
	 */
	private static final class Counters implements ScopedGaplessStore {

		private final Map<IdScope, Long> next = new HashMap<>();

		private final List<RuntimeException> refusals = new ArrayList<>();

		private Runnable afterDraw = () -> {
		};

		@Override
		public void create(String name, long first, Deadline deadline) {
		}

		@Override
		public Draw draw(String name, int count, long last, Deadline deadline) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ScopedDraw draw(Draws draws, IdScope scope, Deadline deadline) {
			long first = this.next.getOrDefault(scope, draws.first());
			this.next.put(scope, first + draws.count());
			this.afterDraw.run();
			return new ScopedDraw(true, first, null);
		}

		@Override
		public void refuseCommit(String name, IdScope scope, RuntimeException failure) {
			this.refusals.add(failure);
		}

		@Override
		public long start(Draws draws, IdScope scope, long start, Deadline deadline) {
			throw new UnsupportedOperationException();
		}

		@Override
		public long next(String name, Deadline deadline) {
			throw new UnsupportedOperationException();
		}

		@Override
		public OptionalLong next(String name, IdScope scope, Deadline deadline) {
			return OptionalLong.empty();
		}

		@Override
		public Scopes scopes(String name, String period, Deadline deadline) {
			return new Scopes(this.next.size(), Instant.EPOCH);
		}

		@Override
		public List<ScopeState> list(String name, String period, @Nullable String after, int count, Deadline deadline) {
			return List.of();
		}

	}

}
