package dev.idspring.block;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.store.BlockSource;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.text.Alphabet;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.TestTimeSource;

/**
 * Creates engines with a store in memory. The test decides when the tasks of an engine
 * run.
 */
abstract class AbstractEngineTests {

	static final Deadline DEADLINE = Deadline.in(Duration.ofMinutes(10));

	static final String NAME = "test";

	final ScriptedStore store = new ScriptedStore();

	final TestTimeSource time = new TestTimeSource();

	final ManualStoreExecutor executor = new ManualStoreExecutor();

	BlockEngine engine(KeySpace keySpace, BlockSettings settings, Stripes stripes) {
		SharedCounter counter = counter(keySpace);
		return engine(keySpace, counter, counter, settings, this.executor, listeners(), stripes);
	}

	BlockEngine engine(KeySpace keySpace, SharedCounter counter, BlockSource source, BlockSettings settings,
			StoreExecutor executor, Listeners listeners, Stripes stripes) {
		ReservedKeySpace reserved = new ReservedKeySpace(new OpenedKeySpace(keySpace, stored(keySpace)), counter,
				new ReservationForecast(NAME, this.store, this.time), this.store);
		return new BlockEngine(NAME, reserved, source, settings, this.time, executor, listeners, stripes);
	}

	/**
	 * Create a key space in the store, unless it exists, and its counter.
	 */
	SharedCounter counter(KeySpace keySpace) {
		this.store.memory.create(NAME, keySpace.definition(), keySpace.capacity(), DEADLINE);
		return new SharedCounter(NAME, stored(keySpace), keySpace, this.store);
	}

	private static StoredKeySpace stored(KeySpace keySpace) {
		return new StoredKeySpace(NAME, keySpace.definition(), keySpace.capacity(), 0);
	}

	static Listeners listeners() {
		return new Listeners(NAME, "coprime", List.of());
	}

	static KeySpace digits(int length) {
		return new CoprimeSettings(Alphabet.of("0123456789"), length, length, null, 0).resolve(null);
	}

	static List<Long> ordinals(long start, long end) {
		return LongStream.range(start, end).boxed().toList();
	}

}
