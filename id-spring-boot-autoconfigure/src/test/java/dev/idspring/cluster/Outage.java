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
 * Writes over the application's pool and draws ids all the time, and notes after an
 * outage how long it takes until either succeeds.
 */
final class Outage implements AutoCloseable {

	/** A block, so that each draw needs a reservation. */
	private static final int DRAW = 20;

	/** For instances whose blocks are smaller than what is drawn. */
	static final String[] PROPERTIES = { "ids.block.size=10", "ids.block.max-size=10" };

	private static final Duration PAUSE = Duration.ofMillis(50);

	private final String scene;

	private final Writer application;

	private final Writer store;

	/**
	 * Begin to write.
	 * @param scene names the figures
	 * @param instance an application with {@link #PROPERTIES} and a generator
	 * {@code coprime}
	 */
	Outage(String scene, ConfigurableApplicationContext instance) {
		this.scene = scene;
		DataSource pool = instance.getBean(DataSource.class);
		execute(pool, "create table if not exists written (number bigint primary key)");
		execute(pool, "insert into written select 0 where not exists (select 1 from written)");
		IdGenerator generator = instance.getBean(IdGenerators.class).get("coprime");
		this.application = new Writer(() -> execute(pool, "update written set number = number + 1"));
		this.store = new Writer(() -> draw(generator));
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
			generator.nextLongs(DRAW);
			return true;
		}
		catch (IdStoreUnavailableException ex) {
			return false;
		}
	}

	/**
	 * Wait until both have written after an outage that is over now.
	 */
	void over() {
		CompletableFuture<Duration> application = this.application.next();
		CompletableFuture<Duration> store = this.store.next();
		Figures.add("%s: the application's pool is back after %.1f s, the store after %.1f s", this.scene,
				application.orTimeout(5, TimeUnit.MINUTES).join().toMillis() / 1e3,
				store.orTimeout(5, TimeUnit.MINUTES).join().toMillis() / 1e3);
	}

	@Override
	public void close() {
		this.application.end = true;
		this.store.end = true;
	}

	private static final class Writer {

		private volatile boolean end;

		/** When the outage was over, and when it is known that this writes again. */
		private volatile long over;

		private volatile CompletableFuture<Duration> back;

		Writer(BooleanSupplier write) {
			Thread thread = new Thread(() -> {
				while (!this.end) {
					boolean written = write.getAsBoolean();
					CompletableFuture<Duration> back = this.back;
					if (written && back != null) {
						back.complete(Duration.ofNanos(System.nanoTime() - this.over));
					}
					LockSupport.parkNanos(PAUSE.toNanos());
				}
			});
			thread.setDaemon(true);
			thread.start();
		}

		CompletableFuture<Duration> next() {
			this.over = System.nanoTime();
			CompletableFuture<Duration> next = new CompletableFuture<>();
			this.back = next;
			return next;
		}

	}

}
