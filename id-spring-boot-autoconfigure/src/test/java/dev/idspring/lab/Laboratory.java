package dev.idspring.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.Report;
import dev.idspring.testsupport.TestDatabase;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Injects faults, one after the other, into worker processes, their database, and the
 * network between them. A worker runs one or more instances of an application. During a
 * fault, each call must return an id or an error. After a fault, every generator of every
 * instance must issue ids again without a restart. At the end the {@link Ledger} checks
 * all issued ids.
 */
final class Laboratory implements AutoCloseable {

	private final Random random;

	private final Path directory;

	private final LabDatabase database;

	private final FaultProxy proxy;

	private final LabWorkers workers;

	private final List<String> violations = new ArrayList<>();

	private final Map<Fault, Integer> faultCounts = new EnumMap<>(Fault.class);

	private final Map<Fault, Integer> failuresByFault = new EnumMap<>(Fault.class);

	private final List<String> history = new ArrayList<>();

	private final Report report;

	/** The effects of the current fault. */
	private FaultEffects effects;

	Laboratory(DatabaseProcess databaseProcess, long seed, long pauseMicros) {
		this.random = new Random(seed);
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
		this.database = new LabDatabase(databaseProcess);
		this.proxy = new FaultProxy(databaseProcess.port(), new Random(seed));
		this.workers = new LabWorkers(this.directory, this.database.through(this.proxy), this.random, pauseMicros,
				this.violations);
		this.effects = new FaultEffects(this.directory, this.workers::currentInstances);
	}

	/**
	 * Inject each fault once per round, in a random order.
	 * @param faults the names of the faults
	 * @param rounds the number of rounds
	 */
	void run(List<String> faults, int rounds) {
		this.workers.startAll();
		awaitIds("startup");
		List<String> order = new ArrayList<>(faults);
		for (int i = 0; i < rounds; i++) {
			Collections.shuffle(order, this.random);
			order.stream().takeWhile((fault) -> this.violations.isEmpty()).map(Fault::valueOf).forEach(this::inject);
		}
		if (this.violations.isEmpty()) {
			this.workers.stopAll();
			verify();
		}
	}

	private void inject(Fault fault) {
		long started = System.nanoTime();
		this.history.add(fault.name());
		this.faultCounts.merge(fault, 1, Integer::sum);
		this.effects = new FaultEffects(this.directory, this.workers::currentInstances);
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
	 * Wait until a call to each of the generators has failed.
	 */
	void awaitFailures(Set<LabGenerator> generators) {
		awaitEffect("did not make a call fail for each of " + generators,
				() -> generators.stream().allMatch((generator) -> this.effects.failures(generator) > 0));
	}

	void awaitEffect(String problem, BooleanSupplier reached) {
		if (!this.effects.await(Watch.TIMEOUT, reached)) {
			this.violations.add(this.history.get(this.history.size() - 1) + " " + problem + ": " + this.effects);
		}
	}

	void awaitIds(String after) {
		reportWaiting(this.workers.watch().awaitIds(), "issued nothing after " + after);
	}

	void awaitAnswers(String during) {
		reportWaiting(this.workers.watch().awaitAnswers(), "was not answered during " + during);
	}

	void reportWaiting(List<String> waiting, String problem) {
		if (!waiting.isEmpty()) {
			this.violations.add(waiting + " " + problem);
		}
	}

	private void verify() {
		List<String> instances = this.workers.startedInstances();
		Ledger ledger = Ledger.read(this.directory, instances);
		try (HikariDataSource pool = this.database.pool(1)) {
			ledger.verify(new JdbcTemplate(pool));
		}
		this.violations.addAll(ledger.violations());
		this.report.line("faults %s", this.faultCounts);
		this.report.line("failures seen by callers and stores %s", this.failuresByFault);
		this.report.line("%d instances, %s", instances.size(), ledger.summary());
		this.report.print();
	}

	Random random() {
		return this.random;
	}

	int randomUpTo(int millis) {
		return 1 + this.random.nextInt(millis);
	}

	Path directory() {
		return this.directory;
	}

	LabDatabase database() {
		return this.database;
	}

	FaultProxy proxy() {
		return this.proxy;
	}

	LabWorkers workers() {
		return this.workers;
	}

	/**
	 * Return the effects of the current fault.
	 */
	FaultEffects effects() {
		return this.effects;
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
		this.workers.close();
		this.proxy.close();
		this.database.close();
	}

}
