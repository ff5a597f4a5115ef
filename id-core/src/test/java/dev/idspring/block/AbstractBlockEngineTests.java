package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.worker.StoreExecutor;

/**
 * Creates engines for tests of {@link BlockEngine}.
 */
abstract class AbstractBlockEngineTests extends AbstractEngineTests {

	BlockEngine engine(KeySpace keySpace, BlockSettings settings) {
		return engine(keySpace, settings, this.executor);
	}

	BlockEngine engine(KeySpace keySpace, BlockSettings settings, StoreExecutor executor) {
		return engine(keySpace, settings, executor, listeners());
	}

	BlockEngine engine(KeySpace keySpace, BlockSettings settings, StoreExecutor executor, Listeners listeners) {
		SharedCounter counter = counter(keySpace);
		return engine(keySpace, counter, counter, settings, executor, listeners, Stripes.of(keySpace));
	}

	BlockEngine engine(KeySpace keySpace, LeasedSource source) {
		source.counter = counter(keySpace);
		BlockSettings settings = new BlockSettings(100, 100_000, Duration.ofMinutes(1), Duration.ZERO);
		return engine(keySpace, source.counter, source, settings, this.executor, listeners(), Stripes.of(keySpace));
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

}
