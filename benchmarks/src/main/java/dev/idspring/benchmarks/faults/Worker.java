package dev.idspring.benchmarks.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.idspring.testsupport.TestDatabase;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A process with one or more instances of an application. Each instance draws ids of each
 * peer (a way to create ids) at a fixed average rate. After a newline on the standard
 * input of the process, all instances draw at full speed. They stop when the standard
 * input ends. Each thread writes an id to a file before it draws the next one, so a kill
 * loses at most one id per thread.
 */
final class Worker {

	/**
	 * The size of the connection pool, which is more than the threads of an instance use
	 * at the same time.
	 */
	private static final int CONNECTIONS = 60;

	/**
	 * The size of the pool if the process has several instances. It is so small that one
	 * server can serve 200 instances.
	 */
	private static final int CONNECTIONS_OF_MANY_INSTANCES = 5;

	/** The input that makes a process draw at full speed. */
	static final int FULL_SPEED = '\n';

	/**
	 * The maximum number of ids that a thread draws after its process has been asked to
	 * draw at full speed.
	 */
	private static final int MAX_IDS_AT_FULL_SPEED = 100_000;

	private final WorkerSettings settings;

	private volatile boolean stopped;

	private volatile boolean atFullSpeed;

	private Worker(WorkerSettings settings) {
		this.settings = settings;
	}

	/**
	 * Draw ids.
	 * @param args the {@link WorkerSettings} as arguments
	 */
	public static void main(String[] args) throws Exception {
		new Worker(WorkerSettings.of(args)).run();
		Runtime.getRuntime().halt(0);
	}

	private void run() throws Exception {
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < this.settings.count(); i++) {
			Instance instance = instance(this.settings.first() + i);
			ClassLoader loader = (this.settings.count() > 1) ? new InstanceClassLoader()
					: Worker.class.getClassLoader();
			for (Peer peer : this.settings.peers()) {
				threads.add(new Thread(() -> draw(peer, instance, loader), peer + "-" + instance.number()));
			}
		}
		threads.forEach(Thread::start);
		if (System.in.read() == FULL_SPEED) {
			this.atFullSpeed = true;
			System.in.read();
		}
		this.stopped = true;
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
		for (Thread thread : threads) {
			thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
		}
	}

	private Instance instance(int number) {
		TestDatabase database = this.settings.database();
		return new Instance(number, this.settings.directory(), (database != null)
				? database.pool((this.settings.count() > 1) ? CONNECTIONS_OF_MANY_INSTANCES : CONNECTIONS) : null,
				this.settings.port());
	}

	private void draw(Peer peer, Instance instance, ClassLoader loader) {
		try (Ledger.Writer ledger = Ledger.writer(this.settings.directory(), peer, this.settings.process(),
				instance.number())) {
			ledger.begin();
			long started = System.nanoTime();
			IdSource ids = null;
			while (ids == null && !this.stopped) {
				try {
					ids = peer.open(instance, loader);
				}
				catch (Exception | LinkageError ex) {
					// try again, like a supervisor that restarts an application that
					// fails to start
					ledger.recordFailure(ex);
					LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
				}
			}
			if (ids != null) {
				draw(ids, instance, ledger, started);
				ledger.end();
				ids.close();
			}
		}
		catch (Exception ex) {
			ex.printStackTrace();
		}
	}

	private void draw(IdSource ids, Instance instance, Ledger.Writer ledger, long started) throws Exception {
		Random random = new Random(this.settings.seed() * 1_000 + instance.number());
		TransactionTemplate transactions = (this.settings.rollBack() && instance.pool() != null)
				? new TransactionTemplate(new DataSourceTransactionManager(instance.pool())) : null;
		long period = this.settings.period().toNanos();
		long requested = started;
		int drawsAtFullSpeed = 0;
		while (!this.stopped && drawsAtFullSpeed < MAX_IDS_AT_FULL_SPEED) {
			try {
				UUID id = (transactions != null) ? drawAndMaybeRollBack(ids, transactions, random) : ids.next();
				ledger.recordDrawn(requested, id);
				requested = 0;
			}
			catch (Exception | StackOverflowError ex) {
				ledger.recordFailure(ex);
			}
			if (this.atFullSpeed) {
				drawsAtFullSpeed++;
			}
			else {
				// sleep for a random time, because real requests also arrive at random
				// times
				LockSupport.parkNanos((long) (2 * period * random.nextDouble()));
			}
			requested = (requested != 0) ? requested : System.nanoTime();
		}
	}

	private static UUID drawAndMaybeRollBack(IdSource ids, TransactionTemplate transactions, Random random) {
		boolean failing = random.nextBoolean();
		return Objects.requireNonNull(transactions.execute((status) -> {
			if (failing) {
				status.setRollbackOnly();
			}
			return nextUnchecked(ids);
		}));
	}

	private static UUID nextUnchecked(IdSource ids) {
		try {
			return ids.next();
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
