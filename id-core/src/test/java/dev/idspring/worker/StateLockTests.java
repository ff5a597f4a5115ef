package dev.idspring.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link StateLock}.
 */
class StateLockTests {

	private final StateLock lock = new StateLock();

	private int count;

	@Test
	void lockedSectionsOfSeveralThreadsDoNotOverlap() {
		List<CompletableFuture<Void>> threads = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			threads.add(CompletableFuture.runAsync(() -> {
				for (int j = 0; j < 20_000; j++) {
					increment();
				}
			}, (task) -> new Thread(task).start()));
		}
		threads.forEach(CompletableFuture::join);
		assertThat(this.count).isEqualTo(80_000);
	}

	@Test
	void nestedSectionDoesNotReleaseTheLock() throws Exception {
		CompletableFuture<Void> other;
		this.lock.lock();
		try {
			increment();
			other = CompletableFuture.runAsync(this::increment, (task) -> new Thread(task).start());
			increment();
			assertThat(this.count).isEqualTo(2);
		}
		finally {
			this.lock.unlock();
		}
		other.get(1, TimeUnit.MINUTES);
		assertThat(this.count).isEqualTo(3);
	}

	@Test
	void callerWithTooLittleStackFailsBeforeItHoldsTheLock() throws Exception {
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this::lockAtTheDeepestLevel);
		CompletableFuture.runAsync(this::increment, (task) -> new Thread(task).start()).get(1, TimeUnit.MINUTES);
		assertThat(this.count).isOne();
	}

	private void lockAtTheDeepestLevel() {
		try {
			lockAtTheDeepestLevel();
		}
		catch (StackOverflowError ex) {
			this.lock.lock();
			this.lock.unlock();
			throw ex;
		}
	}

	private void increment() {
		this.lock.lock();
		try {
			this.count++;
		}
		finally {
			this.lock.unlock();
		}
	}

}
