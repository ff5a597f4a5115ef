package dev.idspring.block;

import java.time.Duration;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BlockEngine} with a lease that must be renewed.
 */
class BlockEngineLeaseTests extends AbstractBlockEngineTests {

	@Test
	void leaseIsRenewedWithinEachInterval() {
		LeasedSource source = new LeasedSource();
		BlockEngine engine = engine(digits(6), source);
		engine.start();
		this.executor.run();
		assertThat(this.executor.delays()).singleElement()
			.satisfies((delay) -> assertThat(delay).isBetween(Duration.ofMillis(7_500), Duration.ofSeconds(10)));
		for (int i = 1; i < 4; i++) {
			this.executor.runDelayed();
			assertThat(source.renewals).isEqualTo(i);
		}
		this.executor.runImmediately();
		engine.beginClose();
		this.executor.runDelayed();
		assertThat(source.renewals).as("nothing is renewed after the close").isEqualTo(3);
		assertThat(this.executor.pendingDelayed()).as("no further renewal is planned").isZero();
	}

	@Test
	void haltedEngineRenewsNoLease() {
		LeasedSource source = new LeasedSource();
		BlockEngine engine = engine(digits(6), source);
		engine.start();
		this.executor.run();
		engine.halt(new KeySpaceRegressionException("injected"));
		this.executor.runDelayed();
		assertThat(source.renewals).isZero();
	}

	@Test
	void failedRenewalDoesNotAffectCallersAndIsRetried() {
		LeasedSource source = new LeasedSource();
		BlockEngine engine = engine(digits(6), source);
		engine.start();
		this.executor.run();
		source.renewalFailure = new IdStoreUnavailableException("injected");
		this.executor.runDelayed();
		assertThat(engine.snapshot().storeFailure()).isEqualTo("injected");
		assertThat(take(engine, 10)).isEqualTo(ordinals(0, 10));
		source.renewalFailure = null;
		this.executor.runDelayed();
		assertThat(engine.snapshot().storeFailure()).isNull();
		assertThat(source.renewals).isEqualTo(2);
	}

	@Test
	void renewalThatDetectsARegressionStopsTheEngine() {
		LeasedSource source = new LeasedSource();
		BlockEngine engine = engine(digits(6), source);
		engine.start();
		this.executor.run();
		source.renewalFailure = new KeySpaceRegressionException("injected");
		this.executor.runDelayed();
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(engine::take)
			.withMessage(
					"Id generator 'test' has stopped: injected If no backup was restored and no replica was promoted,"
							+ " the cause may be one of the store's warnings: Reservations exist only in this JVM:"
							+ " after a restart, ids repeat.");
		assertThat(this.executor.pendingDelayed()).isZero();
	}

	@Test
	void renewalThatCannotBeScheduledIsScheduledWithTheNextBlock() {
		LeasedSource source = new LeasedSource();
		BlockEngine engine = engine(digits(6), source);
		this.executor.rejectDelayedTasks(new InternalError("injected"));
		engine.start();
		this.executor.rejectDelayedTasks(null);
		this.executor.run();
		assertThat(this.executor.pendingDelayed()).isOne();
		this.executor.rejectDelayedTasks(new InternalError("injected"));
		this.executor.runDelayed();
		assertThat(source.renewals).isOne();
		this.executor.rejectDelayedTasks(null);
		take(engine, 60);
		this.executor.run();
		this.executor.runDelayed();
		assertThat(source.renewals).isEqualTo(2);
		assertThat(this.executor.pendingDelayed()).as("only one renewal is scheduled").isOne();
	}

}
