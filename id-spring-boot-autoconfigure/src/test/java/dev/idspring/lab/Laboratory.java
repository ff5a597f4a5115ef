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
 * Injects faults, one after the other, into worker processes, their database, and the
 * network between them. A worker runs one or more instances of an application. During a
 * fault, each call must return an id or an error. After a fault, every generator of every
 * instance must issue ids again without a restart. At the end the {@link Ledger} checks
 * all issued ids.
 */
final class Laboratory implements AutoCloseable {

	/** The number of instances in each worker. */
	private static final List<Integer> INSTANCES_PER_WORKER = List.of(1, 2);

	private static final int LEASE_MILLIS = 2_000;

	/**
	 * The connection limit of the server; on MariaDB, only during the fault
	 * {@code CONNECTIONS_USED_UP}.
	 */
	private static final int MAX_CONNECTIONS = 60;

	/**
	 * The generators whose calls fail first when the store becomes unavailable, because
	 * they have few reserved ids or none.
	 */
	private static final Set<LabGenerator> FIRST_TO_FAIL = EnumSet.of(LabGenerator.CODES, LabGenerator.ROWS,
			LabGenerator.LINES, LabGenerator.INVOICES);

	/** The generators that draw ids within the caller's transaction. */
	private static final Set<LabGenerator> TRANSACTIONAL = EnumSet.of(LabGenerator.INVOICES);

	private static final Set<LabGenerator> ALL_GENERATORS = EnumSet.allOf(LabGenerator.class);

	private final DatabaseProcess databaseProcess;

	private final Random random;

	private final long pauseMicros;

	private final Path directory;

	private final FaultProxy proxy;

	private final TestDatabase directDatabase;

	private final TestDatabase proxiedDatabase;

	private final List<Worker> workers = new ArrayList<>();

	private final List<String> violations = new ArrayList<>();

	private final Map<Fault, Integer> faultCounts = new EnumMap<>(Fault.class);

	private final Map<Fault, Integer> failuresByFault = new EnumMap<>(Fault.class);

	private final List<String> history = new ArrayList<>();

	private final Report report;

	private int startedInstances;

	/** The effects of the current fault. */
	private FaultEffects effects;

	Laboratory(DatabaseProcess databaseProcess, long seed, long pauseMicros) {
		this.databaseProcess = databaseProcess;
		this.random = new Random(seed);
		this.pauseMicros = pauseMicros;
		TestDatabase server = databaseProcess.server();
		try {
			this.directory = Files.createTempDirectory(
					Files.createDirectories(Path.of("target", "lab")).toAbsolutePath(), server.platform());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		// other tests may write a report at the same time
		this.report = new Report(server.platform(),
				this.directory.resolveSibling("report-" + this.directory.getFileName() + ".txt"));
		this.directDatabase = createDatabase(server);
		this.effects = new FaultEffects(this.directory, this::currentInstances);
		this.proxy = new FaultProxy(databaseProcess.port(), new Random(seed));
		this.proxiedDatabase = new TestDatabase(
				this.directDatabase.url().replaceAll("//[^/]*/", "//127.0.0.1:" + this.proxy.port() + "/"), "lab",
				"lab", this.directDatabase.platform());
	}

	/**
	 * Return a server that accepts few connections. The server acknowledges commits
	 * before they are on disk, unless a session changes this setting.
	 */
	static DatabaseProcess postgresql() {
		return DatabaseProcess.postgresql(Map.of("max_connections", Integer.toString(MAX_CONNECTIONS),
				"synchronous_commit", "off", "deadlock_timeout", "200ms"));
	}

	/**
	 * Create a database, and a user with only the privileges that ids need. The workers
	 * are not administrators, because administrators can write to a read-only database.
	 */
	private static TestDatabase createDatabase(TestDatabase server) {
		boolean postgresql = server.platform().equals("postgresql");
		server.execute("create database lab");
		TestDatabase lab = new TestDatabase(server.url().replaceAll("/[^/]*$", "/lab"), server.username(),
				server.password(), server.platform());
		try (HikariDataSource pool = lab.pool(1)) {
			TestStores.initialize(pool, lab, "ids_");
			TestDatabase.execute(pool, "create table " + Callers.INVOICE_TABLE + " (id bigint not null primary key)",
					postgresql ? "create user lab password 'lab'" : "create user lab@localhost identified by 'lab'");
			for (String table : List.of("ids_key_space", "ids_slot", "ids_gapless", Callers.INVOICE_TABLE)) {
				TestDatabase.execute(pool,
						"grant select, insert, update on " + table + " to " + (postgresql ? "lab" : "lab@localhost"));
			}
		}
		return lab;
	}

	/**
	 * Inject each fault once per round, in a random order.
	 * @param faults the names of the faults
	 * @param rounds the number of rounds
	 */
	void run(List<String> faults, int rounds) {
		INSTANCES_PER_WORKER.forEach((instanceCount) -> this.workers.add(start(instanceCount)));
		awaitIds("startup");
		List<String> order = new ArrayList<>(faults);
		for (int i = 0; i < rounds; i++) {
			Collections.shuffle(order, this.random);
			order.stream().takeWhile((fault) -> this.violations.isEmpty()).map(Fault::valueOf).forEach(this::inject);
		}
		if (this.violations.isEmpty()) {
			this.workers.forEach(this::stop);
			verify();
		}
	}

	/**
	 * Return the names of the faults of the given kinds.
	 */
	static List<String> faults(Kind... kinds) {
		return Arrays.stream(Fault.values())
			.filter((fault) -> List.of(kinds).contains(fault.kind))
			.map(Fault::name)
			.toList();
	}

	private void inject(Fault fault) {
		long started = System.nanoTime();
		this.history.add(fault.name());
		this.faultCounts.merge(fault, 1, Integer::sum);
		this.effects = new FaultEffects(this.directory, this::currentInstances);
		fault.inject(this);
		this.effects.readNewEntries();
		long duration = System.nanoTime() - started;
		awaitIds(fault.name());
		this.report.line("%s: lasted %d ms, and recovery took %d ms; %s", fault, duration / 1_000_000,
				(System.nanoTime() - started - duration) / 1_000_000, this.effects);
		this.failuresByFault.merge(fault, this.effects.failures() + this.effects.count(StoreEvent.NOT_CONFIRMED)
				+ this.effects.count(StoreEvent.IN_DOUBT), Integer::sum);
	}

	/**
	 * Return the names of the instances of all current workers.
	 */
	private List<String> currentInstances() {
		return this.workers.stream().flatMap((worker) -> worker.instances().stream()).toList();
	}

	/**
	 * Wait until a call to each of the generators has failed.
	 */
	private void awaitFailures(Set<LabGenerator> generators) {
		awaitEffect("did not make a call fail for each of " + generators,
				() -> generators.stream().allMatch((generator) -> this.effects.failures(generator) > 0));
	}

	private void awaitEffect(String problem, BooleanSupplier reached) {
		if (!this.effects.await(Watch.TIMEOUT, reached)) {
			this.violations.add(this.history.get(this.history.size() - 1) + " " + problem + ": " + this.effects);
		}
	}

	private void sendToWorkers(String line) {
		this.workers.forEach((worker) -> worker.process().command(line));
	}

	private Worker start(int instanceCount) {
		List<String> names = IntStream.range(0, instanceCount)
			.mapToObj((i) -> instanceName(this.startedInstances++))
			.toList();
		WorkerProcess process = WorkerProcess.start(LabWorker.class, this.directory.resolve("worker.log"),
				this.proxiedDatabase.url(), this.proxiedDatabase.username(), this.proxiedDatabase.password(),
				this.proxiedDatabase.platform(), this.directory.toString(), String.join(",", names),
				Long.toString(this.pauseMicros));
		return new Worker(process, names);
	}

	private void stop(Worker worker) {
		if (!worker.process().stop()) {
			this.violations.add(worker.instances() + " did not stop normally: " + worker.process().end());
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

	private int randomUpTo(int millis) {
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
		reportWaiting(watch().awaitIds(), "issued nothing after " + after);
	}

	private void awaitAnswers(String during) {
		reportWaiting(watch().awaitAnswers(), "was not answered during " + during);
	}

	private void reportWaiting(List<String> waiting, String problem) {
		if (!waiting.isEmpty()) {
			this.violations.add(waiting + " " + problem);
		}
	}

	private Watch watch() {
		return watch(this.workers);
	}

	private Watch watch(List<Worker> watchedWorkers) {
		return new Watch(this.directory,
				watchedWorkers.stream().flatMap((worker) -> worker.instances().stream()).toList(),
				() -> !watchedWorkers.stream().allMatch((worker) -> worker.process().isAlive()));
	}

	private void verify() {
		Ledger ledger = Ledger.read(this.directory,
				IntStream.range(0, this.startedInstances).mapToObj(Laboratory::instanceName).toList());
		try (HikariDataSource pool = this.directDatabase.pool(1)) {
			ledger.verify(new JdbcTemplate(pool));
		}
		this.violations.addAll(ledger.violations());
		this.report.line("faults %s", this.faultCounts);
		this.report.line("failures seen by callers and stores %s", this.failuresByFault);
		this.report.line("%d instances, %s", this.startedInstances, ledger.summary());
		this.report.print();
	}

	private static String instanceName(int number) {
		return "i" + number;
	}

	List<String> violations() {
		return this.violations;
	}

	/**
	 * Return the faults that have happened, in order, and the path of the log.
	 */
	String history() {
		return this.history.stream()
			.collect(Collectors.joining(", ", "after ", "; the log is " + this.directory + "/worker.log"));
	}

	@Override
	public void close() {
		this.workers.stream().map(Worker::process).filter(WorkerProcess::isAlive).forEach(WorkerProcess::kill);
		this.proxy.close();
		this.databaseProcess.close();
	}

	/**
	 * The part of the system that a fault affects.
	 */
	enum Kind {

		WORKER, DATABASE, NETWORK,

		/** Clocks, memory, callers, connections and locks. */
		RESOURCE

	}

	private enum Fault {

		WORKER_KILLED(Kind.WORKER) {
			@Override
			void inject(Laboratory lab) {
				Worker worker = lab.anyWorker();
				lab.kill(worker);
				lab.replace(worker);
			}
		},

		WORKER_STOPPED(Kind.WORKER) {
			@Override
			void inject(Laboratory lab) {
				Worker worker = lab.anyWorker();
				lab.stop(worker);
				lab.replace(worker);
			}
		},

		WORKER_FROZEN(Kind.WORKER) {
			@Override
			void inject(Laboratory lab) {
				Worker worker = lab.anyWorker();
				worker.process().freeze();
				pause(lab.randomUpTo(2 * LEASE_MILLIS));
				worker.process().thaw();
			}
		},

		/** The new worker may take over series and nodes of the frozen worker. */
		WORKER_FROZEN_WHILE_ANOTHER_STARTS(Kind.WORKER) {
			@Override
			void inject(Laboratory lab) {
				Worker frozen = lab.anyWorker();
				frozen.process().freeze();
				Worker another = lab.start(frozen.instances().size());
				pause(LEASE_MILLIS);
				lab.reportWaiting(lab.watch(List.of(another)).awaitIdsWhileAnInstanceIsFrozen(),
						"issued nothing while another instance was frozen");
				frozen.process().thaw();
				lab.workers.add(another);
				lab.awaitIds(name());
				lab.workers.remove(another);
				lab.stop(another);
			}
		},

		WORKERS_CLOCKS_MOVED(Kind.RESOURCE) {
			@Override
			void inject(Laboratory lab) {
				lab.workers.forEach((worker) -> worker.process()
					.command(LabWorker.CLOCK + (lab.random.nextInt(2 * SKEW_MILLIS) - SKEW_MILLIS)));
				lab.awaitAnswers(name());
				lab.sendToWorkers(LabWorker.CLOCK + 0);
			}
		},

		DATABASE_CLOCK_MOVED(Kind.RESOURCE) {
			@Override
			void inject(Laboratory lab) {
				LabClock.setDatabase(lab.directory, lab.random.nextInt(2 * SKEW_MILLIS) - SKEW_MILLIS);
				lab.awaitAnswers(name());
				pause(lab.randomUpTo(LEASE_MILLIS));
				LabClock.setDatabase(lab.directory, 0);
			}
		},

		CALLERS_INTERRUPTED(Kind.RESOURCE) {
			@Override
			void inject(Laboratory lab) {
				lab.databaseProcess.freeze();
				lab.awaitEffect("interrupted too few callers", () -> {
					lab.sendToWorkers(LabWorker.INTERRUPT);
					return lab.effects.count(Answer.INTERRUPTED) >= FIRST_TO_FAIL.size();
				});
				lab.databaseProcess.thaw();
			}
		},

		/** Callers and threads that call the store run out of memory. */
		MEMORY_EXHAUSTED(Kind.RESOURCE) {
			@Override
			void inject(Laboratory lab) {
				lab.sendToWorkers(LabWorker.MEMORY + true);
				lab.awaitEffect("exhausted memory for too few generators",
						() -> ALL_GENERATORS.stream()
							.filter((generator) -> lab.effects.count(generator, Answer.OUT_OF_MEMORY) > 0)
							.count() >= ALL_GENERATORS.size() / 2
								&& lab.effects.count(LabGenerator.ROWS, Answer.UNAVAILABLE) > 0);
				lab.sendToWorkers(LabWorker.MEMORY + false);
			}
		},

		DATABASE_STOPPED(Kind.DATABASE) {
			@Override
			void inject(Laboratory lab) {
				lab.databaseProcess.stop();
				lab.awaitFailures(FIRST_TO_FAIL);
				lab.databaseProcess.start();
			}
		},

		DATABASE_KILLED(Kind.DATABASE) {
			@Override
			void inject(Laboratory lab) {
				lab.databaseProcess.kill();
				lab.awaitFailures(FIRST_TO_FAIL);
				lab.databaseProcess.start();
			}
		},

		/** Lasts longer than a lease, so that reserved time windows also run out. */
		DATABASE_FROZEN(Kind.DATABASE) {
			@Override
			void inject(Laboratory lab) {
				lab.databaseProcess.freeze();
				lab.awaitFailures(ALL_GENERATORS);
				lab.databaseProcess.thaw();
			}
		},

		DATABASE_FROZEN_AND_WORKER_KILLED(Kind.DATABASE) {
			@Override
			void inject(Laboratory lab) {
				lab.databaseProcess.freeze();
				Worker worker = lab.anyWorker();
				pause(lab.randomUpTo(500));
				lab.kill(worker);
				lab.databaseProcess.thaw();
				lab.replace(worker);
			}
		},

		DATABASE_READ_ONLY(Kind.DATABASE) {
			@Override
			void inject(Laboratory lab) {
				lab.setReadOnly(true);
				lab.awaitFailures(FIRST_TO_FAIL);
				lab.setReadOnly(false);
			}
		},

		CONNECTIONS_USED_UP(Kind.RESOURCE) {
			@Override
			void inject(Laboratory lab) {
				lab.useUpConnections();
			}
		},

		LOCKS_AND_DEADLOCKS(Kind.RESOURCE) {
			@Override
			void inject(Laboratory lab) {
				lab.lockRowsInConflictingOrders();
			}
		},

		/** Gapless numbers are drawn in serializable transactions. */
		SERIALIZATION_FAILURES(Kind.RESOURCE) {
			@Override
			void inject(Laboratory lab) {
				lab.sendToWorkers(LabWorker.SERIALIZABLE + true);
				if (lab.isPostgresql()) {
					lab.awaitFailures(TRANSACTIONAL);
				}
				else {
					// MariaDB uses locks, so transactions wait instead of failing
					lab.awaitAnswers(name());
				}
				lab.sendToWorkers(LabWorker.SERIALIZABLE + false);
			}
		},

		CONNECTIONS_CUT(Kind.NETWORK) {
			@Override
			void inject(Laboratory lab) {
				for (int i = 0; i < 10; i++) {
					lab.proxy.cutAll();
					pause(lab.randomUpTo(200));
				}
				lab.awaitFailures(TRANSACTIONAL);
			}
		},

		/**
		 * Cuts happen before statements, between statements and the commit, and after the
		 * commit was sent.
		 */
		CONNECTIONS_CUT_AT_ANY_BYTE(Kind.NETWORK) {
			@Override
			void inject(Laboratory lab) {
				lab.proxy.set(FaultProxy.Conditions.cuttingWithin(10_000));
				lab.awaitFailures(TRANSACTIONAL);
				pause(lab.randomUpTo(2_000));
				lab.proxy.set(FaultProxy.Conditions.NORMAL);
			}
		},

		REQUESTS_LOST(Kind.NETWORK) {
			@Override
			void inject(Laboratory lab) {
				lab.proxy.set(new FaultProxy.Conditions(0, true, false, 0));
				lab.awaitFailures(FIRST_TO_FAIL);
				lab.proxy.set(FaultProxy.Conditions.NORMAL);
			}
		},

		/** The database commits, but the response to the commit is lost. */
		RESPONSES_LOST(Kind.NETWORK) {
			@Override
			void inject(Laboratory lab) {
				lab.proxy.set(new FaultProxy.Conditions(0, false, true, 0));
				lab.awaitFailures(FIRST_TO_FAIL);
				lab.proxy.set(FaultProxy.Conditions.NORMAL);
			}
		},

		/** A latency at which all generators must still issue ids. */
		LITTLE_LATENCY(Kind.NETWORK) {
			@Override
			void inject(Laboratory lab) {
				lab.proxy.set(FaultProxy.Conditions.latency(25));
				lab.awaitIds("a little latency");
				lab.proxy.set(FaultProxy.Conditions.NORMAL);
			}
		},

		/**
		 * Each round trip takes one second, and a transaction needs several round trips.
		 */
		LATENCY(Kind.NETWORK) {
			@Override
			void inject(Laboratory lab) {
				lab.proxy.set(FaultProxy.Conditions.latency(500));
				lab.awaitFailures(FIRST_TO_FAIL);
				lab.proxy.set(FaultProxy.Conditions.NORMAL);
			}
		};

		/**
		 * The maximum deviation of a clock. Two clocks then differ by less than the
		 * tolerated amount.
		 */
		private static final int SKEW_MILLIS = 25_000;

		private final Kind kind;

		Fault(Kind kind) {
			this.kind = kind;
		}

		/**
		 * Inject the fault, and end it.
		 */
		abstract void inject(Laboratory lab);

	}

	private boolean isPostgresql() {
		return this.directDatabase.platform().equals("postgresql");
	}

	private void setReadOnly(boolean readOnly) {
		if (isPostgresql()) {
			this.directDatabase.execute("alter system set default_transaction_read_only = " + (readOnly ? "on" : "off"),
					"select pg_reload_conf()");
		}
		else {
			this.directDatabase.execute("set global read_only = " + (readOnly ? 1 : 0));
		}
	}

	/**
	 * Open connections until the server refuses more. Then cut the connections of the
	 * workers, and open connections again, until calls of the workers fail.
	 */
	private void useUpConnections() {
		if (!isPostgresql()) {
			this.directDatabase.execute("set global max_connections = " + MAX_CONNECTIONS);
		}
		List<Connection> connections = new ArrayList<>();
		awaitEffect("did not use up the connections", () -> {
			if (!openAllowedConnections(connections)) {
				this.proxy.cutAll();
			}
			return TRANSACTIONAL.stream().allMatch((generator) -> this.effects.failures(generator) > 0)
					&& this.effects.count(LabGenerator.ROWS, Answer.UNAVAILABLE) > 0;
		});
		connections.forEach(JdbcUtils::closeConnection);
		if (!isPostgresql()) {
			awaitEffect("did not end", () -> {
				try {
					this.directDatabase.execute("set global max_connections = 200");
					return true;
				}
				catch (RuntimeException ex) {
					return false;
				}
			});
		}
	}

	/**
	 * Open connections until the server refuses more.
	 * @return whether any connection was opened
	 */
	private boolean openAllowedConnections(List<Connection> connections) {
		int sizeBefore = connections.size();
		try {
			while (connections.size() < 2 * MAX_CONNECTIONS) {
				connections.add(DriverManager.getConnection(this.directDatabase.url(), this.directDatabase.username(),
						this.directDatabase.password()));
			}
		}
		catch (SQLException ex) {
			// no connection is left
		}
		return connections.size() > sizeBefore;
	}

	/**
	 * Lock rows in conflicting orders until three transactions, at least one of them in a
	 * worker, have failed with a lock conflict.
	 */
	private void lockRowsInConflictingOrders() {
		List<Thread> threads = new ArrayList<>();
		List<Saboteur> saboteurs = new ArrayList<>();
		try (HikariDataSource pool = this.directDatabase.pool(3)) {
			List<String> names = new JdbcTemplate(pool).queryForList("select name from ids_key_space order by name",
					String.class);
			for (int i = 0; i < 3; i++) {
				Saboteur saboteur = new Saboteur(pool, names, new Random(this.random.nextLong()));
				saboteurs.add(saboteur);
				threads.add(new Thread(saboteur::run));
			}
			threads.forEach(Thread::start);
			awaitEffect("caused no deadlock",
					() -> this.effects.count(LabGenerator.INVOICES, Answer.LOCKED)
							+ saboteurs.stream().mapToInt(Saboteur::conflicts).sum() >= 3
							&& this.effects.count(LabGenerator.INVOICES, Answer.LOCKED) > 0);
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
	 * A process and the names of its instances.
	 */
	private record Worker(WorkerProcess process, List<String> instances) {

	}

}
