package dev.idspring.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.WorkerProcess;

/**
 * The worker processes of the {@link Laboratory}. Each worker runs one or more instances
 * of an application.
 */
final class LabWorkers implements AutoCloseable {

	/** The number of instances in each worker. */
	private static final List<Integer> INSTANCES_PER_WORKER = List.of(1, 2);

	private final Path directory;

	private final TestDatabase database;

	private final Random random;

	private final long pauseMicros;

	private final List<String> violations;

	private final List<Worker> workers = new ArrayList<>();

	private int startedInstances;

	/**
	 * @param directory the directory for the files of the workers
	 * @param database the database, as the workers use it
	 * @param random decides which worker a fault affects
	 * @param pauseMicros the pause of a caller after each call
	 * @param violations receives a message about each worker that does not stop normally
	 */
	LabWorkers(Path directory, TestDatabase database, Random random, long pauseMicros, List<String> violations) {
		this.directory = directory;
		this.database = database;
		this.random = random;
		this.pauseMicros = pauseMicros;
		this.violations = violations;
	}

	void startAll() {
		INSTANCES_PER_WORKER.forEach((instanceCount) -> this.workers.add(start(instanceCount)));
	}

	void stopAll() {
		this.workers.forEach(this::stop);
	}

	/**
	 * Start a worker without adding it to the current workers.
	 */
	Worker start(int instanceCount) {
		List<String> names = IntStream.range(0, instanceCount)
			.mapToObj((i) -> instanceName(this.startedInstances++))
			.toList();
		WorkerProcess process = WorkerProcess.start(LabWorker.class, this.directory.resolve("worker.log"),
				this.database.url(), this.database.username(), this.database.password(), this.database.platform(),
				this.directory.toString(), String.join(",", names), Long.toString(this.pauseMicros));
		return new Worker(process, names);
	}

	void stop(Worker worker) {
		if (!worker.process().stop()) {
			this.violations.add(worker.instances() + " did not stop normally: " + worker.process().end());
			worker.process().kill();
		}
	}

	void kill(Worker worker) {
		worker.process().kill();
	}

	void replace(Worker worker) {
		this.workers.set(this.workers.indexOf(worker), start(worker.instances().size()));
	}

	void add(Worker worker) {
		this.workers.add(worker);
	}

	void remove(Worker worker) {
		this.workers.remove(worker);
	}

	Worker any() {
		return this.workers.get(this.random.nextInt(this.workers.size()));
	}

	void forEach(Consumer<Worker> action) {
		this.workers.forEach(action);
	}

	void send(String line) {
		this.workers.forEach((worker) -> worker.process().command(line));
	}

	/**
	 * Return the names of the instances of all current workers.
	 */
	List<String> currentInstances() {
		return instances(this.workers);
	}

	/**
	 * Return the names of the instances of all workers that were ever started.
	 */
	List<String> startedInstances() {
		return IntStream.range(0, this.startedInstances).mapToObj(LabWorkers::instanceName).toList();
	}

	Watch watch() {
		return watch(this.workers);
	}

	Watch watch(List<Worker> watchedWorkers) {
		return new Watch(this.directory, instances(watchedWorkers),
				() -> !watchedWorkers.stream().allMatch((worker) -> worker.process().isAlive()));
	}

	private static List<String> instances(List<Worker> workers) {
		return workers.stream().flatMap((worker) -> worker.instances().stream()).toList();
	}

	private static String instanceName(int number) {
		return "i" + number;
	}

	@Override
	public void close() {
		this.workers.stream().map(Worker::process).filter(WorkerProcess::isAlive).forEach(WorkerProcess::kill);
	}

	/**
	 * A process and the names of its instances.
	 */
	record Worker(WorkerProcess process, List<String> instances) {

	}

}
