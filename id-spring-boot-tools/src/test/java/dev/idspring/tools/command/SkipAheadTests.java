package dev.idspring.tools.command;

import java.time.Duration;
import java.util.List;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.tools.command.SkipAhead.OfSeries;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link SkipAhead}.
 */
class SkipAheadTests {

	private static final Deadline DEADLINE = Deadline.in(Duration.ofSeconds(20));

	private final InMemoryKeySpaceStore keySpaces = new InMemoryKeySpaceStore();

	private final InMemorySlotStore slots = new InMemorySlotStore(TimeSource.system());

	@Test
	void rejectsAKeySpaceWithoutACounter() {
		try (BlockIdGenerator ids = BlockIdGenerator
			.recycled("lines", new RecycledSettings(1_000, 1_000_000), SeriesSettings.defaults(), this.keySpaces,
					this.slots)
			.open();
				TimeIdGenerator events = TimeIdGenerator
					.builder("events", SnowflakeSettings.Preset.STANDARD.settings().scheme())
					.store(this.keySpaces, this.slots)
					.open()) {
			for (String name : List.of(ids.name(), events.name(), "nowhere")) {
				SkipAhead skip = new SkipAhead(name, 100_000);
				assertThatIllegalArgumentException().isThrownBy(() -> skip.plan(this.keySpaces, DEADLINE))
					.withMessageContaining("'" + name + "'");
				assertThatIllegalArgumentException().isThrownBy(() -> skip.run(this.keySpaces, DEADLINE));
			}
		}
	}

	@Test
	void rejectsAnInvalidNumberAndNamesTheParameter() {
		StoredKeySpace series = new StoredKeySpace("sample", "recycled series-size=10", 1_000, 0);
		assertRejected("by is 0", () -> new SkipAhead("sample", 0));
		assertRejected("by is -1", () -> new OfSeries(series, -1, 1, 10));
		assertRejected("series is -1", () -> new OfSeries(series, 1, -1, 10));
		assertRejected("seriesSize is 0", () -> new OfSeries(series, 1, 1, 0));
	}

	private static void assertRejected(String message, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessageStartingWith(message);
	}

}
