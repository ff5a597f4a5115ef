package dev.idspring.block;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.text.Alphabet;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for incorrect and unusual use of the programmatic API.
 */
class MisuseTests {

	private static final RecycledSettings SERIES_SETTINGS = new RecycledSettings(1_000, 1_000_000);

	private final InMemoryKeySpaceStore keySpaces = new InMemoryKeySpaceStore();

	private final InMemorySlotStore slots = new InMemorySlotStore(TimeSource.system());

	@Test
	void secondSlotStoreForTheSameKeySpacesIsRejected() {
		recycled(this.slots).open().close();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> recycled(new InMemorySlotStore(TimeSource.system())).open())
			.withMessageContaining("does not belong to the key-space store");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> snowflake().store(this.keySpaces, new InMemorySlotStore(TimeSource.system())));
		snowflake().store(this.keySpaces, this.slots).open().close();
	}

	private BlockIdGenerator.Builder recycled(InMemorySlotStore slots) {
		return BlockIdGenerator.recycled("lines", SERIES_SETTINGS, SeriesSettings.defaults(), this.keySpaces, slots);
	}

	private static TimeIdGenerator.Builder snowflake() {
		return TimeIdGenerator.builder("events", SnowflakeSettings.Preset.STANDARD.settings().scheme());
	}

	@Test
	void exceptionNamesTheMissingParameter() {
		SequentialSettings settings = new SequentialSettings(1, 5);
		assertMissing("name", () -> BlockIdGenerator.sequential(null, settings, this.keySpaces));
		assertMissing("store", () -> BlockIdGenerator.sequential("x", settings, null));
		assertMissing("settings", () -> BlockIdGenerator.coprime("x", null, this.keySpaces));
		assertMissing("slots", () -> recycled(null));
		assertMissing("blockSettings",
				() -> BlockIdGenerator.sequential("x", settings, this.keySpaces).blockSettings(null));
		assertMissing("slots", () -> snowflake().store(this.keySpaces, null));
		assertMissing("node", () -> snowflake().node(null));
		assertMissing("listener", () -> snowflake().listener(null));
		assertMissing("store", () -> GaplessIdGenerator.builder("x", new GaplessSettings(1, 5), this.keySpaces, null));
	}

	private static void assertMissing(String parameter, ThrowingCallable call) {
		assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.getParameter()).isEqualTo(parameter));
	}

	@Test
	void illegalArgumentExceptionOfAStoreIsPropagated() {
		KeySpaceStore store = new ScriptedStore() {

			@Override
			public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
				throw new IllegalArgumentException("no such name");
			}

		};
		assertThatIllegalArgumentException()
			.isThrownBy(() -> BlockIdGenerator
				.coprime("x", new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), store)
				.open())
			.withMessage("no such name");
	}

	@Test
	void extremelyLongTimeoutDoesNotOverflow() {
		assertThat(Deadline.in(Duration.ofSeconds(Long.MAX_VALUE)).remaining()).isGreaterThan(Duration.ofDays(30_000));
	}

	@Test
	void interruptedReadIsNotReportedAsAStoreFailure() {
		CountDownLatch interruptionTested = new CountDownLatch(1);
		ScriptedStore store = new ScriptedStore() {

			@Override
			public Optional<StoredKeySpace> read(String name, Deadline deadline) {
				try {
					interruptionTested.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				return super.read(name, deadline);
			}

		};
		try (BlockIdGenerator ids = BlockIdGenerator.sequential("s", new SequentialSettings(1, 1_000_000), store)
			.open()) {
			ids.nextLong();
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> ids.describe(900_000L))
				.withMessageContaining("cannot determine which ids are reserved")
				.withMessageContaining("interrupted");
			assertThat(Thread.interrupted()).isTrue();
			assertThat(ids.snapshot().storeFailure()).isNull();
			interruptionTested.countDown();
		}
	}

}
