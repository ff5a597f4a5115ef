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
 * peer at a fixed average rate. After a newline on the standard input of the process, all
 * instances draw at full speed. They stop when the standard input ends. Each thread
 * writes an id to a file before it draws the next one, so a kill loses at most one id per
 * thread.
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
	private static final int CONNECTIONS_OF_MANY = 5;

	/** The input that makes a process draw at full speed. */
	static final int HURRY = '\n';

	/**
	 * The maximum number of ids that a thread draws after its process has been asked to
	 * draw at full speed.
	 */
	private static final int HURRIED = 100_000;

	private final Order order;

	private volatile boolean stopped;

	private volatile boolean hurrying;

	private Worker(Order order) {
		this.order = order;
	}

	/**
	 * Draw ids.
	 * @param args an {@link Order}
	 */
	public static void main(String[] args) throws Exception {
		new Worker(Order.of(args)).run();
		Runtime.getRuntime().halt(0);
	}

	private void run() throws Exception {
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < this.order.count(); i++) {
			Instance instance = instance(this.order.first() + i);
			ClassLoader loader = (this.order.count() > 1) ? new OwnLibraries() : Worker.class.getClassLoader();
			for (Peer peer : this.order.peers()) {
				threads.add(new Thread(() -> draw(peer, instance, loader), peer + "-" + instance.number()));
			}
		}
		threads.forEach(Thread::start);
		if (System.in.read() == HURRY) {
			this.hurrying = true;
			System.in.read();
		}
		this.stopped = true;
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
		for (Thread thread : threads) {
			thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
		}
	}

	private Instance instance(int number) {
		TestDatabase database = this.order.database();
		return new Instance(number, this.order.directory(),
				(database != null) ? database.pool((this.order.count() > 1) ? CONNECTIONS_OF_MANY : CONNECTIONS) : null,
				this.order.port());
	}

	private void draw(Peer peer, Instance instance, ClassLoader loader) {
		try (Ledger.Writer ledger = Ledger.writer(this.order.directory(), peer, this.order.process(),
				instance.number())) {
			ledger.begin();
			long began = System.nanoTime();
			Ids ids = null;
			while (ids == null && !this.stopped) {
				try {
					ids = peer.open(instance, loader);
				}
				catch (Exception | LinkageError ex) {
					// try again, as a supervisor restarts an application that fails to
					// start
					ledger.failed(ex);
					LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
				}
			}
			if (ids != null) {
				draw(ids, instance, ledger, began);
				ledger.end();
				ids.close();
			}
		}
		catch (Exception ex) {
			ex.printStackTrace();
		}
	}

	private void draw(Ids ids, Instance instance, Ledger.Writer ledger, long began) throws Exception {
		Random random = new Random(this.order.seed() * 1_000 + instance.number());
		TransactionTemplate transactions = (this.order.rollBack() && instance.pool() != null)
				? new TransactionTemplate(new DataSourceTransactionManager(instance.pool())) : null;
		long period = this.order.period().toNanos();
		long asked = began;
		int hurried = 0;
		while (!this.stopped && hurried < HURRIED) {
			try {
				UUID id = (transactions != null) ? drawAndMaybeRollBack(ids, transactions, random) : ids.next();
				ledger.drawn(asked, id);
				asked = 0;
			}
			catch (Exception | StackOverflowError ex) {
				ledger.failed(ex);
			}
			if (this.hurrying) {
				hurried++;
			}
			else {
				// sleep for a random time, because requests also arrive at random times
				LockSupport.parkNanos((long) (2 * period * random.nextDouble()));
			}
			asked = (asked != 0) ? asked : System.nanoTime();
		}
	}

	private static UUID drawAndMaybeRollBack(Ids ids, TransactionTemplate transactions, Random random) {
		boolean failing = random.nextBoolean();
		return Objects.requireNonNull(transactions.execute((status) -> {
			if (failing) {
				status.setRollbackOnly();
			}
			return nextUnchecked(ids);
		}));
	}

	private static UUID nextUnchecked(Ids ids) {
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
