package dev.idspring.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.jdbc.TestStores;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.WorkerProcess;
import org.springframework.jdbc.core.JdbcTemplate;

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

	/** How long a fault lasts at least. */
	private static final int LEAST_MILLIS = 500;

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

	private final List<String> story = new ArrayList<>();

	private int instances;

	/** How many instances have ended, in whatever way. */
	private int ended;

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
		this.direct = createDatabase(server);
		this.proxy = new FaultProxy(process.port(), new Random(seed));
		this.proxied = new TestDatabase(
				this.direct.url().replaceAll("//[^/]*/", "//127.0.0.1:" + this.proxy.port() + "/"), "lab", "lab",
				this.direct.platform());
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
	 * Return the names of all faults.
	 */
	static List<String> faults() {
		return Arrays.stream(Fault.values()).map(Fault::name).toList();
	}

	private void happen(Fault fault) {
		long started = System.nanoTime();
		this.story.add(fault.name());
		this.counts.merge(fault, 1, Integer::sum);
		fault.happen(this);
		awaitIds(fault.name());
		System.out.printf("%s %s %d ms%n", this.direct.platform(), fault, (System.nanoTime() - started) / 1_000_000);
	}

	private Worker start(int contexts) {
		List<String> names = IntStream.range(0, contexts).mapToObj((i) -> instance(this.instances++)).toList();
		WorkerProcess process = WorkerProcess.start(LabWorker.class, this.directory.resolve("worker.log"),
				this.proxied.url(), this.proxied.username(), this.proxied.password(), this.proxied.platform(),
				this.directory.toString(), String.join(",", names), Long.toString(this.pauseMicros));
		return new Worker(process, names);
	}

	private void stop(Worker worker) {
		this.ended += worker.instances().size();
		if (!worker.process().stop()) {
			this.violations.add(worker.instances() + " did not stop in order");
			worker.process().kill();
		}
	}

	private void kill(Worker worker) {
		this.ended += worker.instances().size();
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
		pause(LEAST_MILLIS);
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
			ledger.verify(new JdbcTemplate(pool), this.ended, this.proxy.inDoubt());
		}
		this.violations.addAll(ledger.violations());
		System.out.printf("%s: %d ids of %d instances, %d connections ended in doubt, faults %s%n",
				this.direct.platform(), ledger.count(), this.instances, this.proxy.inDoubt(), this.counts);
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
	 * What happens.
	 */
	private enum Fault {

		WORKER_KILLED {
			@Override
			void happen(Laboratory lab) {
				Worker worker = lab.anyWorker();
				lab.kill(worker);
				lab.replace(worker);
			}
		},

		WORKER_STOPPED {
			@Override
			void happen(Laboratory lab) {
				Worker worker = lab.anyWorker();
				lab.stop(worker);
				lab.replace(worker);
			}
		},

		WORKER_FROZEN {
			@Override
			void happen(Laboratory lab) {
				Worker worker = lab.anyWorker();
				worker.process().freeze();
				pause(lab.upTo(2 * LEASE_MILLIS));
				worker.process().thaw();
			}
		},

		/** The one that is started takes over while the other cannot know. */
		WORKER_FROZEN_WHILE_ANOTHER_STARTS {
			@Override
			void happen(Laboratory lab) {
				Worker frozen = lab.anyWorker();
				frozen.process().freeze();
				pause(LEASE_MILLIS + LEAST_MILLIS);
				Worker another = lab.start(frozen.instances().size());
				lab.tell(lab.watch(List.of(another)).awaitIdsBesideFrozen(), "issued nothing while others were frozen");
				frozen.process().thaw();
				lab.workers.add(another);
				lab.awaitIds(name());
				lab.workers.remove(another);
				lab.stop(another);
			}
		},

		WORKERS_CLOCKS_MOVED {
			@Override
			void happen(Laboratory lab) {
				lab.workers.forEach((worker) -> worker.process()
					.command(LabWorker.CLOCK + (lab.random.nextInt(2 * SKEW_MILLIS) - SKEW_MILLIS)));
				lab.awaitAnswers(name());
				lab.workers.forEach((worker) -> worker.process().command(LabWorker.CLOCK + 0));
			}
		},

		DATABASE_CLOCK_MOVED {
			@Override
			void happen(Laboratory lab) {
				LabClock.setDatabase(lab.directory, lab.random.nextInt(2 * SKEW_MILLIS) - SKEW_MILLIS);
				lab.awaitAnswers(name());
				pause(lab.upTo(LEASE_MILLIS));
				LabClock.setDatabase(lab.directory, 0);
			}
		},

		CALLERS_INTERRUPTED {
			@Override
			void happen(Laboratory lab) {
				lab.process.freeze();
				pause(lab.upTo(500));
				lab.workers.forEach((worker) -> worker.process().command(LabWorker.INTERRUPT));
				lab.awaitAnswers(name());
				lab.process.thaw();
			}
		},

		MEMORY_EXHAUSTED_BY_CALLERS {
			@Override
			void happen(Laboratory lab) {
				lab.workers.forEach((worker) -> worker.process().command(LabWorker.MEMORY));
			}
		},

		DATABASE_STOPPED {
			@Override
			void happen(Laboratory lab) {
				lab.process.stop();
				lab.awaitAnswers(name());
				lab.process.start();
			}
		},

		DATABASE_KILLED {
			@Override
			void happen(Laboratory lab) {
				lab.process.kill();
				lab.awaitAnswers(name());
				lab.process.start();
			}
		},

		DATABASE_FROZEN {
			@Override
			void happen(Laboratory lab) {
				lab.process.freeze();
				lab.awaitAnswers(name());
				lab.process.thaw();
			}
		},

		DATABASE_FROZEN_AND_WORKER_KILLED {
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

		DATABASE_READ_ONLY {
			@Override
			void happen(Laboratory lab) {
				lab.setReadOnly(true);
				lab.awaitAnswers(name());
				pause(lab.upTo(LEASE_MILLIS));
				lab.setReadOnly(false);
			}
		},

		LOCKS_AND_DEADLOCKS {
			@Override
			void happen(Laboratory lab) {
				lab.lockRowsInAnyOrder();
			}
		},

		CONNECTIONS_CUT {
			@Override
			void happen(Laboratory lab) {
				for (int i = 0; i < 10; i++) {
					lab.proxy.cutAll();
					pause(lab.upTo(200));
				}
			}
		},

		/** Before statements, between them and the commit, and after it was sent. */
		CONNECTIONS_CUT_AT_ANY_BYTE {
			@Override
			void happen(Laboratory lab) {
				lab.proxy.set(FaultProxy.Weather.cutting(10_000));
				lab.awaitAnswers(name());
				pause(lab.upTo(2_000));
				lab.proxy.set(FaultProxy.Weather.FAIR);
			}
		},

		QUESTIONS_SWALLOWED {
			@Override
			void happen(Laboratory lab) {
				lab.proxy.set(new FaultProxy.Weather(0, true, false, 0));
				lab.awaitAnswers(name());
				lab.proxy.set(FaultProxy.Weather.FAIR);
			}
		},

		/** The commit is done, and nobody hears of it. */
		ANSWERS_SWALLOWED {
			@Override
			void happen(Laboratory lab) {
				lab.proxy.set(new FaultProxy.Weather(0, false, true, 0));
				lab.awaitAnswers(name());
				lab.proxy.set(FaultProxy.Weather.FAIR);
			}
		},

		LATENCY {
			@Override
			void happen(Laboratory lab) {
				lab.proxy.set(FaultProxy.Weather.latency(1_000));
				lab.awaitAnswers(name());
				lab.proxy.set(FaultProxy.Weather.FAIR);
			}
		};

		/** Two clocks that are off as far differ by less than what is tolerated. */
		private static final int SKEW_MILLIS = 25_000;

		/**
		 * Let it happen, and come to an end.
		 */
		abstract void happen(Laboratory lab);

	}

	private void setReadOnly(boolean readOnly) {
		if (this.direct.platform().equals("postgresql")) {
			this.direct.execute("alter system set default_transaction_read_only = " + (readOnly ? "on" : "off"),
					"select pg_reload_conf()");
		}
		else {
			this.direct.execute("set global read_only = " + (readOnly ? 1 : 0));
		}
	}

	/**
	 * Lock rows for a while as nobody who is sane would, against workers and against each
	 * other.
	 */
	private void lockRowsInAnyOrder() {
		List<Thread> saboteurs = new ArrayList<>();
		try (HikariDataSource pool = this.direct.pool(3)) {
			List<String> names = new JdbcTemplate(pool).queryForList("select name from ids_key_space order by name",
					String.class);
			for (int i = 0; i < 3; i++) {
				Random own = new Random(this.random.nextLong());
				Thread saboteur = new Thread(() -> new Saboteur(pool, names, own).run());
				saboteur.start();
				saboteurs.add(saboteur);
			}
			awaitAnswers("LOCKS_AND_DEADLOCKS");
			for (Thread saboteur : saboteurs) {
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
