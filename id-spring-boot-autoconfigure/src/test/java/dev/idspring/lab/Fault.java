package dev.idspring.lab;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.lab.LabWorkers.Worker;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcUtils;

/**
 * The faults that the {@link Laboratory} injects.
 */
enum Fault {

	WORKER_KILLED(Kind.WORKER) {
		@Override
		void inject(Laboratory lab) {
			Worker worker = lab.workers().any();
			lab.workers().kill(worker);
			lab.workers().replace(worker);
		}
	},

	WORKER_STOPPED(Kind.WORKER) {
		@Override
		void inject(Laboratory lab) {
			Worker worker = lab.workers().any();
			lab.workers().stop(worker);
			lab.workers().replace(worker);
		}
	},

	WORKER_FROZEN(Kind.WORKER) {
		@Override
		void inject(Laboratory lab) {
			Worker worker = lab.workers().any();
			worker.process().freeze();
			pause(lab.randomUpTo(2 * LEASE_MILLIS));
			worker.process().thaw();
		}
	},

	/** The new worker may take over series and nodes of the frozen worker. */
	WORKER_FROZEN_WHILE_ANOTHER_STARTS(Kind.WORKER) {
		@Override
		void inject(Laboratory lab) {
			Worker frozen = lab.workers().any();
			frozen.process().freeze();
			Worker another = lab.workers().start(frozen.instances().size());
			pause(LEASE_MILLIS);
			lab.reportWaiting(lab.workers().watch(List.of(another)).awaitIdsWhileAnInstanceIsFrozen(),
					"issued nothing while another instance was frozen");
			frozen.process().thaw();
			lab.workers().add(another);
			lab.awaitIds(name());
			lab.workers().remove(another);
			lab.workers().stop(another);
		}
	},

	WORKERS_CLOCKS_MOVED(Kind.RESOURCE) {
		@Override
		void inject(Laboratory lab) {
			lab.workers()
				.forEach((worker) -> worker.process()
					.command(LabWorker.CLOCK + (lab.random().nextInt(2 * SKEW_MILLIS) - SKEW_MILLIS)));
			lab.awaitAnswers(name());
			lab.workers().send(LabWorker.CLOCK + 0);
		}
	},

	DATABASE_CLOCK_MOVED(Kind.RESOURCE) {
		@Override
		void inject(Laboratory lab) {
			LabClock.setDatabase(lab.directory(), lab.random().nextInt(2 * SKEW_MILLIS) - SKEW_MILLIS);
			lab.awaitAnswers(name());
			pause(lab.randomUpTo(LEASE_MILLIS));
			LabClock.setDatabase(lab.directory(), 0);
		}
	},

	CALLERS_INTERRUPTED(Kind.RESOURCE) {
		@Override
		void inject(Laboratory lab) {
			lab.database().process().freeze();
			lab.awaitEffect("interrupted too few callers", () -> {
				lab.workers().send(LabWorker.INTERRUPT);
				return lab.effects().count(Answer.INTERRUPTED) >= FIRST_TO_FAIL.size();
			});
			lab.database().process().thaw();
		}
	},

	/** Callers and threads that call the store run out of memory. */
	MEMORY_EXHAUSTED(Kind.RESOURCE) {
		@Override
		void inject(Laboratory lab) {
			lab.workers().send(LabWorker.MEMORY + true);
			lab.awaitEffect("exhausted memory for too few generators",
					() -> ALL_GENERATORS.stream()
						.filter((generator) -> lab.effects().count(generator, Answer.OUT_OF_MEMORY) > 0)
						.count() >= ALL_GENERATORS.size() / 2
							&& lab.effects().count(LabGenerator.ROWS, Answer.UNAVAILABLE) > 0);
			lab.workers().send(LabWorker.MEMORY + false);
		}
	},

	DATABASE_STOPPED(Kind.DATABASE) {
		@Override
		void inject(Laboratory lab) {
			lab.database().process().stop();
			lab.awaitFailures(FIRST_TO_FAIL);
			lab.database().process().start();
		}
	},

	DATABASE_KILLED(Kind.DATABASE) {
		@Override
		void inject(Laboratory lab) {
			lab.database().process().kill();
			lab.awaitFailures(FIRST_TO_FAIL);
			lab.database().process().start();
		}
	},

	/** Lasts longer than a lease, so that reserved time windows also run out. */
	DATABASE_FROZEN(Kind.DATABASE) {
		@Override
		void inject(Laboratory lab) {
			lab.database().process().freeze();
			lab.awaitFailures(ALL_GENERATORS);
			lab.database().process().thaw();
		}
	},

	DATABASE_FROZEN_AND_WORKER_KILLED(Kind.DATABASE) {
		@Override
		void inject(Laboratory lab) {
			lab.database().process().freeze();
			Worker worker = lab.workers().any();
			pause(lab.randomUpTo(500));
			lab.workers().kill(worker);
			lab.database().process().thaw();
			lab.workers().replace(worker);
		}
	},

	DATABASE_READ_ONLY(Kind.DATABASE) {
		@Override
		void inject(Laboratory lab) {
			lab.database().setReadOnly(true);
			lab.awaitFailures(FIRST_TO_FAIL);
			lab.database().setReadOnly(false);
		}
	},

	CONNECTIONS_USED_UP(Kind.RESOURCE) {
		@Override
		void inject(Laboratory lab) {
			useUpConnections(lab);
		}
	},

	LOCKS_AND_DEADLOCKS(Kind.RESOURCE) {
		@Override
		void inject(Laboratory lab) {
			lockRowsInConflictingOrders(lab);
		}
	},

	/** Gapless numbers are drawn in serializable transactions. */
	SERIALIZATION_FAILURES(Kind.RESOURCE) {
		@Override
		void inject(Laboratory lab) {
			lab.workers().send(LabWorker.SERIALIZABLE + true);
			if (lab.database().isPostgresql()) {
				lab.awaitFailures(TRANSACTIONAL);
			}
			else {
				// MariaDB uses locks, so transactions wait instead of failing
				lab.awaitAnswers(name());
			}
			lab.workers().send(LabWorker.SERIALIZABLE + false);
		}
	},

	CONNECTIONS_CUT(Kind.NETWORK) {
		@Override
		void inject(Laboratory lab) {
			for (int i = 0; i < 10; i++) {
				lab.proxy().cutAll();
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
			lab.proxy().set(FaultProxy.Conditions.cuttingWithin(10_000));
			lab.awaitFailures(TRANSACTIONAL);
			pause(lab.randomUpTo(2_000));
			lab.proxy().set(FaultProxy.Conditions.NORMAL);
		}
	},

	REQUESTS_LOST(Kind.NETWORK) {
		@Override
		void inject(Laboratory lab) {
			lab.proxy().set(new FaultProxy.Conditions(0, true, false, 0));
			lab.awaitFailures(FIRST_TO_FAIL);
			lab.proxy().set(FaultProxy.Conditions.NORMAL);
		}
	},

	/** The database commits, but the response to the commit is lost. */
	RESPONSES_LOST(Kind.NETWORK) {
		@Override
		void inject(Laboratory lab) {
			lab.proxy().set(new FaultProxy.Conditions(0, false, true, 0));
			lab.awaitFailures(FIRST_TO_FAIL);
			lab.proxy().set(FaultProxy.Conditions.NORMAL);
		}
	},

	/** A latency at which all generators must still issue ids. */
	LITTLE_LATENCY(Kind.NETWORK) {
		@Override
		void inject(Laboratory lab) {
			lab.proxy().set(FaultProxy.Conditions.latency(25));
			lab.awaitIds("a little latency");
			lab.proxy().set(FaultProxy.Conditions.NORMAL);
		}
	},

	/**
	 * Each round trip takes one second, and a transaction needs several round trips.
	 */
	LATENCY(Kind.NETWORK) {
		@Override
		void inject(Laboratory lab) {
			lab.proxy().set(FaultProxy.Conditions.latency(500));
			lab.awaitFailures(FIRST_TO_FAIL);
			lab.proxy().set(FaultProxy.Conditions.NORMAL);
		}
	};

	private static final int LEASE_MILLIS = 2_000;

	/**
	 * The generators whose calls fail first when the store becomes unavailable, because
	 * they have few reserved ids or none.
	 */
	private static final Set<LabGenerator> FIRST_TO_FAIL = EnumSet.of(LabGenerator.CODES, LabGenerator.ROWS,
			LabGenerator.LINES, LabGenerator.INVOICES);

	/** The generators that draw ids within the caller's transaction. */
	private static final Set<LabGenerator> TRANSACTIONAL = EnumSet.of(LabGenerator.INVOICES);

	private static final Set<LabGenerator> ALL_GENERATORS = EnumSet.allOf(LabGenerator.class);

	/**
	 * The maximum deviation of a clock. Two clocks then differ by less than the tolerated
	 * amount.
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

	/**
	 * Return the names of the faults of the given kinds.
	 */
	static List<String> names(Kind... kinds) {
		return Arrays.stream(values()).filter((fault) -> List.of(kinds).contains(fault.kind)).map(Fault::name).toList();
	}

	private static void pause(long millis) {
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Open connections until the server refuses more. Then cut the connections of the
	 * workers, and open connections again, until calls of the workers fail.
	 */
	private static void useUpConnections(Laboratory lab) {
		lab.database().limitConnections();
		List<Connection> connections = new ArrayList<>();
		lab.awaitEffect("did not use up the connections", () -> {
			if (!lab.database().openAllowedConnections(connections)) {
				lab.proxy().cutAll();
			}
			return TRANSACTIONAL.stream().allMatch((generator) -> lab.effects().failures(generator) > 0)
					&& lab.effects().count(LabGenerator.ROWS, Answer.UNAVAILABLE) > 0;
		});
		connections.forEach(JdbcUtils::closeConnection);
		if (!lab.database().isPostgresql()) {
			lab.awaitEffect("did not end", lab.database()::raiseConnectionLimit);
		}
	}

	/**
	 * Lock rows in conflicting orders until three transactions, at least one of them in a
	 * worker, have failed with a lock conflict.
	 */
	private static void lockRowsInConflictingOrders(Laboratory lab) {
		List<Thread> threads = new ArrayList<>();
		List<Saboteur> saboteurs = new ArrayList<>();
		try (HikariDataSource pool = lab.database().pool(3)) {
			List<String> names = new JdbcTemplate(pool).queryForList("select name from ids_key_space order by name",
					String.class);
			for (int i = 0; i < 3; i++) {
				Saboteur saboteur = new Saboteur(pool, names, new Random(lab.random().nextLong()));
				saboteurs.add(saboteur);
				threads.add(new Thread(saboteur::run));
			}
			threads.forEach(Thread::start);
			lab.awaitEffect("caused too few lock conflicts",
					() -> lab.effects().count(LabGenerator.INVOICES, Answer.LOCKED)
							+ saboteurs.stream().mapToInt(Saboteur::conflicts).sum() >= 3
							&& lab.effects().count(LabGenerator.INVOICES, Answer.LOCKED) > 0);
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
	 * The part of the system that a fault affects.
	 */
	enum Kind {

		WORKER, DATABASE, NETWORK,

		/** Clocks, memory, callers, connections and locks. */
		RESOURCE

	}

}
