package dev.idspring.cluster;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.testsupport.Figures;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Continuously writes through the application's pool and draws ids. Records how long it
 * takes after an outage until a write and a draw succeed again.
 */
final class RecoveryTimer implements AutoCloseable {

	/** More ids than a block, so that each draw needs a reservation. */
	private static final int IDS_PER_DRAW = 20;

	/** The properties of the instance: blocks smaller than a draw. */
	static final String[] PROPERTIES = { "ids.block.size=10", "ids.block.max-size=10" };

	private static final Duration PAUSE = Duration.ofMillis(50);

	private final String scenario;

	private final Probe applicationProbe;

	private final Probe storeProbe;

	/**
	 * @param scenario the name of the recorded figures
	 * @param instance an application with {@link #PROPERTIES} and a generator {@code
	 * coprime}
	 */
	RecoveryTimer(String scenario, ConfigurableApplicationContext instance) {
		this.scenario = scenario;
		DataSource pool = instance.getBean(DataSource.class);
		execute(pool, "create table if not exists written (number bigint primary key)");
		execute(pool, "insert into written select 0 where not exists (select 1 from written)");
		IdGenerator generator = instance.getBean(IdGenerators.class).get("coprime");
		this.applicationProbe = new Probe(() -> execute(pool, "update written set number = number + 1"));
		this.storeProbe = new Probe(() -> draw(generator));
	}

	private static boolean execute(DataSource pool, String sql) {
		try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute(sql);
			return true;
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private static boolean draw(IdGenerator generator) {
		try {
			generator.nextLongs(IDS_PER_DRAW);
			return true;
		}
		catch (IdStoreUnavailableException ex) {
			return false;
		}
	}

	/**
	 * Record the end of the outage, and wait until a write and a draw have succeeded
	 * again.
	 */
	void awaitRecovery() {
		CompletableFuture<Duration> application = this.applicationProbe.startMeasuring();
		CompletableFuture<Duration> store = this.storeProbe.startMeasuring();
		Figures.add("%s: the application's pool recovered after %.1f s, the store after %.1f s", this.scenario,
				application.orTimeout(5, TimeUnit.MINUTES).join().toMillis() / 1e3,
				store.orTimeout(5, TimeUnit.MINUTES).join().toMillis() / 1e3);
	}

	@Override
	public void close() {
		this.applicationProbe.closed = true;
		this.storeProbe.closed = true;
	}

	/**
	 * Repeats an operation, and measures how long after an outage it succeeds again.
	 */
	private static final class Probe {

		private volatile boolean closed;

		/** When the outage ended. */
		private volatile long endNanos;

		private volatile CompletableFuture<Duration> recovery;

		Probe(BooleanSupplier operation) {
			Thread thread = new Thread(() -> {
				while (!this.closed) {
					boolean succeeded = operation.getAsBoolean();
					CompletableFuture<Duration> recovery = this.recovery;
					if (succeeded && recovery != null) {
						recovery.complete(Duration.ofNanos(System.nanoTime() - this.endNanos));
					}
					LockSupport.parkNanos(PAUSE.toNanos());
				}
			});
			thread.setDaemon(true);
			thread.start();
		}

		CompletableFuture<Duration> startMeasuring() {
			this.endNanos = System.nanoTime();
			CompletableFuture<Duration> newRecovery = new CompletableFuture<>();
			this.recovery = newRecovery;
			return newRecovery;
		}

	}

}
