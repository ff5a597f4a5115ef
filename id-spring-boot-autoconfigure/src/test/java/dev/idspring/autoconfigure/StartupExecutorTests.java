package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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
		CompletableFuture<Void> callerHasWorked = new CompletableFuture<>();
		assertThat(StartupExecutor.call(TIMEOUT, () -> {
			callerHasWorked.join();
			return "answer";
		}, () -> callerHasWorked.complete(null))).isEqualTo("answer");
	}

	@Test
	void failureOfTheCallersWorkIsThrownAfterTheAnswerHasBeenClosed() {
		CompletableFuture<Void> callerHasWorked = new CompletableFuture<>();
		AtomicBoolean answerClosed = new AtomicBoolean();
		IdSetupException failure = new IdSetupException("wrong", "correct it");
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> StartupExecutor.<AutoCloseable>call(TIMEOUT, () -> {
				callerHasWorked.join();
				return () -> answerClosed.set(true);
			}, () -> {
				callerHasWorked.complete(null);
				throw failure;
			}))
			.isSameAs(failure);
		assertThat(answerClosed).isTrue();
	}

	@Test
	void failureOfTheStoreDoesNotHideTheFailureOfTheCallersWork() {
		IdSetupException failure = new IdSetupException("wrong", "correct it");
		IdStoreUnavailableException storeFailure = new IdStoreUnavailableException("down");
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> StartupExecutor.call(TIMEOUT, () -> {
			throw storeFailure;
		}, () -> {
			throw failure;
		})).isSameAs(failure).satisfies((ex) -> assertThat(ex.getSuppressed()).containsExactly(storeFailure));
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

}
