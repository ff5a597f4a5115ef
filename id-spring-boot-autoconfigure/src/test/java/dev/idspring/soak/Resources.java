package dev.idspring.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.idspring.testsupport.TestDatabase;

/**
 * The resources that this JVM holds.
 *
 * @param heap the used bytes after the last garbage collection
 * @param threads the names of threads by thread id
 * @param files the number of open descriptors by file, with all sockets as one entry;
 * empty on systems other than Linux
 */
record Resources(long heap, Map<Long, String> threads, Map<String, Long> files) {

	private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

	/** Prefixes of the names of threads that belong to the JVM or to the test. */
	private static final List<String> FOREIGN_THREADS = List.of("ForkJoinPool.commonPool", "awaitility",
			"Attach Listener");

	static Resources now() {
		clearSoftReferences();
		// a second collection, for objects that cleaners have released
		System.gc();
		// usage after the collection, without later allocations
		long heap = ManagementFactory.getMemoryPoolMXBeans()
			.stream()
			.filter((pool) -> pool.getType() == MemoryType.HEAP)
			.map(MemoryPoolMXBean::getCollectionUsage)
			.filter(Objects::nonNull)
			.mapToLong(MemoryUsage::getUsed)
			.sum();
		Map<Long, String> threads = Thread.getAllStackTraces()
			.keySet()
			.stream()
			.collect(Collectors.toMap(Thread::getId, Thread::getName));
		return new Resources(heap, threads, openFiles());
	}

	/**
	 * Clear all soft references, because otherwise Spring's caches would look like a
	 * leak. The JVM clears them before it throws an OutOfMemoryError, so this method
	 * requests more memory than is available.
	 */
	private static void clearSoftReferences() {
		try {
			long[] everything = new long[(int) Math.min(Integer.MAX_VALUE - 8, Runtime.getRuntime().maxMemory() / 8)];
			everything[0] = 1;
		}
		catch (OutOfMemoryError ex) {
			// expected
		}
	}

	private static Map<String, Long> openFiles() {
		if (!Files.isDirectory(DESCRIPTORS)) {
			return Map.of();
		}
		try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
			return descriptors.map(Resources::target)
				.collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String target(Path descriptor) {
		try {
			return Files.readSymbolicLink(descriptor).toString().replaceAll(":\\[\\d+]", "");
		}
		catch (NoSuchFileException ex) {
			// the descriptor of the listing itself
			return "closed";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the number of open connections to a database, not including the connection
	 * that this method opens.
	 */
	static int connections(TestDatabase database) throws SQLException {
		String sql = database.platform().equals("postgresql")
				? "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
				: "select count(*) from information_schema.processlist where db = database() and id <> connection_id()";
		try (Connection connection = DriverManager.getConnection(database.url(), database.username(),
				database.password());
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(sql)) {
			rows.next();
			return rows.getInt(1);
		}
	}

	/**
	 * Return the typical growth of the heap from one measurement to the next. The growth
	 * is computed for each half of the measurements. The smaller value is returned, so
	 * that a single allocation does not count as growth.
	 */
	static long growth(List<Long> measurements) {
		int middle = measurements.size() / 2;
		return Math.min(slope(measurements.subList(0, middle)),
				slope(measurements.subList(middle, measurements.size())));
	}

	/**
	 * Return the median of the slopes between all pairs of measurements. A few outliers
	 * hardly affect the median.
	 */
	private static long slope(List<Long> measurements) {
		long[] slopes = IntStream.range(0, measurements.size())
			.boxed()
			.flatMap((i) -> IntStream.range(i + 1, measurements.size())
				.mapToObj((j) -> (measurements.get(j) - measurements.get(i)) / (j - i)))
			.mapToLong(Long::longValue)
			.sorted()
			.toArray();
		return slopes[slopes.length / 2];
	}

	/**
	 * Return the threads that the other measurement does not contain, except threads of
	 * the JVM and of the test.
	 */
	List<String> threadsMissingIn(Resources other) {
		return this.threads.entrySet()
			.stream()
			.filter((thread) -> !other.threads.containsKey(thread.getKey()))
			.map(Map.Entry::getValue)
			.filter((name) -> FOREIGN_THREADS.stream().noneMatch(name::startsWith))
			.toList();
	}

	/**
	 * Return the files that are open more often than in the other measurement. Jars are
	 * ignored, because they remain open after a class has been loaded from them.
	 */
	List<String> additionalFiles(Resources other) {
		return this.files.entrySet()
			.stream()
			.filter((file) -> file.getValue() > other.files.getOrDefault(file.getKey(), 0L))
			.map(Map.Entry::getKey)
			.filter((name) -> !name.endsWith(".jar") && !name.equals("closed"))
			.toList();
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "%,d kB, %d threads, %d files and sockets", this.heap / 1024,
				this.threads.size(), this.files.values().stream().mapToLong(Long::longValue).sum());
	}

}
