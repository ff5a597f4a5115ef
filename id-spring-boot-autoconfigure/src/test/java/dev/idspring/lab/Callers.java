package dev.idspring.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import dev.idspring.ClockException;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.NodeUnavailableException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Threads of an instance that draw ids from all of its generators and record every
 * result. They draw single ids and several ids at once, inside and outside of
 * transactions.
 */
final class Callers {

	static final int THREADS = 2;

	static final String INVOICE_TABLE = "lab_invoice";

	private static final ThreadGroup GROUP = new ThreadGroup("callers");

	private static final long[] NONE = {};

	private final List<Thread> threads = new ArrayList<>();

	private final Heartbeat heartbeat = new Heartbeat();

	private final ConfigurableApplicationContext context;

	private final RecordedStores stores;

	private final TransactionTemplate transaction;

	private final TransactionTemplate serializableTransaction;

	private final JdbcTemplate jdbc;

	private final long pauseMicros;

	private volatile boolean useSerializable;

	private volatile boolean closing;

	private Callers(ConfigurableApplicationContext context, long pauseMicros) {
		this.context = context;
		this.stores = context.getBean(RecordedStores.class);
		PlatformTransactionManager manager = context.getBean(PlatformTransactionManager.class);
		this.transaction = new TransactionTemplate(manager);
		this.serializableTransaction = new TransactionTemplate(manager);
		this.serializableTransaction.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
		this.jdbc = context.getBean(JdbcTemplate.class);
		this.pauseMicros = pauseMicros;
	}

	/**
	 * Start the threads.
	 * @param instance the unique name of the instance
	 * @param pauseMicros how long each thread pauses after a call
	 */
	static Callers start(ConfigurableApplicationContext context, Path directory, String instance, long pauseMicros) {
		Callers callers = new Callers(context, pauseMicros);
		IdGenerators generators = context.getBean(IdGenerators.class);
		for (LabGenerator generator : LabGenerator.values()) {
			AtomicLong sequence = new AtomicLong();
			for (int i = 0; i < THREADS; i++) {
				RecordFile file = RecordFile.open(RecordFile.callFile(directory, instance, generator, i));
				Caller caller = callers.new Caller(generator, generators.get(generator.generatorName()), i, sequence,
						file);
				Thread thread = new Thread(GROUP, caller::run, instance + "-" + generator.generatorName() + "-" + i);
				thread.setDaemon(true);
				callers.threads.add(thread);
			}
		}
		callers.threads.forEach(Thread::start);
		return callers;
	}

	static boolean isCaller(Thread thread) {
		return thread.getThreadGroup() == GROUP;
	}

	/**
	 * Set whether gapless numbers are drawn in serializable transactions.
	 */
	void setUseSerializable(boolean useSerializable) {
		this.useSerializable = useSerializable;
	}

	/**
	 * Interrupt the threads that are waiting.
	 */
	void interrupt() {
		this.threads.stream()
			.filter((thread) -> thread.getState() == Thread.State.TIMED_WAITING
					|| thread.getState() == Thread.State.WAITING)
			.forEach(Thread::interrupt);
	}

	/**
	 * Close the application while the threads are running, and wait until they end.
	 */
	void close() throws InterruptedException {
		this.closing = true;
		this.context.close();
		for (Thread thread : this.threads) {
			thread.join();
		}
		this.heartbeat.close();
		this.stores.recordClosed();
	}

	/**
	 * A thread that draws ids.
	 */
	private final class Caller {

		private final LabGenerator generator;

		private final IdGenerator ids;

		private final AtomicLong sequence;

		private final RecordFile file;

		private final Random random = new Random();

		/**
		 * Whether the caller draws ids of a counter while it holds a connection from the
		 * application's pool.
		 */
		private final boolean holdsConnection;

		/** The ids that the last call received. */
		private long[] drawn = NONE;

		/** How many milliseconds the last call took. */
		private long tookMillis;

		Caller(LabGenerator generator, IdGenerator ids, int thread, AtomicLong sequence, RecordFile file) {
			this.generator = generator;
			this.ids = ids;
			this.sequence = sequence;
			this.file = file;
			this.holdsConnection = generator.kind() == LabGenerator.Kind.COUNTER && thread == 0;
			this.random.setSeed(generator.ordinal() * THREADS + thread);
		}

		void run() {
			try (this.file) {
				boolean running = true;
				while (running) {
					long before = this.sequence.incrementAndGet();
					this.drawn = NONE;
					this.tookMillis = 0;
					Answer answer;
					try {
						call();
						answer = Answer.ID;
					}
					catch (Throwable ex) {
						answer = answer(ex);
						running = !isCausedByClosing(answer, ex);
						if (answer == Answer.UNEXPECTED && running) {
							ex.printStackTrace();
						}
					}
					if (running || answer == Answer.ID || this.drawn.length > 0) {
						write(answer, before, this.sequence.incrementAndGet());
					}
					pause();
				}
			}
		}

		private void call() {
			if (this.generator.kind() == LabGenerator.Kind.GAPLESS) {
				long[] committed = (Callers.this.useSerializable ? Callers.this.serializableTransaction
						: Callers.this.transaction)
					.execute(this::insert);
				this.drawn = committed;
			}
			else if (this.holdsConnection) {
				// drawn ids stay used even if the transaction is rolled back
				Callers.this.transaction.executeWithoutResult((status) -> this.drawn = draw());
			}
			else {
				this.drawn = draw();
			}
		}

		private long[] insert(TransactionStatus status) {
			long number = timed(() -> new long[] { this.ids.nextLong() })[0];
			Callers.this.jdbc.update("insert into " + INVOICE_TABLE + " (id) values (?)", number);
			if (this.random.nextInt(8) == 0) {
				status.setRollbackOnly();
				return NONE;
			}
			return new long[] { number };
		}

		private long[] draw() {
			int bulkSize = (this.random.nextInt(4) == 0) ? 1 + this.random.nextInt(LabGenerator.MAX_BULK) : 0;
			return timed(() -> (bulkSize > 0) ? this.ids.nextLongs(bulkSize) : new long[] { this.ids.nextLong() });
		}

		private long[] timed(Supplier<long[]> draw) {
			long started = Callers.this.heartbeat.millis();
			try {
				return draw.get();
			}
			finally {
				this.tookMillis = Callers.this.heartbeat.millis() - started;
			}
		}

		private Answer answer(Throwable ex) {
			// clear the interrupt flag, which was meant for the call that has ended
			boolean interrupted = Thread.interrupted();
			if (ex instanceof IdStoreUnavailableException && isInterruption(ex)) {
				return interrupted ? Answer.INTERRUPTED : Answer.UNEXPECTED;
			}
			if (ex instanceof IdStoreUnavailableException || ex instanceof NodeUnavailableException
					|| ex instanceof ClockException) {
				return Answer.UNAVAILABLE;
			}
			if (ex instanceof OutOfMemoryError && LabClock.INJECTED.equals(ex.getMessage())) {
				return Answer.OUT_OF_MEMORY;
			}
			if (ex instanceof PessimisticLockingFailureException) {
				return Answer.LOCKED;
			}
			boolean fromApplication = (ex instanceof DataAccessException && !(ex instanceof DuplicateKeyException))
					|| ex instanceof TransactionException;
			return fromApplication ? Answer.APPLICATION_FAILED : Answer.UNEXPECTED;
		}

		/**
		 * Return whether the error reports an interrupt of the calling thread, rather
		 * than of a thread that called the store on its behalf.
		 */
		private static boolean isInterruption(Throwable ex) {
			return ex.getCause() instanceof InterruptedException
					|| String.valueOf(ex.getMessage()).contains("the thread was interrupted");
		}

		/**
		 * Return whether the error means that the application is closed: its pool or its
		 * generator is closed. Subclasses of {@code IllegalStateException}, such as the
		 * error for a store that went backwards, do not count.
		 */
		private boolean isCausedByClosing(Answer answer, Throwable ex) {
			return Callers.this.closing
					&& (answer == Answer.APPLICATION_FAILED || ex.getClass() == IllegalStateException.class);
		}

		private void write(Answer answer, long before, long after) {
			boolean failed = answer != Answer.ID;
			int count = this.drawn.length + (failed ? 1 : 0);
			long[] numbers = new long[count * RecordFile.NUMBERS_PER_ENTRY];
			for (int i = 0; i < count; i++) {
				boolean isId = i < this.drawn.length;
				int offset = i * RecordFile.NUMBERS_PER_ENTRY;
				numbers[offset] = (isId ? Answer.ID : answer).ordinal();
				numbers[offset + 1] = before;
				numbers[offset + 2] = after;
				numbers[offset + 3] = this.tookMillis;
				numbers[offset + 4] = isId ? this.drawn[i] : 0;
			}
			this.file.write(numbers);
		}

		/**
		 * Pause. An interrupt does not shorten the pause, but its flag remains set for
		 * the next call.
		 */
		private void pause() {
			boolean interrupted = Thread.interrupted();
			long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(Callers.this.pauseMicros);
			for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
				LockSupport.parkNanos(left);
				interrupted |= Thread.interrupted();
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
