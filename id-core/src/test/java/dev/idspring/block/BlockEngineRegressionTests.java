package dev.idspring.block;

import java.time.Duration;
import java.util.Map;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.ManualStoreExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BlockEngine} with a store that went backwards, and for the command
 * that the failure recommends.
 */
class BlockEngineRegressionTests extends AbstractBlockEngineTests {

	@Test
	void storeThatWentBackwardsStopsTheEngine() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.executor.runImmediately();
		Map<String, StoredKeySpace> backup = this.store.memory.keySpaces();
		take(engine, 20);
		this.store.memory.restore(backup);
		take(engine, 30);
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> take(engine, 30))
			.withMessageContaining("--ids.skip-ahead.key-space=test")
			.withMessageContaining("--ids.skip-ahead.confirm=true");
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(engine::take);
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> engine.take(2, null));
		assertThat(engine.snapshot().block().remaining()).as("nothing is left to take").isZero();
		engine.beginClose();
		assertThat(this.store.givenBackRanges).as("nothing is given back").isEmpty();
	}

	@Test
	void readingAStoreThatWentBackwardsStopsTheEngine() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.executor.runImmediately();
		take(engine, 20);
		this.store.memory.restore(Map.of());
		assertThat(engine.isReserved(50, Deadline.after(this.time, Duration.ofSeconds(5)))).isTrue();
		assertThatExceptionOfType(KeySpaceRegressionException.class)
			.isThrownBy(() -> engine.isReserved(5_000, Deadline.after(this.time, Duration.ofSeconds(5))));
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(engine::take);
	}

	@Test
	void giveBackByAnotherInstanceIsNotARegression() {
		BlockEngine first = engine(digits(6), settings(100));
		this.executor.runImmediately();
		take(first, 10);
		BlockEngine second = engine(digits(6), settings(100), new ManualStoreExecutor().runImmediately());
		take(second, 10);
		second.beginClose();
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(110);
		assertThat(take(first, 100)).hasSize(100);
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '\'',
			value = { "shop.orders_2-a, --ids.skip-ahead.key-space=shop.orders_2-a",
					"shop orders, \"--ids.skip-ahead.key-space=shop orders\"",
					"a\"b$c`d\\, \"--ids.skip-ahead.key-space=a\\\"b\\$c\\`d\\\\\"" })
	void commandQuotesNamesThatAShellWouldChange(String keySpace, String argument) {
		assertThat(RecoveryInstructions.skipAheadIfLost(keySpace))
			.contains(" --ids.command=skip-ahead " + argument + " --ids.skip-ahead.by=");
	}

}
