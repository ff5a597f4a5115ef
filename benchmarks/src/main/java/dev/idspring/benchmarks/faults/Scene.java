package dev.idspring.benchmarks.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.springframework.util.FileSystemUtils;

/**
 * One fault, and all peers of a store in it: the same processes draw ids of each of them,
 * five hundred a second and peer. The seed decides how long each step takes and when ids
 * are drawn; what processes and servers do in this time differs a little each time.
 */
final class Scene implements AutoCloseable {

	/** All instances of a peer together. */
	private static final int PER_SECOND = 500;

	private static final int LOOK_ALIKES = 200;

	private static final Duration LONGEST_START = Duration.ofSeconds(20);

	private static final Duration LONGEST_START_OF_MANY = Duration.ofSeconds(90);

	private static final Duration LONGEST_STOP = Duration.ofSeconds(30);

	private final Path directory;

	private final Site site;

	private final List<Peer> peers;

	private final long seed;

	private final Random random;

	private final Map<Integer, Process> processes = new HashMap<>();

	private final Map<Long, Ledger.Life> lives = new HashMap<>();

	private boolean rollingBack;

	private boolean clocked;

	private long began;

	Scene(Site site, List<Peer> peers, Fault fault, long seed) throws IOException {
		this.directory = Files.createTempDirectory("ids-faults");
		this.site = site;
		this.peers = peers;
		this.seed = seed;
		this.random = new Random(seed);
		this.clocked = fault.movesClock();
		site.create(peers.stream().flatMap((peer) -> peer.tables().stream()).toList());
	}

	Site site() {
		return this.site;
	}

	/**
	 * Measure from now on.
	 */
	void begin() {
		this.began = System.nanoTime();
	}

	/**
	 * Draw each id in a transaction, half of which are rolled back.
	 */
	void rollBack() {
		this.rollingBack = true;
	}

	/**
	 * Let the processes draw ids for a time, to which the seed adds up to a second.
	 */
	void draw(double seconds) throws InterruptedException {
		Thread.sleep((long) (seconds * 1_000) + this.random.nextInt(1_000));
	}

	void waitFor(int seconds) throws InterruptedException {
		Thread.sleep(seconds * 1_000L);
	}

	void startTwo() throws Exception {
		launch(1, 1, 2);
		launch(2, 1, 2);
		awaitIds(LONGEST_START);
	}

	void start(int number) throws Exception {
		launch(number, 1, 2);
		awaitIds(LONGEST_START);
	}

	void startLookAlikes() throws Exception {
		launch(1, LOOK_ALIKES, LOOK_ALIKES);
		awaitIds(LONGEST_START_OF_MANY);
	}

	private void launch(int first, int count, int ofAll) throws IOException {
		Order order = new Order(this.directory, first, count,
				Duration.ofNanos(TimeUnit.SECONDS.toNanos(1) * ofAll / PER_SECOND), this.rollingBack, this.seed,
				this.site.database(), this.site.port(), this.peers);
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx2g",
						"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dlogback.configurationFile=logback.xml", "-cp",
						System.getProperty("java.class.path"), Worker.class.getName()));
		command.addAll(List.of(order.arguments()));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(this.directory.resolve("log").toFile()));
		if (this.clocked && first == 1) {
			FakeClock.preload(builder, clock());
		}
		Process process = builder.start();
		this.processes.put(first, process);
		this.lives.put(process.pid(), Ledger.Life.BORN);
	}

	private Path clock() {
		return this.directory.resolve("clock");
	}

	/**
	 * Set the clock of the first process.
	 * @param seconds the difference to the clock of the machine
	 */
	void setClock(int seconds) {
		FakeClock.set(clock(), seconds);
	}

	/**
	 * Wait until each peer has an id in each instance that has just been started. Those
	 * that have none by then are not waited for.
	 */
	private void awaitIds(Duration longest) throws Exception {
		long end = System.nanoTime() + longest.toNanos();
		while (System.nanoTime() < end && !haveIds()) {
			Thread.sleep(50);
		}
	}

	private boolean haveIds() throws IOException {
		try (Stream<Path> files = Files.list(this.directory)) {
			List<Path> ids = files.filter((file) -> file.toString().endsWith(".ids")).toList();
			for (Path file : ids) {
				if (Files.size(file) < 2L * Ledger.LENGTH) {
					return false;
				}
			}
			return this.processes.values()
				.stream()
				.allMatch((process) -> ids.stream()
					.filter((file) -> file.toString().endsWith("." + process.pid() + ".ids"))
					.count() >= this.peers.size());
		}
	}

	void stop(int number) throws Exception {
		Process process = process(number);
		process.getOutputStream().write('\n');
		process.getOutputStream().flush();
		if (!process.waitFor(LONGEST_STOP.toSeconds(), TimeUnit.SECONDS)) {
			process.destroyForcibly().waitFor();
		}
		died(process);
	}

	void kill(int number) throws Exception {
		Process process = process(number);
		process.destroyForcibly().waitFor();
		died(process);
	}

	private Process process(int number) {
		Process process = this.processes.get(number);
		if (process == null) {
			throw new IllegalStateException("Process " + number + " was not started");
		}
		return process;
	}

	private void died(Process process) {
		this.lives.computeIfPresent(process.pid(),
				(pid, life) -> new Ledger.Life(System.nanoTime(), life.frozen(), life.thawed()));
	}

	void freeze(int number) throws Exception {
		signal("STOP", process(number));
		this.lives.put(process(number).pid(), new Ledger.Life(Long.MAX_VALUE, System.nanoTime(), Long.MAX_VALUE));
	}

	void thaw(int number) throws Exception {
		this.lives.computeIfPresent(process(number).pid(),
				(pid, life) -> new Ledger.Life(life.died(), life.frozen(), System.nanoTime()));
		signal("CONT", process(number));
	}

	private static void signal(String name, Process process) throws Exception {
		new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
	}

	/**
	 * End the scene, and measure a peer in it.
	 */
	List<FaultResults.Measured> end() throws Exception {
		long ended = System.nanoTime();
		for (Process process : this.processes.values()) {
			process.getOutputStream().close();
		}
		for (Process process : this.processes.values()) {
			if (!process.waitFor(LONGEST_STOP.toSeconds(), TimeUnit.SECONDS)) {
				process.destroyForcibly().waitFor();
			}
		}
		List<FaultResults.Measured> measured = new ArrayList<>();
		for (Peer peer : this.peers) {
			measured.add(Ledger.read(this.directory, peer).measure(this.began, ended, this.lives, peer.isCounter()));
		}
		return measured;
	}

	@Override
	public void close() throws Exception {
		for (Process process : this.processes.values()) {
			process.destroyForcibly().waitFor();
		}
		this.site.close();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
