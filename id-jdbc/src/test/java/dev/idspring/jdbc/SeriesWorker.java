package dev.idspring.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.testsupport.TestDatabase;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A program that inserts rows with ids of the strategy {@code recycled}, with one thread
 * for each series, until it is killed or its input ends.
 */
final class SeriesWorker {

	static final int SERIES = 4;

	static final int SERIES_SIZE = 20_000;

	static final int WINDOW = 50;

	static final Duration LEASE = Duration.ofSeconds(2);

	private SeriesWorker() {
	}

	public static void main(String[] arguments) throws Exception {
		TestDatabase database = new TestDatabase(arguments[0], arguments[1], arguments[2], arguments[3]);
		String worker = UUID.randomUUID().toString();
		HikariDataSource application = database.pool(SERIES);
		application.setConnectionTimeout(Duration.ofMinutes(1).toMillis());
		HikariDataSource store = database.pool(1);
		JdbcDatabase ids = TestStores.database(store, "ids_");
		try (BlockIdGenerator generator = BlockIdGenerator
			.recycled("orders", new RecycledSettings(SERIES_SIZE, 1_000_000_000L), new SeriesSettings(SERIES, LEASE),
					new JdbcKeySpaceStore(ids), new JdbcSlotStore(ids))
			.blockSettings(new BlockSettings(WINDOW, WINDOW, Duration.ofSeconds(30), Duration.ZERO))
			.open()) {
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < SERIES; i++) {
				Thread thread = new Thread(() -> insert(generator, new JdbcTemplate(application), worker));
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

	private static void insert(IdGenerator generator, JdbcTemplate jdbc, String worker) {
		while (!Thread.currentThread().isInterrupted()) {
			try {
				jdbc.update("insert into orders (id, worker) values (?, ?)", generator.nextLong(), worker);
			}
			catch (DuplicateKeyException ex) {
				System.out.println("DUPLICATE " + ex.getMessage());
				System.out.flush();
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

}
