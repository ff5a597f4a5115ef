package dev.idspring.benchmarks.scopes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.scopes.ScopesResults.Round;
import dev.idspring.gapless.scope.ScopedGaplessIdGenerator;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcGaplessStore;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.jdbc.JdbcSettings;
import dev.idspring.keyspace.KeySpaceSettings.ScopedSettings;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.text.ScopePattern;
import dev.idspring.text.ScopePeriod;
import dev.idspring.worker.Deadline;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Uses concurrent writers to insert rows of tenants, one row per transaction. The same
 * transaction also draws the number of the row. The numbers belong to a single tenant or
 * to many tenants. For comparison, rows with a random string instead of a number are
 * inserted as well. These variants are measured in turn, several times.
 */
public final class ScopesPart {

	/** The name of the file with the results of this part. */
	public static final String NAME = "scopes";

	private static final int WRITERS = 16;

	/**
	 * How many tenants each variant has. The value 0 means a variant with 100 tenants,
	 * whose rows have a random string instead of a number.
	 */
	private static final List<Integer> TENANTS = List.of(0, 1, 100);

	private final List<Round> rounds = new ArrayList<>();

	private final Results results;

	private final Duration warmup;

	private final Duration measurement;

	private final int repetitions;

	private ScopesPart(Results results, Mode mode) {
		this.results = results;
		this.warmup = mode.warmup();
		this.measurement = mode.measurement().multipliedBy(2);
		this.repetitions = (mode == Mode.FULL) ? 5 : 1;
	}

	/**
	 * Run this part.
	 * @param args the directory of the results, and the mode
	 */
	public static void main(String[] args) {
		new ScopesPart(new Results(Path.of(args[0])), Mode.valueOf(args[1])).run();
		System.exit(0);
	}

	private void run() {
		try (DatabaseProcess process = DatabaseProcess.postgresql(Map.of())) {
			run("PostgreSQL", process.server());
		}
		try (DatabaseProcess process = DatabaseProcess.mariadb(List.of())) {
			process.server().execute("create database scopes");
			run("MariaDB", process.server().withUrlSuffix("scopes"));
		}
	}

	private void run(String server, TestDatabase database) {
		try (HikariDataSource pool = database.pool(2 * WRITERS)) {
			new JdbcSchema(pool, "ids_").create();
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			jdbc.execute("create table invoice (tenant varchar(20) not null, number_text varchar(40) not null,"
					+ " primary key (tenant, number_text))");
			Deadline deadline = Deadline.in(Duration.ofSeconds(30));
			JdbcDatabase opened = JdbcDatabase.open(pool, JdbcSettings.defaults("ids_"), deadline);
			JdbcGaplessStore store = new JdbcGaplessStore(pool, opened);
			store.open(deadline);
			try (ScopedGaplessIdGenerator ids = ScopedGaplessIdGenerator
				.builder("invoices",
						new ScopedSettings(1, Long.MAX_VALUE - 1, ScopePeriod.YEAR,
								ScopePattern.of("{scope}-{yyyy}-{n:5}", ScopePeriod.YEAR)),
						new JdbcKeySpaceStore(opened), store)
				.waitTimeout(Duration.ofSeconds(30))
				.open()) {
				TENANTS.forEach((tenants) -> rowsPerSecond(pool, ids, tenants, this.warmup));
				for (int i = 0; i < this.repetitions; i++) {
					for (int tenants : TENANTS) {
						Round round = new Round(server, tenants, rowsPerSecond(pool, ids, tenants, this.measurement));
						System.out.printf(Locale.ROOT, "%-12s %4d tenants %,10.0f rows/s%n", server, tenants,
								round.rowsPerSecond());
						this.rounds.add(round);
						this.results.write(NAME,
								new ScopesResults(WRITERS, this.measurement.toMillis() / 1000.0, this.rounds));
					}
				}
			}
		}
	}

	private static double rowsPerSecond(HikariDataSource pool, ScopedIdGenerator ids, int tenants, Duration time) {
		JdbcTemplate jdbc = new JdbcTemplate(pool);
		TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
		AtomicLong rows = new AtomicLong();
		long begin = System.nanoTime();
		long end = begin + time.toNanos();
		List<CompletableFuture<Void>> writers = IntStream.range(0, WRITERS)
			.mapToObj((writer) -> CompletableFuture.runAsync(() -> {
				Random random = new Random(writer + begin);
				while (System.nanoTime() < end) {
					transaction.executeWithoutResult((status) -> {
						String tenant = "t" + ((tenants > 0) ? random.nextInt(tenants) : random.nextInt(100));
						String number = (tenants > 0) ? ids.in(tenant).nextString()
								: Long.toHexString(random.nextLong());
						jdbc.update("insert into invoice (tenant, number_text) values (?, ?)", tenant, number);
					});
					rows.incrementAndGet();
				}
			}, (task) -> new Thread(task).start()))
			.toList();
		writers.forEach(CompletableFuture::join);
		return rows.get() / ((System.nanoTime() - begin) / 1e9);
	}

}
