package dev.idspring.block;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;

import dev.idspring.InvalidSettingException;
import dev.idspring.block.SeriesReservations.SeriesSettings;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.keyspace.RecycledSettings;
import dev.idspring.keyspace.SequentialSettings;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.InMemoryKeySpaceStore;
import dev.idspring.store.InMemorySlotStore;
import dev.idspring.store.SlotOwner;
import dev.idspring.time.NodeSettings;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TestTimeSource;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Settings that disagree with each other would let ids repeat. They are refused before
 * the store is touched.
 */
class ContradictorySettingsTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final InMemoryKeySpaceStore keySpaces = new InMemoryKeySpaceStore();

	private final InMemorySlotStore slots = new InMemorySlotStore(new TestTimeSource());

	@Test
	void recycledWithoutSeries() {
		assertRefused(new RecycledSettings(1_000, 2_000), (builder) -> {
		}, "settings", "needs reservations from series");
	}

	@Test
	void seriesWithoutRecycled() {
		assertRefused(new SequentialSettings("sequential", 1, 1_000),
				(builder) -> builder.reservations(series(1_000, LEASE)), "seriesSize", "must be that of the key space");
	}

	@Test
	void seriesSizesThatDisagree() {
		assertRefused(new RecycledSettings(1_000, 2_000), (builder) -> builder.reservations(series(999, LEASE)),
				"seriesSize", "must be that of the key space, which is RecycledSettings[seriesSize=1000");
	}

	@Test
	void gaplessNumbersInBlocks() {
		assertRefused(new SequentialSettings("gapless", 1, 1_000), (builder) -> {
		}, "strategy", "must be sequential");
	}

	@Test
	void sequentialNumbersWithoutGaps() {
		assertThatExceptionOfType(InvalidSettingException.class)
			.isThrownBy(() -> GaplessIdGenerator.builder("test", new SequentialSettings("sequential", 1, 1_000),
					this.keySpaces, Mockito.mock(GaplessStore.class)))
			.withMessageContaining("strategy is 'sequential' but must be gapless");
	}

	@Test
	void numbersOfAnotherStrategy() {
		assertThatExceptionOfType(InvalidSettingException.class)
			.isThrownBy(() -> new SequentialSettings("coprime", 1, 1_000))
			.withMessageContaining("strategy is 'coprime' but must be sequential or gapless");
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MAX_VALUE, 86_400_001, 999, 0, -1 })
	void leasesOutOfRange(long millis) {
		Duration lease = Duration.ofMillis(millis);
		assertLeaseRefused(() -> SlotOwner.random(lease));
		assertLeaseRefused(() -> NodeSettings.lease(lease));
		assertLeaseRefused(() -> series(1_000, lease));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "with space", "1234567890123456789012345678901234567", "é" })
	void ownersOutOfRange(String id) {
		assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(() -> new SlotOwner(id, LEASE))
			.withMessageContaining("id is '" + id + "' but must be 1 to 36 printable");
		assertThat(new SlotOwner(UUID.randomUUID().toString(), LEASE).lease()).isEqualTo(LEASE);
	}

	private static void assertLeaseRefused(Runnable use) {
		assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(use::run)
			.withMessageContaining("lease is")
			.withMessageContaining("must be from 1s to 1d");
	}

	private Reservations.Factory series(long size, Duration lease) {
		return SeriesReservations.factory(this.slots, new SeriesSettings(size, 1, lease, new SlotListener() {
		}));
	}

	private void assertRefused(KeySpaceSettings settings, Consumer<BlockIdGenerator.Builder> customizer,
			String parameter, String problem) {
		BlockIdGenerator.Builder builder = BlockIdGenerator.builder("test", "recycled", settings, this.keySpaces);
		customizer.accept(builder);
		assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(builder::open)
			.satisfies((ex) -> assertThat(ex.getParameter()).isEqualTo(parameter))
			.withMessageContaining(problem);
		assertThat(this.keySpaces.read("test", Deadline.after(TimeSource.system(), Duration.ofSeconds(1)))).isEmpty();
	}

}
