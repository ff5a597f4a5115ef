package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.text.Alphabet;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.TestTimeSource;

/**
 * Engines for tests of {@link BlockEngine}. The test decides when the tasks of the engine
 * run.
 */
abstract class BlockEngineFixture {

	static final Deadline DEADLINE = Deadline.in(Duration.ofMinutes(10));

	static final String NAME = "test";

	final ScriptedStore store = new ScriptedStore();

	final TestTimeSource time = new TestTimeSource();

	final ManualStoreExecutor executor = new ManualStoreExecutor();

	BlockEngine engine(KeySpace keySpace, BlockSettings settings) {
		return engine(keySpace, settings, this.executor);
	}

	BlockEngine engine(KeySpace keySpace, BlockSettings settings, StoreExecutor executor) {
		create(keySpace);
		return engine(keySpace, settings, executor, new Listeners(NAME, "coprime", List.of()));
	}

	BlockEngine engine(KeySpace keySpace, BlockSettings settings, StoreExecutor executor, Listeners listeners) {
		SharedCounter counter = new SharedCounter(NAME,
				new StoredKeySpace(NAME, keySpace.definition(), keySpace.capacity(), 0), keySpace, this.store);
		return new BlockEngine(NAME, reserved(keySpace, counter), counter, settings, this.time, executor, listeners,
				Stripes.of(keySpace));
	}

	BlockEngine engine(KeySpace keySpace, LeasedSource source) {
		create(keySpace);
		source.counter = new SharedCounter(NAME,
				new StoredKeySpace(NAME, keySpace.definition(), keySpace.capacity(), 0), keySpace, this.store);
		return new BlockEngine(NAME, reserved(keySpace, source.counter), source, settings(100), this.time,
				this.executor, new Listeners(NAME, "coprime", List.of()), Stripes.of(keySpace));
	}

	private ReservedKeySpace reserved(KeySpace keySpace, SharedCounter counter) {
		StoredKeySpace stored = new StoredKeySpace(NAME, keySpace.definition(), keySpace.capacity(), 0);
		return new ReservedKeySpace(new OpenedKeySpace(keySpace, stored), counter,
				new ReservationForecast(NAME, this.store, this.time), this.store);
	}

	void create(KeySpace keySpace) {
		this.store.memory.create(NAME, keySpace.definition(), keySpace.capacity(), DEADLINE);
	}

	static KeySpace digits(int length) {
		return new CoprimeSettings(Alphabet.of("0123456789"), length, length, null, 0).resolve(null);
	}

	static BlockSettings settings(long size) {
		return new BlockSettings(size, Math.max(size, 100_000), Duration.ofSeconds(5), Duration.ZERO);
	}

	static List<Long> take(BlockEngine engine, int count) {
		List<Long> takenOrdinals = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			takenOrdinals.add(engine.take());
		}
		return takenOrdinals;
	}

	static List<Long> ordinals(long start, long end) {
		List<Long> ordinals = new ArrayList<>();
		for (long ordinal = start; ordinal < end; ordinal++) {
			ordinals.add(ordinal);
		}
		return ordinals;
	}

}
