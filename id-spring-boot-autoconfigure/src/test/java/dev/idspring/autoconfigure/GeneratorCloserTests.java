package dev.idspring.autoconfigure;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.store.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.text.Alphabet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GeneratorCloser}.
 */
class GeneratorCloserTests {

	private final CountDownLatch answered = new CountDownLatch(1);

	private final AtomicInteger asked = new AtomicInteger();

	@Test
	void storeThatNeverAnswersCostsItsTimeOnce() {
		List<BlockIdGenerator> all = open(15);
		GeneratorCloser closer = new GeneratorCloser(Duration.ofMillis(500));
		long start = System.nanoTime();
		for (BlockIdGenerator ids : all) {
			assertThat(closer.requiresDestruction(ids)).isTrue();
			closer.postProcessBeforeDestruction(ids, ids.name());
			ids.close();
		}
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(500),
				Duration.ofSeconds(7));
		Awaitility.await().until(() -> this.asked.get() == 15);
		this.answered.countDown();
	}

	@Test
	void answerEndsTheWait() {
		this.answered.countDown();
		GeneratorCloser closer = new GeneratorCloser(Duration.ofHours(1));
		for (BlockIdGenerator ids : open(3)) {
			closer.postProcessBeforeDestruction(ids, ids.name());
		}
		assertThat(this.asked).hasValue(3);
	}

	private List<BlockIdGenerator> open(int count) {
		List<BlockIdGenerator> all = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			BlockIdGenerator ids = BlockIdGenerator
				.coprime("test" + i, new CoprimeSettings(Alphabet.of("0123456789"), 9, 9, null, 0), hanging())
				.open();
			ids.nextLong();
			all.add(ids);
		}
		return all;
	}

	/**
	 * Return a store that does not answer when something is given back.
	 */
	private KeySpaceStore hanging() {
		KeySpaceStore memory = new InMemoryKeySpaceStore();
		return (KeySpaceStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { KeySpaceStore.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("giveBack")) {
						this.asked.incrementAndGet();
						this.answered.await();
					}
					return method.invoke(memory, arguments);
				});
	}

}
