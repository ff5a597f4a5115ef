package dev.idspring;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.testsupport.VirtualExecutor;
import dev.idspring.text.Alphabet;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.worker.TimeSource;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that generators never pin a virtual thread to its carrier. The block generators
 * have small blocks, so that callers often wait for the store.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
class PinningTests {

	private static final String PINNED_EVENT = "jdk.VirtualThreadPinned";

	private static final BlockSettings SMALL_BLOCKS = new BlockSettings(100, 100, Duration.ofSeconds(60),
			Duration.ZERO);

	@TempDir
	private Path directory;

	@Test
	void coprimeGeneratorPinsNoVirtualThread() throws Exception {
		assertPinsNoThread(BlockIdGenerator
			.coprime("pinning", new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), new InMemoryKeySpaceStore())
			.blockSettings(SMALL_BLOCKS)
			.open());
	}

	@Test
	void sequentialGeneratorPinsNoVirtualThread() throws Exception {
		assertPinsNoThread(BlockIdGenerator
			.sequential("pinning", new SequentialSettings(1, Long.MAX_VALUE - 1), new InMemoryKeySpaceStore())
			.blockSettings(SMALL_BLOCKS)
			.open());
	}

	@Test
	void snowflakeGeneratorPinsNoVirtualThread() throws Exception {
		assertPinsNoThread(TimeIdGenerator.builder("pinning", SnowflakeSettings.Preset.STANDARD.settings().scheme())
			.store(new InMemoryKeySpaceStore(), new InMemorySlotStore(TimeSource.system()))
			.waitTimeout(Duration.ofSeconds(60))
			.open());
	}

	/**
	 * Shows that pinning is detected: a virtual thread that parks in a static initializer
	 * is pinned to its carrier.
	 */
	@Test
	void pinnedThreadIsDetected() throws Exception {
		assertThat(recordPinnings(() -> CompletableFuture.runAsync(PinningClass::touch, new VirtualExecutor()).join()))
			.hasSize(1);
	}

	private void assertPinsNoThread(ManagedIdGenerator generator) throws IOException {
		try (generator) {
			// the first call loads classes, and a thread that waits for the
			// initialization of a class is pinned
			generator.nextString();
			// not a concurrent map, because its locks can pin threads as well
			Queue<Long> ids = new ConcurrentLinkedQueue<>();
			assertThat(recordPinnings(() -> {
				List<CompletableFuture<Void>> callers = IntStream.range(0, 10_000)
					.mapToObj((i) -> CompletableFuture.runAsync(() -> draw(generator, ids), new VirtualExecutor()))
					.toList();
				callers.forEach(CompletableFuture::join);
			})).isEmpty();
			assertThat(ids).hasSize(110_000).doesNotHaveDuplicates();
		}
	}

	private static void draw(ManagedIdGenerator generator, Queue<Long> ids) {
		for (int i = 0; i < 5; i++) {
			ids.add(generator.nextLong());
		}
		for (long id : generator.nextLongs(5)) {
			ids.add(id);
		}
		ids.add(generator.parse(generator.nextString()));
	}

	private List<RecordedEvent> recordPinnings(Runnable task) throws IOException {
		Path file = this.directory.resolve("pinned.jfr");
		try (Recording recording = new Recording()) {
			recording.enable(PINNED_EVENT).withoutThreshold();
			recording.start();
			task.run();
			recording.stop();
			recording.dump(file);
		}
		return RecordingFile.readAllEvents(file)
			.stream()
			.filter((event) -> event.getEventType().getName().equals(PINNED_EVENT))
			.toList();
	}

	private static final class PinningClass {

		static {
			LockSupport.parkNanos(1_000_000);
		}

		static void touch() {
			// called to run the static initializer
		}

	}

}
