package dev.idspring.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.jdbc.TestStores;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.Report;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.WorkerProcess;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcUtils;

/**
 * Workers, the database they use, and the network between, to all of which faults happen
 * one after the other. While a fault lasts, every caller must be answered, with an id or
 * with an error; and once it is over, every generator of every instance must issue ids
 * again, without a restart. In the end the {@link Ledger} says what is wrong with what
 * was issued.
 */
final class Laboratory implements AutoCloseable {

	/** The second worker is two instances. */
	private static final List<Integer> CONTEXTS = List.of(1, 2);

	private static final int LEASE_MILLIS = 2_000;

	/** How many connections the server allows while somebody else uses them up. */
	private static final int MOST_CONNECTIONS = 60;

	/** Those who reserve in advance, and little. */
	private static final Set<LabGenerator> IMPATIENT = EnumSet.of(LabGenerator.CODES, LabGenerator.ROWS,
			LabGenerator.LINES, LabGenerator.INVOICES);

	/** Where two cannot be served at the same time. */
	private static final Set<LabGenerator> TRANSACTIONAL = EnumSet.of(LabGenerator.INVOICES);

	private static final Set<LabGenerator> ALL = EnumSet.allOf(LabGenerator.class);

	private final DatabaseProcess process;

	private final Random random;

	private final long pauseMicros;

	private final Path directory;

	private final FaultProxy proxy;

	private final TestDatabase direct;

	private final TestDatabase proxied;

	private final List<Worker> workers = new ArrayList<>();

	private final List<String> violations = new ArrayList<>();

	private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);

	private final Map<Fault, Integer> failuresFelt = new EnumMap<>(Fault.class);

	private final List<String> story = new ArrayList<>();

	private final Report report;

	private int instances;

	/** What is felt of the fault that happens. */
	private Felt felt;

	Laboratory(DatabaseProcess process, long seed, long pauseMicros) {
		this.process = process;
		this.random = new Random(seed);
		this.pauseMicros = pauseMicros;
		TestDatabase server = process.server();
		try {
			this.directory = Files.createTempDirectory(
					Files.createDirectories(Path.of("target", "lab")).toAbsolutePath(), server.platform());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		// other tests may have a laboratory at the same time
		this.report = new Report(server.platform(),
				this.directory.resolveSibling("report-" + this.directory.getFileName() + ".txt"));
		this.direct = createDatabase(server);
		this.felt = new Felt(this.directory, this::watched);
		this.proxy = new FaultProxy(process.port(), new Random(seed));
		this.proxied = new TestDatabase(
				this.direct.url().replaceAll("//[^/]*/", "//127.0.0.1:" + this.proxy.port() + "/"), "lab", "lab",
				this.direct.platform());
	}

	/**
	 * Return a server whose connections can be used up, which acknowledges commits before
	 * they are on disk unless it is told not to, and soon looks for deadlocks.
	 */
	static DatabaseProcess postgresql() {
		return DatabaseProcess.postgresql(Map.of("max_connections", Integer.toString(MOST_CONNECTIONS),
				"synchronous_commit", "off", "deadlock_timeout", "200ms"));
	}

	/**
	 * Create a database, and a user who may only do what ids need: what an administrator
	 * may do even where nothing can be written must not count.
	 */
	private static TestDatabase createDatabase(TestDatabase server) {
		boolean postgresql = server.platform().equals("postgresql");
		server.execute("create database lab");
		TestDatabase lab = new TestDatabase(server.url().replaceAll("/[^/]*$", "/lab"), server.username(),
				server.password(), server.platform());
		try (HikariDataSource pool = lab.pool(1)) {
			TestStores.initialize(pool, lab, "ids_");
			TestDatabase.execute(pool, "create table " + Callers.INVOICES + " (id bigint not null primary key)",
					postgresql ? "create user lab password 'lab'" : "create user lab@localhost identified by 'lab'");
			for (String table : List.of("ids_key_space", "ids_slot", "ids_gapless", Callers.INVOICES)) {
				TestDatabase.execute(pool,
						"grant select, insert, update on " + table + " to " + (postgresql ? "lab" : "lab@localhost"));
			}
		}
		return lab;
	}

	/**
	 * Let faults happen, each of them once, and again in another order.
	 * @param faults by name
	 * @param rounds how often
	 */
	void run(List<String> faults, int rounds) {
		CONTEXTS.forEach((contexts) -> this.workers.add(start(contexts)));
		awaitIds("the start");
		List<String> order = new ArrayList<>(faults);
		for (int i = 0; i < rounds; i++) {
			Collections.shuffle(order, this.random);
			order.stream().takeWhile((fault) -> this.violations.isEmpty()).map(Fault::valueOf).forEach(this::happen);
		}
		if (this.violations.isEmpty()) {
			this.workers.forEach(this::stop);
			verify();
		}
	}

	/**
	 * Return the names of the faults of some kinds.
	 */
	static List<String> faults(Kind... kinds) {
		return Arrays.stream(Fault.values())
			.filter((fault) -> List.of(kinds).contains(fault.kind))
			.map(Fault::name)
			.toList();
	}

	private void happen(Fault fault) {
		long started = System.nanoTime();
		this.story.add(fault.name());
		this.counts.merge(fault, 1, Integer::sum);
		this.felt = new Felt(this.directory, this::watched);
		fault.happen(this);
		this.felt.look();
		long lasted = System.nanoTime() - started;
		awaitIds(fault.name());
		this.report.line("%s: %d ms and %d ms until all had recovered; %s", fault, lasted / 1_000_000,
				(System.nanoTime() - started - lasted) / 1_000_000, this.felt);
		this.failuresFelt.merge(fault,
				this.felt.failures() + this.felt.count(StoreEvent.NOT_CONFIRMED) + this.felt.count(StoreEvent.IN_DOUBT),
				Integer::sum);
	}

	/**
	 * Return the instances that there are now.
	 */
	private List<String> watched() {
		return this.workers.stream().flatMap((worker) -> worker.instances().stream()).toList();
	}

	/**
	 * Wait until each of these generators has failed a caller.
	 */
	private void awaitFailures(Set<LabGenerator> generators) {
		awaitFelt("failed nobody of " + generators,
				() -> generators.stream().allMatch((generator) -> this.felt.failures(generator) > 0));
	}

	private void awaitFelt(String otherwise, BooleanSupplier enough) {
		if (!this.felt.await(Watch.PATIENCE, enough)) {
			this.violations.add(this.story.get(this.story.size() - 1) + " " + otherwise + ": " + this.felt);
		}
	}

	private void command(String line) {
		this.workers.forEach((worker) -> worker.process().command(line));
	}

	private Worker start(int contexts) {
		List<String> names = IntStream.range(0, contexts).mapToObj((i) -> instance(this.instances++)).toList();
		WorkerProcess process = WorkerProcess.start(LabWorker.class, this.directory.resolve("worker.log"),
				this.proxied.url(), this.proxied.username(), this.proxied.password(), this.proxied.platform(),
				this.directory.toString(), String.join(",", names), Long.toString(this.pauseMicros));
		return new Worker(process, names);
	}

	private void stop(Worker worker) {
		if (!worker.process().stop()) {
			this.violations.add(worker.instances() + " did not stop in order: " + worker.process().end());
			worker.process().kill();
		}
	}

	private void kill(Worker worker) {
		worker.process().kill();
	}

	private void replace(Worker worker) {
		this.workers.set(this.workers.indexOf(worker), start(worker.instances().size()));
	}

	private Worker anyWorker() {
		return this.workers.get(this.random.nextInt(this.workers.size()));
	}

	private int upTo(int millis) {
		return 1 + this.random.nextInt(millis);
	}

	private static void pause(long millis) {
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void awaitIds(String after) {
		tell(watch().awaitIds(), "issued nothing after " + after);
	}

	private void awaitAnswers(String during) {
		tell(watch().awaitAnswers(), "was not answered during " + during);
	}

	private void tell(List<String> waiting, String problem) {
		if (!waiting.isEmpty()) {
			this.violations.add(waiting + " " + problem);
		}
	}

	private Watch watch() {
		return watch(this.workers);
	}

	private Watch watch(List<Worker> watched) {
		return new Watch(this.directory, watched.stream().flatMap((worker) -> worker.instances().stream()).toList(),
				() -> !watched.stream().allMatch((worker) -> worker.process().isAlive()));
	}

	private void verify() {
		Ledger ledger = Ledger.read(this.directory,
				IntStream.range(0, this.instances).mapToObj(Laboratory::instance).toList());
		try (HikariDataSource pool = this.direct.pool(1)) {
			ledger.verify(new JdbcTemplate(pool));
		}
		this.violations.addAll(ledger.violations());
		this.report.line("faults %s", this.counts);
		this.report.line("failures felt by callers and stores %s", this.failuresFelt);
		this.report.line("%d instances, %s", this.instances, ledger.summary());
		this.report.print();
	}

	private static String instance(int number) {
		return "i" + number;
	}

	/**
	 * Return what is wrong.
	 */
	List<String> violations() {
		return this.violations;
	}

	/**
	 * Return what has happened, in order, and where to look.
	 */
	String story() {
		return this.story.stream()
			.collect(Collectors.joining(", ", "after ", "; the log is " + this.directory + "/worker.log"));
	}

	@Override
	public void close() {
		this.workers.stream().map(Worker::process).filter(WorkerProcess::isAlive).forEach(WorkerProcess::kill);
		this.proxy.close();
		this.process.close();
	}

	/**
	 * What faults happen to.
	 */
	enum Kind {

		WORKER, DATABASE, NETWORK,

		/** Clocks, memory, connections and locks. */
		RESOURCE

	}

	/**
	 * What happens.
	 */
	private enum Fault {

		WORKER_KILLED(Kind.WORKER) {
			@Override
			void happen(Laboratory lab) {
				Worker worker = lab.anyWorker();
				lab.kill(worker);
				lab.replace(worker);
			}
		},

		WORKER_STOPPED(Kind.WORKER) {
			@Override
			void happen(Laboratory lab) {
				Worker worker = lab.anyWorker();
				lab.stop(worker);
				lab.replace(worker);
			}
		},

		WORKER_FROZEN(Kind.WORKER) {
			@Override
			void happen(Laboratory lab) {
				Worker worker = lab.anyWorker();
				worker.process().freeze();
				pause(lab.upTo(2 * LEASE_MILLIS));
				worker.process().thaw();
			}
		},

		/** The one that is started takes over while the other cannot know. */
		WORKER_FROZEN_WHILE_ANOTHER_STARTS(Kind.WORKER) {
			@Override
			void happen(Laboratory lab) {
				Worker frozen = lab.anyWorker();
				frozen.process().freeze();
				Worker another = lab.start(frozen.instances().size());
				pause(LEASE_MILLIS);
				lab.tell(lab.watch(List.of(another)).awaitIdsBesideFrozen(), "issued nothing while others were frozen");
				frozen.process().thaw();
				lab.workers.add(another);
				lab.awaitIds(name());
				lab.workers.remove(another);
				lab.stop(another);
			}
		},

		WORKERS_CLOCKS_MOVED(Kind.RESOURCE) {
			@Override
			void happen(Laboratory lab) {
				lab.workers.forEach((worker) -> worker.process()
					.command(LabWorker.CLOCK + (lab.random.nextInt(2 * SKEW_MILLIS) - SKEW_MILLIS)));
				lab.awaitAnswers(name());
				lab.command(LabWorker.CLOCK + 0);
			}
		},

		DATABASE_CLOCK_MOVED(Kind.RESOURCE) {
			@Override
			void happen(Laboratory lab) {
				LabClock.setDatabase(lab.directory, lab.random.nextInt(2 * SKEW_MILLIS) - SKEW_MILLIS);
				lab.awaitAnswers(name());
				pause(lab.upTo(LEASE_MILLIS));
				LabClock.setDatabase(lab.directory, 0);
			}
		},

		CALLERS_INTERRUPTED(Kind.RESOURCE) {
			@Override
			void happen(Laboratory lab) {
				lab.process.freeze();
				lab.awaitFelt("interrupted nobody", () -> {
					lab.command(LabWorker.INTERRUPT);
					return lab.felt.count(Answer.INTERRUPTED) >= IMPATIENT.size();
				});
				lab.process.thaw();
			}
		},

		/** In what callers do themselves, and in what is done for them. */
		MEMORY_EXHAUSTED(Kind.RESOURCE) {
			@Override
			void happen(Laboratory lab) {
				lab.command(LabWorker.MEMORY + true);
				lab.awaitFelt("had memory for all",
						() -> ALL.stream()
							.filter((generator) -> lab.felt.count(generator, Answer.OUT_OF_MEMORY) > 0)
							.count() >= ALL.size() / 2 && lab.felt.count(LabGenerator.ROWS, Answer.REFUSED) > 0);
				lab.command(LabWorker.MEMORY + false);
			}
		},

		DATABASE_STOPPED(Kind.DATABASE) {
			@Override
			void happen(Laboratory lab) {
				lab.process.stop();
				lab.awaitFailures(IMPATIENT);
				lab.process.start();
			}
		},

		DATABASE_KILLED(Kind.DATABASE) {
			@Override
			void happen(Laboratory lab) {
				lab.process.kill();
				lab.awaitFailures(IMPATIENT);
				lab.process.start();
			}
		},

		/** For longer than a lease: time that was reserved runs out as well. */
		DATABASE_FROZEN(Kind.DATABASE) {
			@Override
			void happen(Laboratory lab) {
				lab.process.freeze();
				lab.awaitFailures(ALL);
				lab.process.thaw();
			}
		},

		DATABASE_FROZEN_AND_WORKER_KILLED(Kind.DATABASE) {
			@Override
			void happen(Laboratory lab) {
				lab.process.freeze();
				Worker worker = lab.anyWorker();
				pause(lab.upTo(500));
				lab.kill(worker);
				lab.process.thaw();
				lab.replace(worker);
			}
		},

		DATABASE_READ_ONLY(Kind.DATABASE) {
			@Override
			void happen(Laboratory lab) {
				lab.setReadOnly(true);
				lab.awaitFailures(IMPATIENT);
				lab.setReadOnly(false);
			}
		},

		CONNECTIONS_USED_UP(Kind.RESOURCE) {
			@Override
			void happen(Laboratory lab) {
				lab.useUpConnections();
			}
		},

		LOCKS_AND_DEADLOCKS(Kind.RESOURCE) {
			@Override
			void happen(Laboratory lab) {
				lab.lockRowsInAnyOrder();
			}
		},

		/** Of numbers without gaps, which wait for each other. */
		SERIALIZATION_FAILURES(Kind.RESOURCE) {
			@Override
			void happen(Laboratory lab) {
				lab.command(LabWorker.STRICT + true);
				if (lab.isPostgresql()) {
					lab.awaitFailures(TRANSACTIONAL);
				}
				else {
					// there it is a matter of locks as well
					lab.awaitAnswers(name());
				}
				lab.command(LabWorker.STRICT + false);
			}
		},

		CONNECTIONS_CUT(Kind.NETWORK) {
			@Override
			void happen(Laboratory lab) {
				for (int i = 0; i < 10; i++) {
					lab.proxy.cutAll();
					pause(lab.upTo(200));
				}
				lab.awaitFailures(TRANSACTIONAL);
			}
		},

		/** Before statements, between them and the commit, and after it was sent. */
		CONNECTIONS_CUT_AT_ANY_BYTE(Kind.NETWORK) {
			@Override
			void happen(Laboratory lab) {
				lab.proxy.set(FaultProxy.Weather.cutting(10_000));
				lab.awaitFailures(TRANSACTIONAL);
				pause(lab.upTo(2_000));
				lab.proxy.set(FaultProxy.Weather.FAIR);
			}
		},

		QUESTIONS_SWALLOWED(Kind.NETWORK) {
			@Override
			void happen(Laboratory lab) {
				lab.proxy.set(new FaultProxy.Weather(0, true, false, 0));
				lab.awaitFailures(IMPATIENT);
				lab.proxy.set(FaultProxy.Weather.FAIR);
			}
		},

		/** The commit is done, and nobody hears of it. */
		ANSWERS_SWALLOWED(Kind.NETWORK) {
			@Override
			void happen(Laboratory lab) {
				lab.proxy.set(new FaultProxy.Weather(0, false, true, 0));
				lab.awaitFailures(IMPATIENT);
				lab.proxy.set(FaultProxy.Weather.FAIR);
			}
		},

		/** Everybody can live with it. */
		LITTLE_LATENCY(Kind.NETWORK) {
			@Override
			void happen(Laboratory lab) {
				lab.proxy.set(FaultProxy.Weather.latency(25));
				lab.awaitIds("a little latency");
				lab.proxy.set(FaultProxy.Weather.FAIR);
			}
		},

		/**
		 * A second for each question and its answer, of which a transaction has several.
		 */
		LATENCY(Kind.NETWORK) {
			@Override
			void happen(Laboratory lab) {
				lab.proxy.set(FaultProxy.Weather.latency(500));
				lab.awaitFailures(IMPATIENT);
				lab.proxy.set(FaultProxy.Weather.FAIR);
			}
		};

		/** Two clocks that are off as far differ by less than what is tolerated. */
		private static final int SKEW_MILLIS = 25_000;

		private final Kind kind;

		Fault(Kind kind) {
			this.kind = kind;
		}

		/**
		 * Let it happen, and come to an end.
		 */
		abstract void happen(Laboratory lab);

	}

	private boolean isPostgresql() {
		return this.direct.platform().equals("postgresql");
	}

	private void setReadOnly(boolean readOnly) {
		if (isPostgresql()) {
			this.direct.execute("alter system set default_transaction_read_only = " + (readOnly ? "on" : "off"),
					"select pg_reload_conf()");
		}
		else {
			this.direct.execute("set global read_only = " + (readOnly ? 1 : 0));
		}
	}

	/**
	 * Take what connections there are until nobody gets one, and those of the workers as
	 * well.
	 */
	private void useUpConnections() {
		if (!isPostgresql()) {
			this.direct.execute("set global max_connections = " + MOST_CONNECTIONS);
		}
		List<Connection> taken = new ArrayList<>();
		awaitFelt("left connections for everybody", () -> {
			if (!take(taken)) {
				this.proxy.cutAll();
			}
			return TRANSACTIONAL.stream().allMatch((generator) -> this.felt.failures(generator) > 0)
					&& this.felt.count(LabGenerator.ROWS, Answer.REFUSED) > 0;
		});
		taken.forEach(JdbcUtils::closeConnection);
		if (!isPostgresql()) {
			awaitFelt("used up the connections for good", () -> {
				try {
					this.direct.execute("set global max_connections = 200");
					return true;
				}
				catch (RuntimeException ex) {
					return false;
				}
			});
		}
	}

	/**
	 * Take connections until there is none left.
	 * @return whether there were any
	 */
	private boolean take(List<Connection> taken) {
		int before = taken.size();
		try {
			while (taken.size() < 2 * MOST_CONNECTIONS) {
				taken.add(
						DriverManager.getConnection(this.direct.url(), this.direct.username(), this.direct.password()));
			}
		}
		catch (SQLException ex) {
			// that was the last one
		}
		return taken.size() > before;
	}

	/**
	 * Lock rows for a while as nobody who is sane would, against workers and against each
	 * other, until a worker has lost.
	 */
	private void lockRowsInAnyOrder() {
		List<Thread> threads = new ArrayList<>();
		List<Saboteur> saboteurs = new ArrayList<>();
		try (HikariDataSource pool = this.direct.pool(3)) {
			List<String> names = new JdbcTemplate(pool).queryForList("select name from ids_key_space order by name",
					String.class);
			for (int i = 0; i < 3; i++) {
				Saboteur saboteur = new Saboteur(pool, names, new Random(this.random.nextLong()));
				saboteurs.add(saboteur);
				threads.add(new Thread(saboteur::run));
			}
			threads.forEach(Thread::start);
			awaitFelt("caused no deadlock",
					() -> this.felt.count(LabGenerator.INVOICES, Answer.LOCKED)
							+ saboteurs.stream().mapToInt(Saboteur::conflicts).sum() >= 3
							&& this.felt.count(LabGenerator.INVOICES, Answer.LOCKED) > 0);
			for (Thread saboteur : threads) {
				saboteur.interrupt();
				saboteur.join();
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A process, and what its instances are named.
	 */
	private record Worker(WorkerProcess process, List<String> instances) {

	}

}
