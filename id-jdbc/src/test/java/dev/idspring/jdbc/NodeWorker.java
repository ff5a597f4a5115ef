package dev.idspring.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.ClockException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.NodeUnavailableException;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.time.ClockSettings;
import dev.idspring.time.NodeSettings;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.TimeSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A program that inserts rows with ids of a snowflake generator, until it is killed or
 * its input ends. Its clock is wrong, and is sometimes set to another wrong time.
 */
final class NodeWorker {

	static final Duration LEASE = Duration.ofSeconds(2);

	private static final int THREADS = 2;

	private NodeWorker() {
	}

	public static void main(String[] arguments) throws Exception {
		TestDatabase database = new TestDatabase(arguments[0], arguments[1], arguments[2], arguments[3]);
		String worker = UUID.randomUUID().toString();
		HikariDataSource application = database.pool(THREADS);
		application.setConnectionTimeout(Duration.ofMinutes(1).toMillis());
		HikariDataSource store = database.pool(1);
		JdbcDatabase ids = TestStores.database(store, "ids_");
		ShiftedClock clock = new ShiftedClock(new Random());
		try (TimeIdGenerator generator = open(ids, clock)) {
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				Thread thread = new Thread(() -> insert(generator, new JdbcTemplate(application), worker, clock));
				thread.setDaemon(true);
				thread.start();
				threads.add(thread);
			}
			System.in.read();
			threads.forEach(Thread::interrupt);
			for (Thread thread : threads) {
				thread.join();
			}
		}
		System.out.println("STOPPED");
	}

	private static TimeIdGenerator open(JdbcDatabase ids, ShiftedClock clock) throws InterruptedException {
		SnowflakeSettings settings = new SnowflakeSettings(Instant.parse("2024-01-01T00:00:00Z"), 41, 2, 2,
				Tail.ROLLING);
		while (true) {
			try {
				return TimeIdGenerator.builder("events", settings.scheme())
					.store(new JdbcKeySpaceStore(ids), new JdbcSlotStore(ids))
					.node(NodeSettings.lease(LEASE))
					.clock(new ClockSettings(Duration.ofSeconds(1), Duration.ofMinutes(1)))
					.waitTimeout(Duration.ofSeconds(10))
					.timeSource(clock)
					.open();
			}
			catch (ClockException | NodeUnavailableException ex) {
				clock.setWrong();
				Thread.sleep(100);
			}
		}
	}

	private static void insert(TimeIdGenerator generator, JdbcTemplate jdbc, String worker, ShiftedClock clock) {
		Random random = new Random();
		while (!Thread.currentThread().isInterrupted()) {
			try {
				long[] ids = random.nextBoolean() ? generator.nextLongs(1 + random.nextInt(20))
						: new long[] { generator.nextLong() };
				jdbc.batchUpdate("insert into events (id, node, worker) values (?, ?, ?)",
						Arrays.stream(ids)
							.mapToObj((id) -> new Object[] { id, generator.describe(id).node(), worker })
							.toList());
				if (random.nextInt(500) == 0) {
					clock.setWrong();
				}
			}
			catch (DuplicateKeyException ex) {
				System.out.println("DUPLICATE " + ex.getMessage());
				System.out.flush();
			}
			catch (ClockException ex) {
				System.out.println("CLOCK ERROR");
				clock.setWrong();
				LockSupport.parkNanos(5_000_000);
			}
			catch (NodeUnavailableException | IdStoreUnavailableException ex) {
				// retry
			}
			catch (RuntimeException ex) {
				if (!Thread.currentThread().isInterrupted()) {
					System.out.println("FAILED " + ex);
					System.out.flush();
					ex.printStackTrace();
				}
				return;
			}
		}
	}

	/**
	 * A clock that advances only every 100 milliseconds, so that ids are likely to repeat
	 * if a time is used twice. The wall clock is set ahead or back.
	 */
	private static final class ShiftedClock implements TimeSource {

		private static final long TICK = 100;

		private final Random random;

		private volatile long wallClockOffset;

		ShiftedClock(Random random) {
			this.random = random;
			setWrong();
		}

		/**
		 * Set the wall clock wrong by up to 40 seconds, and sometimes by up to an hour.
		 */
		void setWrong() {
			int seconds = (this.random.nextInt(8) == 0) ? 3_600 : 40;
			this.wallClockOffset = (this.random.nextInt(2 * seconds) - seconds) * 1_000L;
		}

		@Override
		public long nanoTime() {
			return System.nanoTime() / (TICK * 1_000_000) * TICK * 1_000_000;
		}

		@Override
		public Instant instant() {
			return Instant.ofEpochMilli(System.currentTimeMillis() / TICK * TICK + this.wallClockOffset);
		}

	}

}
