package dev.idspring.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import dev.idspring.ClockException;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.NodeUnavailableException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Threads of an instance that draw ids of all of its generators, single and in bulk, in
 * transactions and without, and write down what they get.
 */
final class Callers {

	static final int THREADS = 2;

	static final String INVOICES = "lab_invoice";

	/** More than any heap holds in one piece. */
	private static final int TOO_MANY = Integer.MAX_VALUE;

	private final List<Thread> threads = new ArrayList<>();

	private final Map<LabGenerator, AtomicLong> sequences = new EnumMap<>(LabGenerator.class);

	private final ConfigurableApplicationContext context;

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	private final long pauseMicros;

	private volatile boolean closing;

	private Callers(ConfigurableApplicationContext context, long pauseMicros) {
		this.context = context;
		this.transaction = context.getBean(TransactionTemplate.class);
		this.jdbc = context.getBean(JdbcTemplate.class);
		this.pauseMicros = pauseMicros;
	}

	/**
	 * Let threads begin.
	 * @param instance how this instance is named, different from all others
	 * @param pauseMicros how long each thread rests after a call
	 */
	static Callers start(ConfigurableApplicationContext context, Path directory, String instance, long pauseMicros) {
		Callers callers = new Callers(context, pauseMicros);
		IdGenerators generators = context.getBean(IdGenerators.class);
		for (LabGenerator generator : LabGenerator.values()) {
			callers.sequences.put(generator, new AtomicLong());
			for (int i = 0; i < THREADS; i++) {
				RecordFile file = RecordFile.create(directory, instance, generator, i);
				Call call = callers.call(generator, generators.get(generator.generator()), i);
				Thread thread = new Thread(() -> callers.run(generator, call, file),
						instance + "-" + generator.generator() + "-" + i);
				thread.setDaemon(true);
				callers.threads.add(thread);
			}
		}
		callers.threads.forEach(Thread::start);
		return callers;
	}

	private Call call(LabGenerator generator, IdGenerator ids, int thread) {
		if (generator.kind() == LabGenerator.Kind.GAPLESS) {
			return (random) -> this.transaction.execute((status) -> {
				long number = ids.nextLong();
				this.jdbc.update("insert into " + INVOICES + " (id) values (?)", number);
				if (random.nextInt(8) == 0) {
					status.setRollbackOnly();
					return new long[0];
				}
				return new long[] { number };
			});
		}
		Call plain = (random) -> (random.nextInt(4) == 0) ? ids.nextLongs(1 + random.nextInt(LabGenerator.BULK))
				: new long[] { ids.nextLong() };
		// some hold connections of the application's pool meanwhile
		boolean holds = generator.kind() == LabGenerator.Kind.COUNTER && thread == 0;
		return !holds ? plain : (random) -> this.transaction.execute((status) -> plain.run(random));
	}

	private void run(LabGenerator generator, Call call, RecordFile file) {
		AtomicLong sequence = this.sequences.get(generator);
		Random random = new Random(Thread.currentThread().getName().hashCode());
		try (file) {
			while (true) {
				long before = sequence.incrementAndGet();
				try {
					long[] ids = call.run(random);
					file.write(Answer.ID, before, sequence.incrementAndGet(), ids);
				}
				catch (Throwable ex) {
					// it was for the call that has ended
					Thread.interrupted();
					Answer answer = answer(ex);
					if (this.closing && (answer != Answer.UNEXPECTED || ex instanceof IllegalStateException)) {
						return;
					}
					if (answer == Answer.UNEXPECTED) {
						ex.printStackTrace();
					}
					file.write(answer, before, sequence.incrementAndGet(), 0);
				}
				rest();
			}
		}
	}

	/**
	 * Rest, also if there was an interrupt: that is for the next call.
	 */
	private void rest() {
		boolean interrupted = Thread.interrupted();
		LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(this.pauseMicros));
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private static Answer answer(Throwable ex) {
		if (ex instanceof IdStoreUnavailableException || ex instanceof NodeUnavailableException
				|| ex instanceof ClockException) {
			return Answer.REFUSED;
		}
		if (ex instanceof DuplicateKeyException) {
			return Answer.UNEXPECTED;
		}
		return (ex instanceof DataAccessException || ex instanceof TransactionException) ? Answer.APPLICATION_FAILED
				: Answer.UNEXPECTED;
	}

	/**
	 * Interrupt those who wait.
	 */
	void interrupt() {
		this.threads.stream()
			.filter((thread) -> thread.getState() == Thread.State.TIMED_WAITING
					|| thread.getState() == Thread.State.WAITING)
			.forEach(Thread::interrupt);
	}

	/**
	 * Ask all generators for more than there is memory for.
	 */
	void exhaustMemory() {
		for (IdGenerator generator : this.context.getBean(IdGenerators.class)) {
			try {
				generator.nextLongs(TOO_MANY);
				throw new IllegalStateException(generator.name() + " has filled an array that is larger than any heap");
			}
			catch (OutOfMemoryError ex) {
				// as it should
			}
		}
	}

	/**
	 * Close the application while they go on, and wait for them.
	 */
	void close() throws InterruptedException {
		this.closing = true;
		this.context.close();
		for (Thread thread : this.threads) {
			thread.join();
		}
	}

	private interface Call {

		long[] run(Random random);

	}

}
