package dev.idspring.time;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Random;

import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeLayout.Field;
import dev.idspring.time.TimeLayout.Part;
import dev.idspring.time.TimeScheme.Tail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link TimeLayout}, {@link SnowflakeSettings} and {@link DecimalUidSettings}.
 */
class TimeLayoutTests {

	@ParameterizedTest
	@CsvSource({ "STANDARD, 2093-09-06T15:47:35.551Z, 1024, 4096", "TWITTER, 2080-07-10T17:30:30.208Z, 1024, 4096",
			"INSTAGRAM, 2046-06-27T17:00:49.496Z, 8192, 1024", "RANDOM_TAIL, 2058-11-03T19:53:47.775Z, 1024, 8192",
			"JAVASCRIPT, 2093-09-06T15:47:35.551Z, 32, 128" })
	void presetsHaveTheExpectedEndsAndSizes(Preset preset, Instant last, long nodes, long tails) {
		TimeLayout layout = preset.settings().scheme().layout();
		assertThat(layout.lastInstant()).isEqualTo(last);
		assertThat(layout.nodes()).isEqualTo(nodes);
		assertThat(layout.tails()).isEqualTo(tails);
		assertThat(layout.time(last)).isEqualTo(layout.ticks() - 1);
		long highest = layout.id(0, layout.ticks() - 1, nodes - 1, tails - 1);
		assertThat(highest).isPositive();
		assertThat(layout.verify(highest)).isEqualTo(highest);
		if (preset == Preset.JAVASCRIPT) {
			assertThat(highest).isEqualTo((1L << 53) - 1);
			assertThatIllegalArgumentException().isThrownBy(() -> layout.verify(highest + 1))
				.withMessageContaining("from 0 to 9007199254740991");
		}
	}

	/**
	 * The expected ids are computed from strings of binary digits.
	 */
	@ParameterizedTest
	@EnumSource(Preset.class)
	void bitsAreAtTheirPublishedPositions(Preset preset) {
		SnowflakeSettings settings = preset.settings();
		TimeLayout layout = settings.scheme().layout();
		Random random = new Random(1);
		for (int i = 0; i < 10_000; i++) {
			BigInteger time = new BigInteger(settings.timeBits(), random);
			BigInteger node = new BigInteger(settings.nodeBits(), random);
			BigInteger tail = new BigInteger(settings.tailBits(), random);
			String bits = binary(time, settings.timeBits()) + binary(node, settings.nodeBits())
					+ binary(tail, settings.tailBits());
			long id = layout.id(0, time.longValue(), node.longValue(), tail.longValue());
			assertThat(id).isEqualTo(new BigInteger(bits, 2).longValueExact());
			assertThat(layout.time(id)).isEqualTo(time.longValue());
			assertThat(layout.node(id)).isEqualTo(node.longValue());
			assertThat(layout.tail(id)).isEqualTo(tail.longValue());
			assertThat(layout.prefixes()).isOne();
		}
	}

	private static String binary(BigInteger value, int bits) {
		String digits = (value.signum() == 0) ? "" : value.toString(2);
		return "0".repeat(bits - digits.length()) + digits;
	}

	@ParameterizedTest
	@CsvSource({ "1359342751867, 6875", "1359342754125, 6760", "1359342755766, 41" })
	void randomTailPresetRejectsIdsOfThePublishedUnsignedLayout(long time, long tail) {
		TimeLayout published = TimeLayout.withRemainingTime(Instant.EPOCH, true, TimeScheme.LAST, List.of(),
				List.of(new Part(Field.NODE, 1 << 10), new Part(Field.TAIL, 1 << 13)));
		long id = new BigInteger(Long.toString(time)).shiftLeft(23)
			.add(BigInteger.valueOf((1 << 13) + tail))
			.longValue();
		assertThat(published.ticks()).isEqualTo(1L << 41);
		assertThat(published.verify(id)).isNegative();
		assertThat(published.time(id)).isEqualTo(time);
		assertThat(published.node(id)).isEqualTo(1);
		assertThat(published.tail(id)).isEqualTo(tail);
		assertThat(published.id(0, time, 1, tail)).isEqualTo(id);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Preset.RANDOM_TAIL.settings().scheme().layout().verify(id))
			.withMessageContaining(Long.toUnsignedString(id) + ", which needs 64 bits");
	}

	@Test
	void partsOfDecimalUidsAreReadable() {
		Instant epoch = Instant.parse("2011-01-01T00:00:00Z");
		TimeLayout signed = new DecimalUidSettings(epoch, 6, 1, true).scheme().layout();
		TimeLayout unsigned = new DecimalUidSettings(epoch, 6, 1, false).scheme().layout();
		assertThat(signed.id(0, 0, 1, 123_456)).isEqualTo(1_234_561);
		assertThat(signed.id(0, 31_536_000_000L, 1, 123_456)).isEqualTo(315_360_000_001_234_561L);
		long lateId = unsigned.id(0, 1_829_088_000_000L, 1, 123_456);
		assertThat(Long.toUnsignedString(lateId)).isEqualTo("18290880000001234561");
		assertThat(unsigned.time(lateId)).isEqualTo(1_829_088_000_000L);
		assertThat(unsigned.tail(lateId)).isEqualTo(123_456);
		assertThat(unsigned.node(lateId)).isEqualTo(1);
		assertThat(signed.lastInstant()).isEqualTo(Instant.parse("2040-03-24T04:46:43.684Z"));
		assertThat(unsigned.lastInstant()).isEqualTo(Instant.parse("2069-06-15T09:33:27.369Z"));
		assertThatIllegalArgumentException().isThrownBy(() -> signed.verify(lateId));
		assertThatIllegalArgumentException().isThrownBy(() -> unsigned.verify(-1));
		assertThat(new DecimalUidSettings(epoch, 5, 2, true).scheme().layout().nodes()).isEqualTo(100);
	}

	@Test
	void partBeforeTheTimeIsMoreSignificant() {
		TimeLayout layout = TimeLayout.withRemainingTime(Instant.parse("2024-01-01T00:00:00Z"), false, TimeScheme.LAST,
				List.of(new Part(Field.NODE, 1_000)), List.of(new Part(Field.TAIL, 1_000)));
		assertThat(layout.lastInstant()).isAfter(Instant.parse("2316-01-01T00:00:00Z"));
		long id = layout.id(0, 5, 999, 7);
		assertThat(layout.time(id)).isEqualTo(5);
		assertThat(layout.node(id)).isEqualTo(999);
		assertThat(layout.tail(id)).isEqualTo(7);
		assertThat(layout.id(0, layout.ticks() - 1, 0, 999)).isLessThan(layout.id(0, 0, 1, 0));
	}

	/**
	 * The number of ids of one node must fit into a signed {@code long}.
	 */
	@Test
	void layoutWithTooManyIdsPerNodeIsRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> TimeLayout.withRemainingTime(Instant.EPOCH, true, TimeScheme.LAST, List.of(),
					List.of(new Part(Field.TAIL, 1_000_000))))
			.withMessageContaining("allows a single node more than 2^63 ids");
	}

	@Test
	void timeIsRoundedDown() {
		TimeLayout layout = Preset.STANDARD.settings().scheme().layout();
		assertThat(layout.time(Instant.parse("2024-01-01T00:00:00.001999999Z"))).isEqualTo(1);
		assertThat(layout.time(Instant.parse("2023-12-31T23:59:59.999999999Z"))).isEqualTo(-1);
		assertThat(layout.instant(1_500)).isEqualTo(Instant.parse("2024-01-01T00:00:01.500Z"));
	}

	@ParameterizedTest
	@CsvSource({ "42, 10, 12, 64 bits", "0, 10, 12, timeBits is 0", "41, -1, 12, nodeBits is -1",
			"41, 10, 63, tailBits is 63" })
	void messageNamesTheInvalidWidth(int timeBits, int nodeBits, int tailBits, String problem) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new SnowflakeSettings(Instant.EPOCH, timeBits, nodeBits, tailBits, Tail.SEQUENCE))
			.withMessageContaining(problem);
	}

	@Test
	void highestIdOfExtremeLayoutsIsReadBack() {
		for (SnowflakeSettings settings : List.of(new SnowflakeSettings(Instant.EPOCH, 1, 0, 62, Tail.RANDOM),
				new SnowflakeSettings(Instant.EPOCH, 62, 1, 0, Tail.SEQUENCE),
				new SnowflakeSettings(Instant.EPOCH, 1, 0, 0, Tail.SEQUENCE))) {
			TimeLayout layout = settings.scheme().layout();
			long highest = layout.id(0, layout.ticks() - 1, layout.nodes() - 1, layout.tails() - 1);
			assertThat(layout.time(highest)).isEqualTo(layout.ticks() - 1);
			assertThat(layout.node(highest)).isEqualTo(layout.nodes() - 1);
			assertThat(layout.tail(highest)).isEqualTo(layout.tails() - 1);
			assertThat(layout.lastInstant()).isAfterOrEqualTo(Instant.EPOCH);
		}
	}

	@ParameterizedTest
	@CsvSource({ "-1, 6, randomDigits", "10, 1, randomDigits", "6, 7, nodeDigits", "6, 0, nodeDigits" })
	void messageNamesTheInvalidNumberOfDigits(int randomDigits, int nodeDigits, String problem) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new DecimalUidSettings(Instant.EPOCH, randomDigits, nodeDigits, true))
			.withMessageContaining(problem);
	}

}
