package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.idspring.block.UnreliableSlotStore;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.TestTimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Base class of tests for {@link TimeIdGenerator} with an in-memory store, and with
 * clocks that the test sets. A window is the range of times that a node has reserved in
 * the store.
 */
@Timeout(120)
abstract class AbstractTimeIdGeneratorTests {

	static final Duration LEASE = Duration.ofSeconds(30);

	static final Duration WAIT = Duration.ofSeconds(5);

	static final TimeScheme STANDARD = Preset.STANDARD.settings().scheme();

	final TestTimeSource time = new TestTimeSource();

	final InMemoryKeySpaceStore keySpaces = new InMemoryKeySpaceStore(this.time);

	final InMemorySlotStore memory = new InMemorySlotStore(this.time);

	final UnreliableSlotStore slots = new UnreliableSlotStore(this.memory);

	final List<TimeIdGenerator> openGenerators = new ArrayList<>();

	final List<String> events = new ArrayList<>();

	@AfterEach
	void close() {
		this.slots.comeBack();
		this.openGenerators.forEach(TimeIdGenerator::close);
	}

	final TimeIdGenerator.Builder builder(TimeScheme scheme) {
		return TimeIdGenerator.builder("test", scheme)
			.store(this.keySpaces, this.slots)
			.node(NodeSettings.lease(LEASE))
			.timeSource(this.time)
			.waitTimeout(WAIT)
			.listener(new RecordingListener());
	}

	final TimeIdGenerator open(TimeIdGenerator.Builder builder, ManualStoreExecutor executor) {
		TimeIdGenerator generator = builder.open(executor, new TestSleeper(this.time, executor), 4711);
		this.openGenerators.add(generator);
		return generator;
	}

	final TimeIdGenerator open(TimeIdGenerator.Builder builder) {
		return open(builder, new ManualStoreExecutor().runImmediately());
	}

	static NodeSnapshot node(TimeIdGenerator generator) {
		NodeSnapshot node = generator.snapshot().node();
		assertThat(node).isNotNull();
		return node;
	}

	final Instant reservedUntil(long node) {
		return STANDARD.layout()
			.instant(this.memory.read("test", node, Deadline.after(this.time, WAIT)).orElseThrow().slot().position());
	}

	final void renew(ManualStoreExecutor executor, Duration interval, int times) {
		for (int i = 0; i < times; i++) {
			this.time.advance(interval);
			executor.runDelayed();
		}
	}

	/**
	 * Records the reported events.
	 */
	final class RecordingListener implements IdGeneratorListener {

		@Override
		public void lowered(String generator, String keySpaceName, long capacity, long stored) {
			AbstractTimeIdGeneratorTests.this.events.add("lowered from " + stored + " to " + capacity);
		}

		@Override
		public void lost(String generator, long number) {
			AbstractTimeIdGeneratorTests.this.events.add("lost " + number);
		}

		@Override
		public void windowFailed(String generator, RuntimeException failure, Duration left) {
			AbstractTimeIdGeneratorTests.this.events.add("failed");
		}

		@Override
		public void notGivenBack(String generator, RuntimeException failure) {
			AbstractTimeIdGeneratorTests.this.events.add("not given back");
		}

		@Override
		public void stopped(String generator, RuntimeException reason) {
			AbstractTimeIdGeneratorTests.this.events.add("stopped");
		}

		@Override
		public void low(String generator, KeySpaceSnapshot keySpace) {
			AbstractTimeIdGeneratorTests.this.events.add("low");
		}

	}

}
