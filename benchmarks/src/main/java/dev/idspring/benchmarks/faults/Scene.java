package dev.idspring.benchmarks.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.springframework.util.FileSystemUtils;

/**
 * One fault, and the peers (ways to create ids) that are exposed to it together. The same
 * processes draw ids from all these peers. The seed determines everything that is random:
 * how long some steps take, how long a caller pauses between two ids, and which
 * transactions are rolled back. Two scenes with the same seed still differ slightly,
 * because processes and servers are not always equally fast.
 */
final class Scene implements AutoCloseable {

	/**
	 * The average number of ids per second that the initial instances of a scene together
	 * draw from each peer.
	 */
	private static final int PER_SECOND = 500;

	/** The number of instances with the same host name, address and process id. */
	private static final int LOOK_ALIKES = 200;

	private static final int CONTAINERS = 10;

	private static final Duration LONGEST_START = Duration.ofSeconds(40);

	private static final Duration LONGEST_START_OF_MANY_INSTANCES = Duration.ofMinutes(3);

	private static final Duration LONGEST_STOP = Duration.ofSeconds(30);

	private final Path directory;

	private final Site site;

	private final List<Peer> peers;

	private final long seed;

	private final Random random;

	private final Map<Integer, Launched> running = new HashMap<>();

	private final Map<Integer, Ledger.Life> lives = new HashMap<>();

	private boolean rollingBack;

	private final boolean fakesClock;

	private long faultBegan;

	private long firstStart;

	private long longestPause;

	Scene(Site site, List<Peer> peers, Fault fault, long seed) throws IOException {
		this.directory = Files.createTempDirectory("ids-faults");
		this.site = site;
		this.peers = peers;
		this.seed = seed;
		this.random = new Random(seed);
		this.fakesClock = fault.movesClock();
		site.create(peers.stream().flatMap((peer) -> peer.setupStatements().stream()).toList());
	}

	Site site() {
		return this.site;
	}

	/**
	 * Begin to measure waiting times.
	 */
	void begin() {
		this.faultBegan = System.nanoTime();
	}

	/**
	 * Processes that are started from now on draw each id in a transaction, and roll back
	 * about half of these transactions.
	 */
	void rollBackTransactions() {
		this.rollingBack = true;
	}

	/**
	 * Wait while the processes draw ids, for the given time plus a random time of up to a
	 * second.
	 */
	void draw(double seconds) throws InterruptedException {
		Thread.sleep((long) (seconds * 1_000) + this.random.nextInt(1_000));
	}

	/**
	 * Start two processes, and suspend the server of the store for the given time while
	 * they draw ids.
	 */
	void cutOff(int seconds) throws Exception {
		startTwo();
		draw(4);
		begin();
		this.site.freeze();
		waitFor(seconds);
		this.site.thaw();
		draw(5);
	}

	void waitFor(int seconds) throws InterruptedException {
		Thread.sleep(seconds * 1_000L);
	}

	void startTwo() throws Exception {
		this.firstStart = System.nanoTime();
		launch(1, 1, 2, List.of());
		launch(2, 1, 2, List.of());
		awaitIds(LONGEST_START);
	}

	void start(int number) throws Exception {
		launch(number, 1, 2, List.of());
		awaitIds(LONGEST_START);
	}

	void startLookAlikes() throws Exception {
		launch(1, LOOK_ALIKES, LOOK_ALIKES, List.of());
		awaitIds(LONGEST_START_OF_MANY_INSTANCES);
	}

	void startContainers() throws Exception {
		List<String> container = Containers.commandPrefix();
		for (int number = 1; number <= CONTAINERS; number++) {
			launch(number, 1, CONTAINERS, container);
		}
		awaitIds(LONGEST_START_OF_MANY_INSTANCES);
	}

	private void launch(int first, int count, int instancesInScene, List<String> container) throws IOException {
		int number = this.lives.size();
		Duration period = Duration.ofSeconds(1).multipliedBy(instancesInScene).dividedBy(PER_SECOND);
		this.longestPause = 2 * period.toNanos();
		WorkerSettings settings = new WorkerSettings(this.directory, number, first, count, period, this.rollingBack,
				this.seed, this.site.database(), this.site.port(), this.peers);
		List<String> command = new ArrayList<>(container);
		command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx2g",
				"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dlogback.configurationFile=logback.xml", "-cp",
				System.getProperty("java.class.path"), Worker.class.getName()));
		command.addAll(List.of(settings.arguments()));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(this.directory.resolve("log").toFile()));
		if (this.fakesClock && first == 1) {
			FakeClock.preload(builder, clock());
		}
		this.running.put(first, new Launched(number, builder.start()));
		this.lives.put(number, Ledger.Life.RUNNING);
	}

	private Path clock() {
		return this.directory.resolve("clock");
	}

	/**
	 * Set the clock of the first process.
	 * @param seconds the difference from the clock of the machine, in seconds
	 */
	void setClock(int seconds) {
		FakeClock.set(clock(), seconds);
	}

	/**
	 * Set the clock of the first process back to its start time, so that the clock
	 * repeats times at which the process has already drawn ids.
	 */
	void setClockToStart() {
		setClock(-(int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - this.firstStart));
	}

	/**
	 * Wait until the instances have drawn an id from each peer, at most for the given
	 * time.
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
				if (Files.size(file) < 2L * Ledger.ENTRY_LENGTH) {
					return false;
				}
			}
			return this.running.values()
				.stream()
				.allMatch((launched) -> ids.stream()
					.filter((file) -> file.toString().endsWith("." + launched.number() + ".ids"))
					.count() >= this.peers.size());
		}
	}

	void stop(int number) throws Exception {
		Launched launched = running(number);
		launched.process().getOutputStream().close();
		launched.awaitEnd();
		changeLife(launched, (life) -> new Ledger.Life(System.nanoTime(), life.frozen(), life.thawed()));
	}

	void kill(int number) throws Exception {
		Launched launched = running(number);
		launched.process().destroyForcibly().waitFor();
		changeLife(launched, (life) -> new Ledger.Life(System.nanoTime(), life.frozen(), life.thawed()));
	}

	void freeze(int number) throws Exception {
		Launched launched = running(number);
		launched.signal("STOP");
		changeLife(launched, (life) -> new Ledger.Life(life.died(), System.nanoTime(), Long.MAX_VALUE));
	}

	void thaw(int number) throws Exception {
		Launched launched = running(number);
		changeLife(launched, (life) -> new Ledger.Life(life.died(), life.frozen(), System.nanoTime()));
		launched.signal("CONT");
	}

	private Launched running(int number) {
		return Objects.requireNonNull(this.running.get(number));
	}

	private void changeLife(Launched launched, UnaryOperator<Ledger.Life> change) {
		this.lives.computeIfPresent(launched.number(), (number, life) -> change.apply(life));
	}

	/**
	 * End the scene, and measure the peers in it.
	 * @param fullSpeedTime how long the processes draw at full speed before they stop, to
	 * use up the ids in memory; waits during this time are not counted
	 */
	List<FaultResults.Measured> end(Duration fullSpeedTime) throws Exception {
		long ended = System.nanoTime();
		if (!fullSpeedTime.isZero()) {
			for (Launched launched : this.running.values()) {
				launched.process().getOutputStream().write(Worker.FULL_SPEED);
				launched.process().getOutputStream().flush();
			}
			Thread.sleep(fullSpeedTime.toMillis());
		}
		for (Launched launched : this.running.values()) {
			launched.process().getOutputStream().close();
		}
		for (Launched launched : this.running.values()) {
			launched.awaitEnd();
		}
		List<FaultResults.Measured> measured = new ArrayList<>();
		for (Peer peer : this.peers) {
			measured.add(Ledger.read(this.directory, peer)
				.measure(this.faultBegan, ended, this.lives, this.longestPause, peer.isCounter()));
		}
		return measured;
	}

	@Override
	public void close() throws IOException {
		this.running.values().forEach((launched) -> launched.process().destroyForcibly().onExit().join());
		this.site.close();
		FileSystemUtils.deleteRecursively(this.directory);
	}

	/**
	 * A process of the scene.
	 *
	 * @param number the number of the process, which is unique in the scene
	 */
	private record Launched(int number, Process process) {

		void signal(String name) throws Exception {
			new ProcessBuilder("kill", "-" + name, Long.toString(this.process.pid())).start().waitFor();
		}

		void awaitEnd() throws InterruptedException {
			if (!this.process.waitFor(LONGEST_STOP.toSeconds(), TimeUnit.SECONDS)) {
				this.process.destroyForcibly().waitFor();
			}
		}

	}

}
