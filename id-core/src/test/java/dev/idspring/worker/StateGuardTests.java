package dev.idspring.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link StateGuard}.
 */
class StateGuardTests {

	private final StateGuard guard = new StateGuard();

	private int count;

	@Test
	void sectionsOfManyThreadsExcludeEachOther() {
		List<CompletableFuture<Void>> threads = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			threads.add(CompletableFuture.runAsync(() -> {
				for (int j = 0; j < 20_000; j++) {
					this.guard.run(() -> this.count++);
				}
			}, (task) -> new Thread(task).start()));
		}
		threads.forEach(CompletableFuture::join);
		assertThat(this.count).isEqualTo(80_000);
	}

	@Test
	void sectionsNest() {
		assertThat(this.guard.<Integer>call(() -> this.guard.call(() -> 1) + 1)).isEqualTo(2);
	}

	@Test
	void failedSectionReleasesTheGuard() throws Exception {
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> this.guard.run(() -> {
			throw new StackOverflowError();
		}));
		CompletableFuture.runAsync(() -> this.guard.run(() -> this.count++)).get(20, TimeUnit.SECONDS);
		assertThat(this.count).isOne();
	}

}
