package dev.idspring.benchmarks.inserts;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;

import dev.idspring.IdGenerators;
import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.inserts.KeyScheme.KeySource;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.TestDatabase;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Inserts small rows with concurrent writers into tables that differ only in the source
 * of their keys (the key scheme). For each number of writers, the key schemes are
 * measured in several rounds, each of which measures every scheme once. So the results of
 * a round, which are compared with each other, were measured within a minute. The order
 * of the schemes changes in each round. Otherwise each scheme would always follow the
 * same other scheme, whose pages are still in memory. Before all rounds, each scheme runs
 * once as a warm-up, whose speed does not count.
 */
public final class InsertsPart {

	/** The name of the file with the results of this part. */
	public static final String NAME = "inserts";

	/** The number of rows per batch. */
	public static final int BATCH = 100;

	/** The title of the scheme with which all others are compared. */
	public static final String BASE = KeyScheme.IDENTITY.title();

	/** The titles of all schemes. */
	public static final List<String> TITLES = Arrays.stream(KeyScheme.values()).map(KeyScheme::title).toList();

	private static final int PRELOADED_AT_ONCE = 1_000;

	/**
	 * The seed for the order of the schemes, which is random but the same whenever the
	 * program runs.
	 */
	private static final long SEED = 9;

	private final InsertsResults insertsResults;

	private final Results results;

	private final Mode mode;

	private final Duration measurement;

	private final int rounds;

	private InsertsPart(Results results, Mode mode) {
		this.results = results;
		this.mode = mode;
		this.measurement = Duration.ofMillis((mode == Mode.FULL) ? 1500 : 500);
		this.rounds = (mode == Mode.FULL) ? 5 : 1;
		this.insertsResults = InsertsResults.empty((mode == Mode.FULL) ? 200_000 : 20_000,
				this.measurement.toMillis() / 1000.0);
	}

	/**
	 * Run this part.
	 * @param args the directory of the results, and the mode
	 */
	public static void main(String[] args) {
		InsertsPart part = new InsertsPart(new Results(Path.of(args[0])), Mode.valueOf(args[1]));
		part.run();
		System.exit(part.insertsResults.runs().isEmpty() ? 1 : 0);
	}

	private void run() {
		for (Engine engine : Engine.values()) {
			tryTo("measure " + engine.title(), () -> {
				String externalUrl = System.getenv("IDS_TEST_" + engine.name() + "_URL");
				if (externalUrl != null) {
					TestDatabase database = engine.externalDatabase();
					try {
						run(engine, database);
					}
					finally {
						database.drop();
					}
					return null;
				}
				try (DatabaseProcess process = engine.start()) {
					run(engine, engine.database(process.server()));
				}
				return null;
			});
		}
	}

	private void tryTo(String description, Callable<?> task) {
		System.out.println("Inserts: " + description);
		try {
			task.call();
		}
		catch (Exception ex) {
			System.out.println("  failed: " + ex);
			this.insertsResults.failures().add(description + ": " + ex);
		}
		this.results.write(NAME, this.insertsResults);
	}

	private List<Integer> writers() {
		return (this.mode == Mode.FULL) ? List.of(1, 4, 10, 16) : List.of(1, 10);
	}

	private void run(Engine engine, TestDatabase database) {
		int mostWriters = writers().stream().mapToInt(Integer::intValue).max().orElseThrow();
		try (ConfigurableApplicationContext context = InsertsApplication.start(database, mostWriters)) {
			JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
			KeySource source = new KeySource(engine, jdbc, context.getBean(IdGenerators.class));
			TransactionTemplate transactions = new TransactionTemplate(
					context.getBean(PlatformTransactionManager.class));
			this.insertsResults.servers()
				.add(engine.title() + " "
						+ String.valueOf(jdbc.queryForObject("select version()", String.class))
							.replaceAll("^PostgreSQL ", "")
							.split("[ (-]")[0]);
			Map<KeyScheme, Usage> usages = new EnumMap<>(KeyScheme.class);
			for (KeyScheme scheme : KeyScheme.values()) {
				tryTo("fill " + scheme.title() + " on " + engine.title(), () -> {
					usages.put(scheme, preload(source, transactions, scheme));
					return null;
				});
			}
			List<KeyScheme> schemes = new ArrayList<>(usages.keySet());
			Random random = new Random(SEED);
			for (KeyScheme scheme : schemes) {
				tryTo("warm up %s on %s".formatted(scheme.title(), engine.title()),
						() -> run(source, transactions, scheme, mostWriters, 1, 0, usages.get(scheme)));
			}
			for (int batch : List.of(1, BATCH)) {
				for (int writers : writers()) {
					for (int round = 0; round < this.rounds; round++) {
						Collections.shuffle(schemes, random);
						int currentRound = round;
						for (KeyScheme scheme : schemes) {
							tryTo("%s on %s, %d writers, %d rows".formatted(scheme.title(), engine.title(), writers,
									batch),
									() -> this.insertsResults.runs()
										.add(run(source, transactions, scheme, writers, batch, currentRound,
												usages.get(scheme))));
						}
					}
				}
			}
			usages.forEach((scheme, usage) -> this.insertsResults.sizes().add(size(source, scheme, usage)));
			this.results.write(NAME, this.insertsResults);
		}
	}

	private Usage preload(KeySource source, TransactionTemplate transactions, KeyScheme scheme) {
		source.jdbc()
			.execute("create table %s (id %s primary key, customer bigint not null, note varchar(100) not null)"
				.formatted(scheme.table(), source.engine().column(scheme.column())));
		Writer writer = new Writer(source, transactions, scheme, PRELOADED_AT_ONCE);
		for (int rows = 0; rows < this.insertsResults.preloaded(); rows += PRELOADED_AT_ONCE) {
			writer.insert();
		}
		return new Usage();
	}

	private InsertsResults.Run run(KeySource source, TransactionTemplate transactions, KeyScheme scheme, int writers,
			int batch, int round, Usage usage) throws InterruptedException {
		long log = source.engine().logPosition(source.jdbc());
		long misses = source.engine().misses(source.jdbc(), scheme.table());
		usage.begin(misses);
		List<Writer> all = new ArrayList<>();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < writers; i++) {
			Writer writer = new Writer(source, transactions, scheme, batch);
			all.add(writer);
			threads.add(new Thread(writer));
		}
		long begin = System.nanoTime() + this.measurement.dividedBy(4).toNanos();
		all.forEach((writer) -> writer.measure(begin, begin + this.measurement.toNanos()));
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		for (Writer writer : all) {
			writer.rethrow();
		}
		usage.add(all.stream().mapToLong(Writer::allRows).sum(), source.engine().logPosition(source.jdbc()) - log,
				source.engine().misses(source.jdbc(), scheme.table()) - misses);
		long commits = all.stream().mapToLong(Writer::commits).sum();
		return new InsertsResults.Run(source.engine().title(), scheme.title(), writers, batch, round,
				commits * batch / (this.measurement.toNanos() / 1e9), commits,
				all.stream().mapToLong(Writer::deadlocks).sum(), all.stream().mapToLong(Writer::duplicates).sum());
	}

	private static InsertsResults.Size size(KeySource source, KeyScheme scheme, Usage usage) {
		// read this first, because counting the rows also reads pages
		long misses = source.engine().countsMissesPerTable()
				? source.engine().misses(source.jdbc(), scheme.table()) - usage.missesBefore : usage.misses;
		Long rows = source.jdbc().queryForObject("select count(*) from " + scheme.table(), Long.class);
		return new InsertsResults.Size(source.engine().title(), scheme.title(), (rows != null) ? rows : 0,
				source.engine().tableBytes(source.jdbc(), scheme.table()),
				source.engine().indexBytes(source.jdbc(), scheme.table()), usage.perRow(usage.logBytes),
				usage.perRow(misses));
	}

	/**
	 * The server's work for the rows of a scheme.
	 */
	private static final class Usage {

		private long rows;

		private long logBytes;

		private long misses;

		/**
		 * The number of cache misses when the first run began. The difference between
		 * this number and the number at the end is more precise than the sum over the
		 * runs, because sessions report their reads up to a second late.
		 */
		private long missesBefore = -1;

		void begin(long misses) {
			if (this.missesBefore < 0) {
				this.missesBefore = misses;
			}
		}

		void add(long rows, long logBytes, long misses) {
			this.rows += rows;
			this.logBytes += logBytes;
			this.misses += misses;
		}

		double perRow(long sum) {
			return (double) sum / Math.max(1, this.rows);
		}

	}

}
