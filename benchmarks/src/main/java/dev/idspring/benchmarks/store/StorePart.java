package dev.idspring.benchmarks.store;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;

import dev.idspring.benchmarks.Median;
import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.store.Contestant.Source;
import org.HdrHistogram.Histogram;

/**
 * Measures generators that reserve ids in a database: their maximum rate, the latency of
 * calls, the number of round trips, and the number of unused ids.
 */
public final class StorePart {

	/** The name of the file with the results of this part. */
	public static final String NAME = "store";

	/** The name of our generator in the results. */
	public static final String OURS = OursContestant.NAME;

	/**
	 * The prefix of the names of CosId's chains in the results. The step, which is the
	 * number of ids per segment, follows the prefix.
	 */
	public static final String CHAIN = CosIdContestant.CHAIN;

	/**
	 * How much longer the warm-up of our generator takes than that of the others.
	 */
	public static final Duration OURS_RAMP_UP = OursContestant.RAMP_UP;

	/**
	 * The rate, in ids per second, of the measurement that counts waiting callers. With
	 * default settings, no caller of our generator should wait at this rate.
	 */
	public static final int PACE = 1_000_000;

	/**
	 * The pause after which unused ids are counted. It is longer than the time for which
	 * CosId's chain continues to reserve after the last draw.
	 */
	private static final Duration PAUSE = Duration.ofSeconds(6);

	private static final int THREADS = 2;

	private static final int USE_PER_SECOND = 10;

	private static final List<Contestant> CONTESTANTS = List.of(OursContestant.withDefaults(),
			new CosIdContestant(1_000), new CosIdContestant(10_000), new HibernateContestant(50),
			new HibernateContestant(1_000), new SpringContestant());

	private final StoreResults storeResults = StoreResults.empty();

	private final Results results;

	private final Mode mode;

	private StorePart(Results results, Mode mode) {
		this.results = results;
		this.mode = mode;
	}

	/**
	 * Run this part.
	 * @param args the directory of the results, and the mode
	 */
	public static void main(String[] args) {
		new StorePart(new Results(Path.of(args[0])), Mode.valueOf(args[1])).run();
		// exit even if threads of a contestant are still running
		System.exit(0);
	}

	private void run() {
		List<Server> servers = (this.mode == Mode.FULL) ? List.of(Server.values()) : List.of(Server.POSTGRESQL);
		List<Integer> delays = (this.mode == Mode.FULL) ? List.of(0, 5, 50) : List.of(0, 5);
		for (Server server : servers) {
			tryTo("read the version of " + server.title(), () -> this.storeResults.servers().add(version(server)));
			for (int delay : delays) {
				for (Contestant contestant : (delay > 0) ? supportedBy(server) : List.<Contestant>of()) {
					tryTo("draw at a given rate from " + contestant.name() + " on " + server.title()
							+ " with a delay of " + delay + " ms",
							() -> this.storeResults.paced().add(pace(server, Duration.ofMillis(delay), contestant)));
				}
				for (Contestant contestant : supportedBy(server)) {
					tryTo("draw at full speed from " + contestant.name() + " on " + server.title() + " with a delay of "
							+ delay + " ms",
							() -> this.storeResults.runs().add(run(server, Duration.ofMillis(delay), contestant)));
				}
			}
		}
		// the result does not depend on the server, so use only the last one, which all
		// contestants support in a full run
		Server last = servers.get(servers.size() - 1);
		tryTo("count unused ids on " + last.title(), () -> this.storeResults.unused().addAll(countUnused(last)));
	}

	private static List<Contestant> supportedBy(Server server) {
		return CONTESTANTS.stream().filter((contestant) -> contestant.supports(server)).toList();
	}

	/**
	 * Run a task that may fail, and store the results so far.
	 */
	private void tryTo(String description, Callable<?> task) {
		System.out.println("Store: " + description);
		try {
			task.call();
		}
		catch (Exception ex) {
			System.out.println("  failed: " + ex);
			this.storeResults.failures().add(description + ": " + ex);
		}
		this.results.write(NAME, this.storeResults);
	}

	private static String version(Server server) {
		try (Network network = new Network(server, Duration.ZERO)) {
			String version = network.direct().queryForObject("select version()", String.class);
			return server.title() + " " + String.valueOf(version).replaceAll("^PostgreSQL ", "").split("[ (]")[0];
		}
	}

	private StoreResults.Run run(Server server, Duration delay, Contestant contestant) throws InterruptedException {
		try (Network network = new Network(server, delay)) {
			double firstId = firstIdMillis(network, contestant);
			try (Source source = contestant.open(network, "full-speed")) {
				Callers callers = new Callers(source, THREADS);
				// with a longer delay, contestants take longer to adapt
				Callers.Drawn first = callers
					.draw(this.mode.warmup().plus(delay.multipliedBy(40)).plus(contestant.rampUp()));
				OptionalLong before = network.roundTrips();
				Callers.Drawn drawn = callers.draw(this.mode.measurement());
				OptionalLong after = network.roundTrips();
				Histogram latencies = callers.measureLatencies(this.mode.measurement());
				Callers.Drawn last = callers.draw(this.mode.measurement());
				Thread.sleep(PAUSE.toMillis());
				long lost = source.reserved() - first.count() - drawn.count() - latencies.getTotalCount()
						- last.count();
				return new StoreResults.Run(server.title(), delay.toMillis(), contestant.name(), drawn.perSecond(),
						latency(latencies), perMillion(before, after, drawn.count()), firstId, lost);
			}
		}
	}

	static double firstIdMillis(Network network, Contestant contestant) {
		List<Double> all = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			try (Source source = contestant.open(network, "first-id-" + i)) {
				all.add(source.timeToFirstId() / 1_000_000.0);
			}
		}
		return Median.of(all.stream().mapToDouble(Double::doubleValue));
	}

	private static StoreResults.Latency latency(Histogram nanos) {
		return new StoreResults.Latency(nanos.getValueAtPercentile(50) / 1000.0,
				nanos.getValueAtPercentile(99) / 1000.0, nanos.getValueAtPercentile(99.9) / 1000.0,
				nanos.getValueAtPercentile(99.99) / 1000.0, nanos.getMaxValue() / 1000.0);
	}

	private static Double perMillion(OptionalLong before, OptionalLong after, long ids) {
		return (before.isPresent() && after.isPresent() && ids > 0)
				? (after.getAsLong() - before.getAsLong()) * 1_000_000.0 / ids : null;
	}

	private StoreResults.Paced pace(Server server, Duration delay, Contestant contestant) {
		try (Network network = new Network(server, delay); Source source = contestant.open(network, "paced")) {
			Callers callers = new Callers(source, 2 * THREADS);
			// with a longer delay, contestants take longer to adapt
			callers.drawAtRate(this.mode.warmup().plusSeconds(1).plus(delay.multipliedBy(40)).plus(contestant.rampUp()),
					PACE);
			OptionalLong before = source.exhaustions();
			Callers.Paced paced = callers.drawAtRate(this.mode.measurement().plusSeconds(3), PACE);
			OptionalLong after = source.exhaustions();
			return new StoreResults.Paced(server.title(), delay.toMillis(), contestant.name(), PACE,
					paced.drawn().perSecond(), paced.slow(), paced.worst() / 1000.0,
					before.isPresent() ? after.getAsLong() - before.getAsLong() : null);
		}
	}

	/**
	 * Measure the unused ids of all contestants at the same time. This is possible
	 * because ids are drawn from them slowly.
	 */
	private List<StoreResults.Unused> countUnused(Server server) throws Exception {
		List<AutoCloseable> opened = new ArrayList<>();
		try {
			List<UnusedIdsCase> cases = new ArrayList<>();
			for (Contestant contestant : supportedBy(server)) {
				// use a separate database for each case
				Network left = new Network(server, Duration.ZERO);
				opened.add(0, left);
				Source leftAlone = contestant.open(left, "left-alone");
				opened.add(0, leftAlone);
				Network used = new Network(server, Duration.ZERO);
				opened.add(0, used);
				Source inUse = contestant.open(used, "in-use");
				opened.add(0, inUse);
				cases.add(new UnusedIdsCase(contestant, leftAlone, inUse));
			}
			return countUnused(server, cases);
		}
		finally {
			for (AutoCloseable closeable : opened) {
				closeable.close();
			}
		}
	}

	private List<StoreResults.Unused> countUnused(Server server, List<UnusedIdsCase> cases)
			throws InterruptedException {
		List<LongSupplier> inUse = new ArrayList<>();
		for (UnusedIdsCase unused : cases) {
			unused.leftAlone().timeToFirstId();
			unused.inUse().timeToFirstId();
			inUse.add(unused.inUse().idSupplier());
		}
		Thread.sleep(Duration.ofSeconds(2).toMillis());
		List<Long> afterFirst = cases.stream().map((unused) -> unused.leftAlone().reserved() - 1).toList();
		long seconds = this.mode.idle().toSeconds();
		long drawn = 1;
		for (; drawn <= seconds * USE_PER_SECOND; drawn++) {
			inUse.forEach(LongSupplier::getAsLong);
			Thread.sleep(1000 / USE_PER_SECOND);
		}
		List<StoreResults.Unused> results = new ArrayList<>();
		for (int i = 0; i < cases.size(); i++) {
			results.add(new StoreResults.Unused(server.title(), cases.get(i).contestant().name(), afterFirst.get(i),
					cases.get(i).leftAlone().reserved() - 1, cases.get(i).inUse().reserved() - drawn, seconds,
					USE_PER_SECOND));
		}
		return results;
	}

	private record UnusedIdsCase(Contestant contestant, Source leftAlone, Source inUse) {

	}

}
