package dev.idspring.benchmarks;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.idspring.benchmarks.compare.Compare;
import dev.idspring.benchmarks.faults.FaultsPart;
import dev.idspring.benchmarks.fleet.FleetPart;
import dev.idspring.benchmarks.inserts.InsertsPart;
import dev.idspring.benchmarks.raw.RawPart;
import dev.idspring.benchmarks.report.FaultsReport;
import dev.idspring.benchmarks.report.FirstReport;
import dev.idspring.benchmarks.report.FleetReport;
import dev.idspring.benchmarks.report.InsertsReport;
import dev.idspring.benchmarks.report.Report;
import dev.idspring.benchmarks.report.StartReport;
import dev.idspring.benchmarks.report.TextReport;
import dev.idspring.benchmarks.scopes.ScopesPart;
import dev.idspring.benchmarks.start.StartPart;
import dev.idspring.benchmarks.store.FirstPart;
import dev.idspring.benchmarks.store.StorePart;
import dev.idspring.benchmarks.text.TextPart;
import dev.idspring.benchmarks.virtual.VirtualPart;

/**
 * Runs benchmarks, and writes reports from the results of this run and of earlier runs.
 * If the arguments name neither a part nor {@code report}, the parts {@code raw},
 * {@code virtual} and {@code store} run:
 *
 * <pre class="code">
 * java -jar benchmarks/target/benchmarks.jar [quick] [raw] [virtual] [store] [report]
 * java -jar benchmarks/target/benchmarks.jar [quick] start
 * java -jar benchmarks/target/benchmarks.jar [quick] inserts
 * java -jar benchmarks/target/benchmarks.jar [quick] fleet
 * java -jar benchmarks/target/benchmarks.jar [quick] text
 * java -jar benchmarks/target/benchmarks.jar [quick] scopes
 * java -jar benchmarks/target/benchmarks.jar [quick] first
 * java -jar benchmarks/target/benchmarks.jar [quick] faults
 * java -jar benchmarks/target/benchmarks.jar faults --fault=… [--peer=… --seed=…]
 * java -jar benchmarks/target/benchmarks.jar compare another-checkout/benchmarks/target
 * java -jar benchmarks/target/benchmarks.jar stress [options of jcstress]
 * </pre>
 * <p>
 * Each part runs in its own process. If a part fails or hangs, the others still run.
 */
public final class Benchmarks {

	private static final String QUICK = "quick";

	private static final String REPORT = "report";

	private static final String STRESS = "stress";

	private static final String COMPARE = "compare";

	/** The parts that run if no part is named. */
	private static final Set<Part> DEFAULT_PARTS = EnumSet.range(Part.RAW, Part.STORE);

	private final Path target;

	private final Mode mode;

	private final Results results;

	private Benchmarks(Path target, Mode mode) {
		this.target = target;
		this.mode = mode;
		this.results = new Results(
				target.resolve("results").resolve(mode.name().toLowerCase(Locale.ROOT)).toAbsolutePath());
	}

	/**
	 * Run benchmarks.
	 * @param args the parts to run, or another command
	 */
	public static void main(String[] args) throws Exception {
		if (args.length > 0 && args[0].equals(STRESS)) {
			org.openjdk.jcstress.Main.main(Arrays.copyOfRange(args, 1, args.length));
			return;
		}
		if (args.length == 2 && args[0].equals(COMPARE)) {
			Compare.run(target(), Path.of(args[1]));
			return;
		}
		if (args.length > 1 && args[0].equals(FaultsPart.NAME) && args[1].startsWith("--")) {
			System.exit(runFaults(Arrays.copyOfRange(args, 1, args.length)) ? 0 : 1);
		}
		Set<String> words = Set.of(args);
		Set<Part> parts = EnumSet.noneOf(Part.class);
		for (String word : args) {
			if (!word.equals(QUICK) && !word.equals(REPORT)) {
				parts.add(Part.valueOf(word.toUpperCase(Locale.ROOT)));
			}
		}
		if (parts.isEmpty() && !words.contains(REPORT)) {
			parts = DEFAULT_PARTS;
		}
		boolean complete = new Benchmarks(target(), words.contains(QUICK) ? Mode.QUICK : Mode.FULL).run(parts);
		System.exit(complete ? 0 : 1);
	}

	/**
	 * Measure a fault again, or one peer (a way to create ids) under that fault. The
	 * report is written only if the measurement succeeds, and neither a peer nor a seed
	 * is specified.
	 */
	private static boolean runFaults(String... options) throws Exception {
		Mode mode = (options.length > 1) ? Mode.QUICK : Mode.FULL;
		Benchmarks benchmarks = new Benchmarks(target(), mode);
		Optional<String> problem = benchmarks.run(Part.FAULTS, options);
		problem.ifPresent(System.out::println);
		if (problem.isEmpty() && mode == Mode.FULL) {
			new FaultsReport(benchmarks.results, mode, benchmarks.target).write();
		}
		return problem.isEmpty();
	}

	/**
	 * Return the directory of the jar.
	 */
	private static Path target() throws URISyntaxException {
		Path jar = Path.of(Benchmarks.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		return jar.toAbsolutePath().getParent();
	}

	private boolean run(Set<Part> parts) throws Exception {
		Files.createDirectories(this.results.directory());
		boolean complete = true;
		for (Part part : parts) {
			long started = System.nanoTime();
			this.results.delete(part.title());
			double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
			Optional<String> problem = run(part);
			this.results.write(Outcome.file(part.title()),
					new Outcome(System.getProperty("java.runtime.version"), Instant.now(), load, problem.orElse(null)));
			System.out.printf(Locale.ROOT, "%nPart %s: %s, %d s%n", part.title(), problem.orElse("done"),
					Duration.ofNanos(System.nanoTime() - started).toSeconds());
			complete &= problem.isEmpty();
		}
		// if a part has failed, the published reports must not be replaced
		Mode published = complete ? this.mode : Mode.QUICK;
		if (parts.isEmpty() || parts.stream().anyMatch(DEFAULT_PARTS::contains)) {
			new Report(this.results, published, this.target).write();
		}
		if (parts.isEmpty() || parts.contains(Part.START)) {
			new StartReport(this.results, published, this.target).write();
		}
		if (parts.isEmpty() || parts.contains(Part.INSERTS)) {
			new InsertsReport(this.results, published, this.target).write();
		}
		if (parts.isEmpty() || parts.contains(Part.FLEET)) {
			new FleetReport(this.results, published, this.target).write();
		}
		if (parts.isEmpty() || parts.contains(Part.FIRST)) {
			new FirstReport(this.results, published, this.target).write();
		}
		if (parts.isEmpty() || parts.contains(Part.TEXT)) {
			new TextReport(this.results, published, this.target).write();
		}
		if (parts.isEmpty() || parts.contains(Part.FAULTS)) {
			new FaultsReport(this.results, published, this.target).write();
		}
		return complete;
	}

	private Optional<String> run(Part part, String... options) throws IOException, InterruptedException {
		Optional<Path> jdk = part.needsVirtualThreads() ? Jdks.atLeast(21)
				: Optional.of(Path.of(System.getProperty("java.home")));
		if (jdk.isEmpty()) {
			return Optional.of("found no JDK with virtual threads: specify one with -Dbenchmarks.jdk=…");
		}
		List<String> command = new ArrayList<>(List.of(jdk.get().resolve("bin").resolve("java").toString(),
				// use the logging configuration of the benchmarks instead of that of the
				// tests
				"-Dlogback.configurationFile=logback.xml", "-cp",
				this.target.resolve("benchmarks.jar") + part.additionalLibraries(this.target),
				part.mainClass().getName(), this.results.directory().toString(), this.mode.name(),
				this.target.toString()));
		command.addAll(List.of(options));
		Process process = new ProcessBuilder(command).inheritIO().start();
		if (process.waitFor(part.timeLimit().toMillis(), TimeUnit.MILLISECONDS)) {
			return (process.exitValue() == 0) ? Optional.empty()
					: Optional.of("ended with exit code " + process.exitValue());
		}
		process.descendants().forEach(ProcessHandle::destroyForcibly);
		process.destroyForcibly().waitFor();
		return Optional.of("was stopped after " + part.timeLimit().toMinutes() + " minutes");
	}

	/**
	 * The parts. Only the first three run by default.
	 */
	private enum Part {

		RAW(RawPart.name(), RawPart.class, Duration.ofMinutes(30)),
		VIRTUAL(VirtualPart.NAME, VirtualPart.class, Duration.ofMinutes(10)),
		STORE(StorePart.NAME, StorePart.class, Duration.ofMinutes(40)),
		START(StartPart.NAME, StartPart.class, Duration.ofMinutes(150)),
		INSERTS(InsertsPart.NAME, InsertsPart.class, Duration.ofMinutes(90)),
		FLEET(FleetPart.NAME, FleetPart.class, Duration.ofMinutes(60)),
		TEXT(TextPart.NAME, TextPart.class, Duration.ofMinutes(20)),
		SCOPES(ScopesPart.NAME, ScopesPart.class, Duration.ofMinutes(20)),
		FIRST(FirstPart.NAME, FirstPart.class, Duration.ofMinutes(20)),
		FAULTS(FaultsPart.NAME, FaultsPart.class, Duration.ofMinutes(120));

		private final String title;

		private final Class<?> mainClass;

		private final Duration timeLimit;

		Part(String title, Class<?> mainClass, Duration timeLimit) {
			this.title = title;
			this.mainClass = mainClass;
			this.timeLimit = timeLimit;
		}

		Class<?> mainClass() {
			return this.mainClass;
		}

		Duration timeLimit() {
			return this.timeLimit;
		}

		boolean needsVirtualThreads() {
			return this == VIRTUAL;
		}

		/**
		 * Return the class path entries that the manifest of the jar does not name.
		 */
		String additionalLibraries(Path target) {
			return (this == FAULTS) ? File.pathSeparator + target.resolve("lib") + File.separator + "*" : "";
		}

		String title() {
			return this.title;
		}

	}

}
