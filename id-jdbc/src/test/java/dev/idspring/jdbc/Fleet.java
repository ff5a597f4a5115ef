package dev.idspring.jdbc;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.WorkerProcess;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes that use ids of the same store. They are killed, stopped and started again at
 * random, and frozen if requested.
 */
final class Fleet {

	/** How much longer than requested a run may last if too little has happened. */
	private static final Duration MAX_EXTENSION = Duration.ofMinutes(5);

	/** How long a statement may still run after its process was killed. */
	private static final Duration MAX_STATEMENT_TIME = Duration.ofSeconds(2);

	private final TestDatabase database;

	private final Class<?> worker;

	private final int workers;

	private final Duration lease;

	private final boolean freezesProcesses;

	private final List<String> arguments = new ArrayList<>();

	private final List<ProcessLife> lives = new ArrayList<>();

	private final List<ProcessLife> aliveProcesses = new ArrayList<>();

	private int kills;

	private int stops;

	private int freezes;

	/**
	 * Create a fleet.
	 * @param worker the program to run, see {@link WorkerProcess}. It must stop at the
	 * end of its input
	 * @param workers the number of processes
	 * @param lease how long a killed process may still own a slot
	 * @param freezesProcesses whether processes are also frozen, for up to two leases
	 * @param moreArguments further arguments of the program, after the four that describe
	 * the database
	 */
	Fleet(TestDatabase database, Class<?> worker, int workers, Duration lease, boolean freezesProcesses,
			String... moreArguments) {
		this.database = database;
		this.worker = worker;
		this.workers = workers;
		this.lease = lease;
		this.freezesProcesses = freezesProcesses;
		this.arguments.addAll(List.of(database.url(), database.username(), database.password(), database.platform()));
		this.arguments.addAll(List.of(moreArguments));
	}

	/**
	 * Run the processes for a while, then stop all of them.
	 * @param length the minimum length
	 * @param enough returns whether enough has happened. Until then, the run continues,
	 * but at most five minutes longer than the minimum length
	 */
	void run(Random random, Duration length, BooleanSupplier enough) throws InterruptedException {
		for (int i = 0; i < this.workers; i++) {
			start();
		}
		long end = System.nanoTime() + length.toNanos();
		while (System.nanoTime() < end
				|| (!enough.getAsBoolean() && System.nanoTime() < end + MAX_EXTENSION.toNanos())) {
			TimeUnit.MILLISECONDS.sleep(1_000 + random.nextInt(2_000));
			ProcessLife victim = this.aliveProcesses.get(random.nextInt(this.aliveProcesses.size()));
			if (this.freezesProcesses && random.nextInt(3) == 0) {
				freeze(victim, random.nextInt(2 * (int) this.lease.toMillis()));
			}
			else {
				this.aliveProcesses.remove(victim);
				if (random.nextInt(4) == 0) {
					stop(victim);
				}
				else {
					kill(victim);
				}
				// the pause may be shorter or longer than the rest of the lease
				TimeUnit.MILLISECONDS.sleep(random.nextInt(3_000));
				start();
			}
		}
		for (ProcessLife life : this.aliveProcesses) {
			stop(life);
		}
	}

	private void freeze(ProcessLife life, int millis) throws InterruptedException {
		life.process.freeze();
		TimeUnit.MILLISECONDS.sleep(millis);
		life.process.thaw();
		this.freezes++;
	}

	private void start() {
		ProcessLife life = new ProcessLife(WorkerProcess.start(this.worker,
				Path.of("target", this.worker.getSimpleName() + "-" + this.database.platform() + ".log"),
				this.arguments.toArray(String[]::new)), System.nanoTime());
		this.lives.add(life);
		this.aliveProcesses.add(life);
	}

	private void kill(ProcessLife life) {
		life.process.kill();
		life.end = System.nanoTime() + this.lease.plus(MAX_STATEMENT_TIME).toNanos();
		this.kills++;
	}

	private void stop(ProcessLife life) {
		assertThat(life.process.stop()).as("the process stops normally within 60 s, see target/*Worker-*.log").isTrue();
		life.end = System.nanoTime();
		this.stops++;
	}

	/**
	 * Return the output of all processes.
	 */
	String output() {
		return this.lives.stream().map((life) -> life.process.output()).collect(Collectors.joining());
	}

	int kills() {
		return this.kills;
	}

	int stops() {
		return this.stops;
	}

	int freezes() {
		return this.freezes;
	}

	/**
	 * Return the maximum number of processes that were alive or still had a lease at the
	 * same time.
	 */
	long maxConcurrent() {
		return this.lives.stream()
			.mapToLong((life) -> this.lives.stream()
				.filter((other) -> other.start <= life.start && life.start <= other.end)
				.count())
			.max()
			.orElse(0);
	}

	private static final class ProcessLife {

		private final WorkerProcess process;

		private final long start;

		private long end = Long.MAX_VALUE;

		ProcessLife(WorkerProcess process, long start) {
			this.process = process;
			this.start = start;
		}

	}

}
