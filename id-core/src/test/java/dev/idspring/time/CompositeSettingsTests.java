package dev.idspring.time;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TimeZone;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link CompositeSettings} and {@link CompositeText}.
 */
class CompositeSettingsTests {

	private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");

	private static final TimeScheme NODE_FIRST = new CompositeSettings(EPOCH, false, 3, 3).scheme();

	private static final TimeScheme PREFIX_FIRST = new CompositeSettings(EPOCH, true, 3, 3).scheme();

	private static long time(String instant) {
		return NODE_FIRST.layout().time(Instant.parse(instant));
	}

	/**
	 * Chatham is 12:45 hours ahead of UTC, or 13:45 in summer.
	 */
	@Test
	void timeZoneOfTheMachineHasNoEffect() {
		TimeZone zone = TimeZone.getDefault();
		TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Chatham"));
		try {
			long id = NODE_FIRST.layout().id(0, time("2026-02-03T04:05:06.007Z"), 42, 8);
			assertThat(NODE_FIRST.format(id)).isEqualTo("04220260203040506007008");
			assertThat(NODE_FIRST.parse("04220260203040506007008")).isEqualTo(id);
		}
		finally {
			TimeZone.setDefault(zone);
		}
	}

	@Test
	void nodeComesFirstThenDateAndTime() {
		TimeLayout layout = NODE_FIRST.layout();
		long id = layout.id(0, time("2026-02-03T04:05:06.007Z"), 42, 8);
		assertThat(NODE_FIRST.format(id)).isEqualTo("04220260203040506007008").hasSize(23);
		assertThat(NODE_FIRST.parse("04220260203040506007008")).isEqualTo(id);
		assertThat(layout.nodes()).isEqualTo(1_000);
		assertThat(layout.tails()).isEqualTo(1_000);
		assertThat(layout.prefixes()).isEqualTo(1);
		assertThat(layout.lastInstant()).isBetween(Instant.parse("2316-01-01T00:00:00Z"),
				Instant.parse("2317-01-01T00:00:00Z"));
	}

	@Test
	void layoutWithoutASequenceHasOneIdAMillisecond() {
		TimeScheme scheme = new CompositeSettings(EPOCH, false, 3, 0).scheme();
		assertThat(scheme.layout().tails()).isEqualTo(1);
		assertThat(scheme.format(scheme.layout().id(0, 0, 999, 0))).isEqualTo("99920240101000000000").hasSize(20);
		assertThat(scheme.layout().lastInstant()).as("the last year with four digits")
			.isEqualTo(Instant.parse("9999-12-31T23:59:59.999Z"));
		assertThat(scheme.parse("99999991231235959999")).isPositive();
	}

	@Test
	void prefixComesFirstAndTheNodeAfterTheTime() {
		TimeLayout layout = PREFIX_FIRST.layout();
		long id = layout.id(42, time("2026-02-03T04:05:06.007Z"), 17, 8);
		assertThat(PREFIX_FIRST.format(id)).isEqualTo("04220260203040506007178").hasSize(23);
		assertThat(layout.nodes()).isEqualTo(100);
		assertThat(layout.tails()).isEqualTo(10);
		assertThat(layout.prefixes()).isEqualTo(1_000);
		assertThat(layout.parts().get(0).valueIn(id)).isEqualTo(42);
		assertThat(layout.node(id)).isEqualTo(17);
		assertThat(layout.tail(id)).isEqualTo(8);
	}

	/**
	 * This format was published without leading zeros. In that form, node 1 before a
	 * digit 2 looks like node 12, and the time 1:11 looks like 11:1.
	 */
	@Test
	void stringsOfDifferentPartsDiffer() {
		TimeLayout layout = NODE_FIRST.layout();
		assertThat(NODE_FIRST.format(layout.id(0, time("2026-02-03T01:11:00Z"), 1, 0)))
			.isNotEqualTo(NODE_FIRST.format(layout.id(0, time("2026-02-03T11:01:00Z"), 1, 0)));
		assertThat(NODE_FIRST.format(layout.id(0, time("2026-02-03T00:00:00Z"), 12, 0)))
			.isNotEqualTo(NODE_FIRST.format(layout.id(0, time("2026-02-03T00:00:00Z"), 1, 2)));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void stringsSortLikeNumbersAndAreParsedBack(boolean prefixGiven) {
		TimeScheme scheme = prefixGiven ? PREFIX_FIRST : NODE_FIRST;
		TimeLayout layout = scheme.layout();
		Random random = new Random(1);
		Long[] ids = IntStream.range(0, 20_000)
			.mapToObj((i) -> layout.id(random.nextInt((int) layout.prefixes()),
					(long) (random.nextDouble() * layout.ticks()), random.nextInt((int) layout.nodes()),
					random.nextInt((int) layout.tails())))
			.toArray(Long[]::new);
		Arrays.sort(ids);
		List<String> texts = Arrays.stream(ids).map(scheme::format).toList();
		assertThat(texts).isSortedAccordingTo(Comparator.naturalOrder()).allMatch((text) -> text.length() == 23);
		for (int i = 0; i < ids.length; i++) {
			assertThat(scheme.parse(texts.get(i))).isEqualTo(ids[i]);
			assertThat(texts.get(i)).isEqualTo(expectedText(layout, ids[i], prefixGiven));
		}
	}

	/**
	 * Format an id with arithmetic and a formatter that differ from those of the tested
	 * class.
	 */
	private static String expectedText(TimeLayout layout, long id, boolean prefixGiven) {
		BigInteger[] first = BigInteger.valueOf(id).divideAndRemainder(BigInteger.valueOf(1_000));
		BigInteger[] second = first[0].divideAndRemainder(BigInteger.valueOf(layout.ticks()));
		String time = LocalDateTime.ofInstant(EPOCH, ZoneOffset.UTC)
			.plus(Duration.ofMillis(second[1].longValueExact()))
			.format(DateTimeFormatter.ofPattern("uuuuMMddHHmmssSSS"));
		return String.format("%03d%s%03d", second[0], time, first[1]);
	}

	@ParameterizedTest
	@CsvSource({ "0422026020304050600700, 23 digits", "042202602030405060070080, 23 digits",
			"04220260230040506007008, not a time", "04220260203240506007008, not a time",
			"04220260203046006007008, not a time", "04220260203040560007008, not a time",
			"04a20260203040506007008, 'a'", "0422026020304050600700٣, U+0663", "042-0260203040506007008, at position 1",
			"04220231231235959999008, between 2024-01-01", "99999991231235959999999, between 2024-01-01" })
	void invalidStringIsRejected(String text, String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> NODE_FIRST.parse(text)).withMessageContaining(reason);
	}

	@Test
	void negativeNumberAndNullAreRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> NODE_FIRST.format(-1));
		assertThatIllegalArgumentException().isThrownBy(() -> NODE_FIRST.parse(null)).withMessageContaining("null");
	}

	@ParameterizedTest
	@CsvSource({ "false, 0, 3, prefixDigits is 0", "false, 10, 3, prefixDigits is 10",
			"false, 3, -1, sequenceDigits is -1", "true, 3, 1, two of these digits are the node",
			"false, 5, 5, 10 digits with" })
	void messageNamesTheInvalidNumberOfDigits(boolean prefixGiven, int prefixDigits, int sequenceDigits,
			String problem) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new CompositeSettings(EPOCH, prefixGiven, prefixDigits, sequenceDigits))
			.withMessageContaining(problem);
	}

	@ParameterizedTest
	@CsvSource({ "2024-01-01T00:00:00.000001Z", "-0001-01-01T00:00:00Z", "+10000-01-01T00:00:00Z" })
	void epochOutOfRangeOrFinerThanMillisecondsIsRejected(Instant epoch) {
		assertThatIllegalArgumentException().isThrownBy(() -> new CompositeSettings(epoch, false, 3, 3))
			.withMessageContaining("epoch is " + epoch);
		assertThatIllegalArgumentException().isThrownBy(() -> new DecimalUidSettings(epoch, 6, 1, true))
			.withMessageContaining("epoch is " + epoch);
	}

	@Test
	void definitionsDescribeTheLayouts() {
		assertThat(NODE_FIRST.definition())
			.isEqualTo("composite epoch=2024-01-01T00:00:00Z node-digits=3 time sequence-digits=3");
		assertThat(PREFIX_FIRST.definition())
			.isEqualTo("composite epoch=2024-01-01T00:00:00Z prefix-digits=3 time node-digits=2 sequence-digits=1");
		assertThat(new DecimalUidSettings(EPOCH, 6, 1, true).scheme().definition())
			.as("the definition omits whether ids are signed, because this changes only the last instant")
			.isEqualTo(new DecimalUidSettings(EPOCH, 6, 1, false).scheme().definition())
			.isEqualTo("decimal-uid epoch=2024-01-01T00:00:00Z random-digits=6 node-digits=1");
		assertThat(SnowflakeSettings.Preset.STANDARD.settings().scheme().definition())
			.isEqualTo("snowflake epoch=2024-01-01T00:00:00Z time-bits=41 node-bits=10 tail-bits=12");
	}

}
