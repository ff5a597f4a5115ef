package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link StartupExecutor}.
 */
class StartupExecutorTests {

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	@Test
	void callerWorksWhileTheStoreAnswers() {
		CountDownLatch working = new CountDownLatch(1);
		assertThat(StartupExecutor.call(TIMEOUT, () -> {
			await(working);
			return "answer";
		}, working::countDown)).isEqualTo("answer");
	}

	@Test
	void failureOfTheCallersWorkIsThrownAfterTheAnswerHasBeenClosed() {
		CountDownLatch working = new CountDownLatch(1);
		AtomicBoolean closed = new AtomicBoolean();
		IdSetupException failure = new IdSetupException("wrong", "correct it");
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> StartupExecutor.<AutoCloseable>call(TIMEOUT, () -> {
				await(working);
				return () -> closed.set(true);
			}, () -> {
				working.countDown();
				throw failure;
			}))
			.isSameAs(failure);
		assertThat(closed).isTrue();
	}

	@Test
	void failureOfTheStoreDoesNotHideTheFailureOfTheCallersWork() {
		IdSetupException failure = new IdSetupException("wrong", "correct it");
		IdStoreUnavailableException other = new IdStoreUnavailableException("down");
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> StartupExecutor.call(TIMEOUT, () -> {
			throw other;
		}, () -> {
			throw failure;
		})).isSameAs(failure).satisfies((ex) -> assertThat(ex.getSuppressed()).containsExactly(other));
	}

	@Test
	void failureOfTheStoreIsThrown() {
		IdStoreUnavailableException failure = new IdStoreUnavailableException("down");
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(() -> StartupExecutor.call(TIMEOUT, () -> {
				throw failure;
			}, () -> {
			}))
			.isSameAs(failure);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
