package dev.idspring.example;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;

import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.testsupport.Documentation;
import dev.idspring.text.Alphabet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Measures how evenly consecutive keys of {@code coprime} are distributed over the ranges
 * of a database that splits tables by key, and compares the figures with the
 * documentation.
 */
class EvennessTests {

	private static final int WINDOWS = 20;

	private final KeySpace keySpace = new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0).resolve(null);

	@ParameterizedTest
	@CsvSource({ "64, 100", "64, 1000", "64, 10000", "64, 1000000", "256, 100", "256, 1000", "256, 10000",
			"256, 1000000" })
	void distributionOfKeysMatchesTheDocumentation(int ranges, int keys) {
		SplittableRandom random = new SplittableRandom(1);
		double evenShare = (double) keys / ranges;
		int fullest = 0;
		int touched = ranges;
		int fullestAtRandom = 0;
		int touchedAtRandom = ranges;
		for (int window = 0; window < WINDOWS; window++) {
			long start = Math.floorMod(random.nextLong(), this.keySpace.capacity() - keys);
			long[] drawn = new long[keys];
			this.keySpace.keys(start, drawn, 0, keys);
			int[] counts = counts(ranges, keys,
					(i) -> (long) ((double) drawn[(int) i] * ranges / this.keySpace.capacity()));
			int[] atRandom = counts(ranges, keys, (i) -> random.nextInt(ranges));
			fullest = Math.max(fullest, Arrays.stream(counts).max().orElseThrow());
			fullestAtRandom = Math.max(fullestAtRandom, Arrays.stream(atRandom).max().orElseThrow());
			touched = Math.min(touched, (int) Arrays.stream(counts).filter((count) -> count > 0).count());
			touchedAtRandom = Math.min(touchedAtRandom,
					(int) Arrays.stream(atRandom).filter((count) -> count > 0).count());
		}
		assertThat(Documentation.page("distributed-sql"))
			.contains(String.format(Locale.ROOT, "| %d | %,d | %.2f | %.2f | %d | %d |", ranges, keys,
					fullest / evenShare, fullestAtRandom / evenShare, touched, touchedAtRandom));
	}

	private static int[] counts(int ranges, int keys, LongUnaryOperator range) {
		int[] counts = new int[ranges];
		for (int i = 0; i < keys; i++) {
			counts[(int) range.applyAsLong(i)]++;
		}
		return counts;
	}

}
