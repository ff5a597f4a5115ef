package dev.idspring.keyspace;

import java.util.stream.LongStream;

import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link DecimalKeySpace}, {@link SequentialSettings} and
 * {@link RecycledSettings}.
 */
class DecimalKeySpaceTests {

	private final KeySpace sequential = new SequentialSettings(1, SequentialSettings.MAX_END).resolve(null);

	private final KeySpace recycled = new RecycledSettings(1_000_000, RecycledSettings.MAX_CAPACITY).resolve(null);

	@Test
	void numbersBeginAtTheConfiguredStart() {
		assertThat(this.sequential.key(0)).isEqualTo(1);
		assertThat(new GaplessSettings(0, 10).resolve(null).key(0)).isZero();
		assertThat(new GaplessSettings(7, 10).resolve(null).key(3)).isEqualTo(10);
	}

	@Test
	void lastKeysOfTheLargestKeySpacesAreValid() {
		KeySpace largest = new SequentialSettings(0, SequentialSettings.MAX_END).resolve(null);
		for (KeySpace keySpace : new KeySpace[] { this.sequential, largest, this.recycled }) {
			long last = keySpace.capacity() - 1;
			long key = keySpace.key(last);
			assertThat(key).isPositive();
			assertThat(keySpace.ordinal(key)).isEqualTo(last);
			assertThat(keySpace.parse(keySpace.format(key))).isEqualTo(key);
			assertThat(keySpace.rangeEnd(last)).isEqualTo(keySpace.capacity());
			long[] keys = new long[3];
			keySpace.keys(last - 2, keys, 0, 3);
			assertThat(keys).containsExactly(key - 2, key - 1, key);
			assertThatIllegalArgumentException().isThrownBy(() -> keySpace.key(last + 1));
			assertThatIllegalArgumentException().isThrownBy(() -> keySpace.keys(last, keys, 0, 2));
			assertThatIllegalArgumentException().isThrownBy(() -> keySpace.ordinal(key + 1));
		}
		assertThat(largest.capacity()).isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void seriesHoldConsecutiveNumbersBeginningAtOne() {
		assertThat(this.recycled.key(0)).isEqualTo(1);
		assertThat(this.recycled.rangeEnd(0)).isEqualTo(1_000_000);
		assertThat(this.recycled.key(999_999)).isEqualTo(1_000_000);
		assertThat(this.recycled.rangeEnd(999_999)).isEqualTo(1_000_000);
		assertThat(this.recycled.key(1_000_000)).isEqualTo(1_000_001);
		assertThat(this.recycled.rangeEnd(1_000_000)).isEqualTo(2_000_000);
	}

	@Test
	void capacityIsRoundedDownToWholeSeries() {
		KeySpace keySpace = new RecycledSettings(10, 29).resolve(null);
		assertThat(keySpace.capacity()).isEqualTo(20);
		assertThat(LongStream.of(0, 9, 10, 19).map(keySpace::rangeEnd)).containsExactly(10L, 10L, 20L, 20L);
		assertThat(new RecycledSettings(1_000_000, Integer.MAX_VALUE).resolve(null).capacity())
			.isEqualTo(2_147_000_000);
	}

	@Test
	void definitionsContainTheFixedSettings() {
		assertThat(this.sequential.definition()).isEqualTo("sequential start=1");
		assertThat(this.recycled.definition()).isEqualTo("recycled series-size=1000000");
		assertThat(RecycledSettings.seriesSize(this.recycled.definition())).hasValue(1_000_000);
		assertThat(RecycledSettings.seriesSize(this.sequential.definition())).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`',
			value = { "0, from 1 to 9223372036854775806", "-1, '-' at position 1", "01, must not begin with 0",
					"9223372036854775807, from 1 to", "9999999999999999999, higher than any", "``, length 0",
					"12345678901234567890, length 20" })
	void parseExplainsWhyAStringIsInvalid(String text, String why) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.sequential.parse(text)).withMessageContaining(why);
	}

	@ParameterizedTest
	@CsvSource({ "-1, 5, start is -1", "9223372036854775807, 9223372036854775807, start is", "5, 4, end is 4",
			"0, 9223372036854775807, end is 9223372036854775807" })
	void messageNamesTheInvalidSetting(long start, long end, String problem) {
		assertThatIllegalArgumentException().isThrownBy(() -> new SequentialSettings(start, end))
			.withMessageStartingWith(problem);
	}

	@ParameterizedTest
	@CsvSource({ "0, 100, seriesSize is 0", "101, 100, capacity is 100",
			"1, 9223372036854000001, capacity is 9223372036854000001",
			"9223372036854000001, 9223372036854000001, seriesSize is 9223372036854000001" })
	void messageNamesTheInvalidSeriesSetting(long seriesSize, long capacity, String problem) {
		assertThatIllegalArgumentException().isThrownBy(() -> new RecycledSettings(seriesSize, capacity))
			.withMessageStartingWith(problem);
	}

}
