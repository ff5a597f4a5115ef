package dev.idspring.cluster;

import java.time.Duration;
import java.util.Arrays;
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
 * What instances draw from generators of three strategies, and how many ids came twice.
 */
final class Draws {

	/** A generator of each strategy that draws from a shared store. */
	private static final String[] GENERATORS = { "ids.generators.coprime.strategy=coprime",
			"ids.generators.sequential.strategy=sequential", "ids.generators.recycled.strategy=recycled",
			"ids.generators.recycled.recycled.series-size=100000" };

	private static final String[] NAMES = { "coprime", "sequential", "recycled" };

	private static final int AT_ONCE = 20;

	/** How long callers repeat what a store in a fail-over did not answer. */
	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final Map<String, Set<Long>> drawn = new ConcurrentHashMap<>();

	private final Map<String, LongAdder> repeated = new ConcurrentHashMap<>();

	private final LongAdder refused = new LongAdder();

	static String[] properties(String... more) {
		String[] properties = Arrays.copyOf(GENERATORS, GENERATORS.length + more.length);
		System.arraycopy(more, 0, properties, GENERATORS.length, more.length);
		return properties;
	}

	/**
	 * Draw ids of each strategy, in turns.
	 * @return the given number
	 */
	int draw(ConfigurableApplicationContext instance, int count) {
		IdGenerators generators = instance.getBean(IdGenerators.class);
		for (int i = 0; i < count; i += AT_ONCE) {
			for (String name : NAMES) {
				add(name, patiently(generators.get(name)));
			}
		}
		return count;
	}

	/**
	 * Return how many ids were drawn of each strategy.
	 */
	int count() {
		return this.drawn.values().stream().mapToInt(Set::size).min().orElse(0);
	}

	/**
	 * Return how many numbers of {@code sequential} were passed over so far: those that
	 * are in memory, too.
	 */
	long skipped() {
		Set<Long> ids = this.drawn.getOrDefault("sequential", Set.of());
		return ids.stream().mapToLong(Long::longValue).max().orElse(0) - ids.size();
	}

	private long[] patiently(IdGenerator generator) {
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (true) {
			try {
				return generator.nextLongs(AT_ONCE);
			}
			catch (IdStoreUnavailableException ex) {
				this.refused.increment();
				if (System.nanoTime() > end) {
					throw ex;
				}
			}
		}
	}

	private void add(String name, long[] ids) {
		Set<Long> known = this.drawn.computeIfAbsent(name, (strategy) -> ConcurrentHashMap.newKeySet());
		LongAdder repeats = this.repeated.computeIfAbsent(name, (strategy) -> new LongAdder());
		for (long id : ids) {
			if (!known.add(id)) {
				repeats.increment();
			}
		}
	}

	/**
	 * Note the figures, and fail if an id came twice.
	 */
	void assertNoneCameTwice(String scene) {
		Map<String, String> figures = new TreeMap<>();
		this.drawn.forEach((name, ids) -> {
			long repeats = this.repeated.get(name).sum();
			figures.put(name, (ids.size() + repeats) + " drawn, " + repeats + " repeated");
		});
		Figures.add("%s: %s, %s refusals while the store was away", scene, figures, this.refused);
		assertThat(figures).as(scene).isNotEmpty();
		this.repeated.forEach((name, repeats) -> assertThat(repeats.sum()).as("%s: %s", scene, figures).isZero());
	}

}
