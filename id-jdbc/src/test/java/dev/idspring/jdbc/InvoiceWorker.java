package dev.idspring.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.gapless.scope.ScopedGaplessIdGenerator;
import dev.idspring.keyspace.KeySpaceSettings.ScopedSettings;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.text.ScopePattern;
import dev.idspring.text.ScopePeriod;

/**
 * A program whose threads write invoices of many tenants until it is killed, or until its
 * input ends. The program shifts the store's clock, so that the year ends at a given
 * time.
 */
final class InvoiceWorker {

	/**
	 * A line that each thread prints from time to time after the year has ended.
	 */
	static final String NEW_YEAR = "NEW YEAR";

	private InvoiceWorker() {
	}

	/**
	 * Write invoices.
	 * @param arguments URL, user, password and platform of the database; the number of
	 * threads; the number of tenants; the end of the year; whether some transactions are
	 * rolled back
	 */
	public static void main(String[] arguments) throws Exception {
		TestDatabase database = new TestDatabase(arguments[0], arguments[1], arguments[2], arguments[3]);
		int writers = Integer.parseInt(arguments[4]);
		int tenants = Integer.parseInt(arguments[5]);
		Instant yearEnds = Instant.parse(arguments[6]);
		long clockOffset = Duration.between(yearEnds, Instant.parse(InvoiceWriter.NEW_YEAR)).toMillis();
		boolean rollsBack = Boolean.parseBoolean(arguments[7]);
		HikariDataSource pool = database.pool(writers + 2);
		if (TestStores.initialize(pool, database, "ids_")) {
			InvoiceWriter.createTable(pool);
		}
		JdbcGaplessStore store = new JdbcGaplessStore(pool, TestStores.database(pool, "ids_"), () -> clockOffset);
		store.open(TestStores.deadline());
		try (ScopedGaplessIdGenerator ids = ScopedGaplessIdGenerator
			.builder("invoices",
					new ScopedSettings(1, Long.MAX_VALUE - 1, ScopePeriod.YEAR,
							ScopePattern.of(InvoiceWriter.PATTERN, ScopePeriod.YEAR)),
					TestStores.keySpaces(pool), store)
			.maxScopes(1_000)
			.waitTimeout(Duration.ofSeconds(60))
			.open()) {
			InvoiceWriter writer = new InvoiceWriter(ids, pool, tenants, rollsBack);
			AtomicBoolean stopping = new AtomicBoolean();
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < writers; i++) {
				Thread thread = new Thread(() -> write(writer, yearEnds, stopping));
				thread.setDaemon(true);
				thread.start();
				threads.add(thread);
			}
			System.in.read();
			// a flag instead of an interrupt, because some databases ignore interrupts
			stopping.set(true);
			for (Thread thread : threads) {
				thread.join();
			}
		}
		System.out.println("STOPPED");
	}

	private static void write(InvoiceWriter writer, Instant yearEnds, AtomicBoolean stopping) {
		Random random = new Random();
		for (int i = 0; !stopping.get(); i++) {
			try {
				writer.write(random);
				if (i % 10 == 0 && Instant.now().isAfter(yearEnds)) {
					System.out.println(NEW_YEAR);
				}
			}
			catch (IdStoreUnavailableException ex) {
				// the whole transaction was rolled back, for example because another
				// transaction locked the file of the database for too long
			}
			catch (RuntimeException ex) {
				System.out.println("FAILED " + ex);
			}
		}
	}

}
