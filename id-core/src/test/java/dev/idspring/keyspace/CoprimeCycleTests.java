package dev.idspring.keyspace;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CoprimeCycle}.
 */
class CoprimeCycleTests {

	private static final long BASE62_6 = 56_800_235_584L;

	private static final long BASE62_10 = 839_299_365_868_340_224L;

	private static final long PUBLISHED_MULTIPLIER = 202_652_143_553L;

	@Test
	void computesThePublishedKeysOfModulusFive() {
		CoprimeCycle cycle = new CoprimeCycle(5, 3, 0);
		assertThat(keys(cycle, 0, 5)).containsExactly(0, 3, 1, 4, 2);
	}

	@Test
	void computesThePublishedKeysOfSixBase62Characters() {
		CoprimeCycle cycle = new CoprimeCycle(BASE62_6, PUBLISHED_MULTIPLIER, 0);
		assertThat(cycle.multiplier.value()).isEqualTo(32_251_436_801L);
		assertThat(keys(cycle, 0, 8)).containsExactly(0L, 32251436801L, 7702638018L, 39954074819L, 15405276036L,
				47656712837L, 23107914054L, 55359350855L);
		assertThat(cycle.ordinal(1)).isEqualTo(28_823_995_905L);
	}

	@Test
	void ordinalOfKeyOneIsTheInverseOfTheParkMillerMultiplier() {
		assertThat(new CoprimeCycle(Integer.MAX_VALUE, 16807, 0).ordinal(1)).isEqualTo(1_407_677_000L);
	}

	@ParameterizedTest
	@ValueSource(longs = { 285_983_290, 285_983_291, 285_983_292, 571_966_583, 571_966_584, 28_400_117_791L,
			BASE62_6 - 2, BASE62_6 - 1 })
	void productsNearAndAboveTheLargestLongAreExact(long ordinal) {
		CoprimeCycle cycle = new CoprimeCycle(BASE62_6, PUBLISHED_MULTIPLIER, 0);
		long expected = exactKey(BASE62_6, PUBLISHED_MULTIPLIER, 0, ordinal);
		assertThat(cycle.key(ordinal)).isEqualTo(expected);
		assertThat(cycle.ordinal(expected)).isEqualTo(ordinal);
	}

	@Test
	void visitsEachKeyOnceForEverySmallModulusAndMultiplier() {
		for (int n = 2; n <= 90; n++) {
			for (int k = 1; k < n; k++) {
				if (CoprimeCycle.gcd(k, n) == 1) {
					assertVisitsEachKeyOnce(n, k, (n * 7 + k) % n);
				}
			}
		}
		assertVisitsEachKeyOnce(46_656, CoprimeCycle.defaultMultiplier(46_656), 46_655);
		assertVisitsEachKeyOnce(238_328, CoprimeCycle.defaultMultiplier(238_328), 0);
	}

	private void assertVisitsEachKeyOnce(int n, long k, int offset) {
		CoprimeCycle cycle = new CoprimeCycle(n, k, offset);
		BitSet seen = new BitSet(n);
		long expected = offset;
		for (int i = 0; i < n; i++) {
			long key = cycle.key(i);
			if (key != expected || cycle.ordinal(key) != i || seen.get((int) key)) {
				assertThat(key).as("key %d for n=%d, k=%d, c=%d", i, n, k, offset).isEqualTo(expected);
				assertThat(cycle.ordinal(key)).as("ordinal of %d for n=%d, k=%d", key, n, k).isEqualTo(i);
				assertThat(seen.get((int) key)).as("key %d visited twice for n=%d, k=%d", key, n, k).isFalse();
			}
			seen.set((int) key);
			expected = (expected + k) % n;
		}
		assertThat(seen.cardinality()).isEqualTo(n);
	}

	@ParameterizedTest
	@ValueSource(longs = { BASE62_10, CoprimeCycle.MAX_MODULUS, CoprimeCycle.MAX_MODULUS - 1, Integer.MAX_VALUE,
			BASE62_6, 4_294_967_296L, 430_804_206_899_405_824L, 4_052_555_153_018_976_267L })
	void agreesWithBigIntegerForLargeModuli(long n) {
		Random random = new Random(n);
		for (int round = 0; round < 40; round++) {
			long k = (round == 0) ? CoprimeCycle.defaultMultiplier(n) : randomCoprime(random, n, round);
			long offset = (round % 3 == 0) ? n - 1 : random.nextLong(n);
			CoprimeCycle cycle = new CoprimeCycle(n, k, offset);
			LongStream.concat(LongStream.of(0, 1, 2, n / 2, n / 2 + 1, n - 2, n - 1), random.longs(200, 0, n))
				.forEach((ordinal) -> {
					long expected = exactKey(n, k, offset, ordinal);
					assertThat(cycle.key(ordinal)).isEqualTo(expected);
					assertThat(cycle.ordinal(expected)).isEqualTo(ordinal);
				});
			assertBulkEqualsSingle(cycle, 0, 500);
			assertBulkEqualsSingle(cycle, n - 500, 500);
		}
	}

	private static long randomCoprime(Random random, long n, int round) {
		long k = (round % 4 == 1) ? n - 1 : random.nextLong(1, n);
		while (CoprimeCycle.gcd(k, n) != 1) {
			k = random.nextLong(1, n);
		}
		return k;
	}

	private void assertBulkEqualsSingle(CoprimeCycle cycle, long first, int count) {
		long[] single = LongStream.range(first, first + count).map(cycle::key).toArray();
		assertThat(keys(cycle, first, count)).containsExactly(single);
	}

	@Test
	void bulkCallAddsTheBaseAndLeavesOtherElementsUnchanged() {
		long[] into = { -1, -1, -1, -1, -1 };
		CoprimeCycle cycle = new CoprimeCycle(5, 3, 0);
		cycle.arithmeticRun(100).fill(100 + cycle.key(1), into, 1, 3);
		assertThat(into).containsExactly(-1, 103, 101, 104, -1);
	}

	@Test
	void emptyBulkCallAtTheEndReturnsNoKeys() {
		assertThat(keys(new CoprimeCycle(5, 3, 0), 5, 0)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "2,1", "3,2", "4,3", "5,3", "6,5", "7,4", "8,5", "10,7", "13,8", "56800235584,32251436801" })
	void defaultMultiplierHasTheExpectedValueForKnownModuli(long n, long expected) {
		assertThat(CoprimeCycle.defaultMultiplier(n)).isEqualTo(expected);
	}

	@Test
	void defaultMultiplierIsTheCoprimeNearestToTheGoldenSection() {
		for (long n = 2; n <= 2000; n++) {
			assertThat(CoprimeCycle.defaultMultiplier(n)).as("n=%d", n).isEqualTo(nearestToGoldenSection(n));
		}
		for (int characters = 2; characters <= 94; characters++) {
			BigInteger n = BigInteger.valueOf(characters);
			for (BigInteger power = n; power.bitLength() <= 62; power = power.multiply(n)) {
				long modulus = power.longValueExact();
				if (modulus != BASE62_6) {
					assertThat(CoprimeCycle.defaultMultiplier(modulus)).as("n=%d", modulus)
						.isEqualTo(nearestToGoldenSection(modulus));
				}
			}
		}
		assertThat(CoprimeCycle.defaultMultiplier(CoprimeCycle.MAX_MODULUS))
			.isEqualTo(nearestToGoldenSection(CoprimeCycle.MAX_MODULUS));
	}

	/**
	 * Compute the multiplier from its definition, with 100 decimal digits, and without
	 * the integer arithmetic of {@link CoprimeCycle}.
	 */
	private static long nearestToGoldenSection(long n) {
		BigDecimal golden = BigDecimal.valueOf(5)
			.sqrt(new MathContext(100))
			.subtract(BigDecimal.ONE)
			.divide(BigDecimal.valueOf(2))
			.multiply(BigDecimal.valueOf(n));
		long middle = golden.longValue();
		long nearest = 0;
		for (long k = Math.max(1, middle - 250); k <= Math.min(n - 1, middle + 250); k++) {
			boolean coprime = BigInteger.valueOf(k).gcd(BigInteger.valueOf(n)).equals(BigInteger.ONE);
			if (coprime && (nearest == 0 || distance(golden, k).compareTo(distance(golden, nearest)) < 0)) {
				nearest = k;
			}
		}
		return nearest;
	}

	private static BigDecimal distance(BigDecimal golden, long k) {
		return golden.subtract(BigDecimal.valueOf(k)).abs();
	}

	private static long[] keys(CoprimeCycle cycle, long first, int count) {
		long[] keys = new long[count];
		cycle.arithmeticRun(0).fill(cycle.key(first), keys, 0, count);
		return keys;
	}

	private static long exactKey(long n, long k, long offset, long ordinal) {
		return BigInteger.valueOf(ordinal)
			.multiply(BigInteger.valueOf(k))
			.add(BigInteger.valueOf(offset))
			.mod(BigInteger.valueOf(n))
			.longValueExact();
	}

}
