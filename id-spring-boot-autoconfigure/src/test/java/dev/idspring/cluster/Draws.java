package dev.idspring.cluster;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.testsupport.Figures;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Draws ids from generators of three strategies in several instances, and counts
 * duplicates.
 */
final class Draws {

	/** One generator of each strategy that reserves blocks of ids. */
	private static final String[] GENERATOR_PROPERTIES = { "ids.generators.coprime.strategy=coprime",
			"ids.generators.sequential.strategy=sequential", "ids.generators.recycled.strategy=recycled",
			"ids.generators.recycled.recycled.series-size=100000" };

	static final List<String> GENERATOR_NAMES = List.of("coprime", "sequential", "recycled");

	private static final int IDS_PER_CALL = 20;

	/** How long callers retry while the store is unavailable during a fail-over. */
	private static final Duration RETRY_TIMEOUT = Duration.ofMinutes(2);

	private final Map<String, Set<Long>> drawnIds = new ConcurrentHashMap<>();

	private final Map<String, LongAdder> duplicateCounts = new ConcurrentHashMap<>();

	private final LongAdder failedCalls = new LongAdder();

	static String[] properties(String... additional) {
		String[] properties = Arrays.copyOf(GENERATOR_PROPERTIES, GENERATOR_PROPERTIES.length + additional.length);
		System.arraycopy(additional, 0, properties, GENERATOR_PROPERTIES.length, additional.length);
		return properties;
	}

	/**
	 * Draw at least the given number of ids from each strategy.
	 * @return the given number
	 */
	int draw(ConfigurableApplicationContext instance, int count) {
		IdGenerators generators = instance.getBean(IdGenerators.class);
		for (int i = 0; i < count; i += IDS_PER_CALL) {
			for (String name : GENERATOR_NAMES) {
				add(name, drawWithRetry(generators.get(name)));
			}
		}
		return count;
	}

	/**
	 * Draw ids in a single call, which fails if the store is unavailable.
	 */
	void drawOnce(IdGenerator generator, int count) {
		try {
			add(generator.name(), generator.nextLongs(count));
		}
		catch (IdStoreUnavailableException ex) {
			this.failedCalls.increment();
			throw ex;
		}
	}

	/**
	 * Return how many different ids were drawn from the generator with the fewest ids.
	 */
	int count() {
		return this.drawnIds.values().stream().mapToInt(Set::size).min().orElse(0);
	}

	/**
	 * Return how many numbers of {@code sequential} below the highest drawn number have
	 * not been drawn, including those that instances still have in memory.
	 */
	long skipped() {
		Set<Long> ids = this.drawnIds.getOrDefault("sequential", Set.of());
		return ids.stream().mapToLong(Long::longValue).max().orElse(0) - ids.size();
	}

	private long[] drawWithRetry(IdGenerator generator) {
		long end = System.nanoTime() + RETRY_TIMEOUT.toNanos();
		while (true) {
			try {
				return generator.nextLongs(IDS_PER_CALL);
			}
			catch (IdStoreUnavailableException ex) {
				this.failedCalls.increment();
				if (System.nanoTime() > end) {
					throw ex;
				}
			}
		}
	}

	private void add(String name, long[] ids) {
		Set<Long> known = this.drawnIds.computeIfAbsent(name, (strategy) -> ConcurrentHashMap.newKeySet());
		LongAdder duplicates = this.duplicateCounts.computeIfAbsent(name, (strategy) -> new LongAdder());
		for (long id : ids) {
			if (!known.add(id)) {
				duplicates.increment();
			}
		}
	}

	/**
	 * Record the figures, and fail if an id was issued twice.
	 */
	void assertNoDuplicates(String scenario) {
		Map<String, String> figures = new TreeMap<>();
		this.drawnIds.forEach((name, ids) -> {
			long duplicates = this.duplicateCounts.get(name).sum();
			figures.put(name, (ids.size() + duplicates) + " drawn, " + duplicates + " repeated");
		});
		Figures.add("%s: %s, %s calls failed while the store was unavailable", scenario, figures, this.failedCalls);
		assertThat(figures).as(scenario).isNotEmpty();
		this.duplicateCounts
			.forEach((name, duplicates) -> assertThat(duplicates.sum()).as("%s: %s", scenario, figures).isZero());
	}

}
