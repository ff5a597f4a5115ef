package dev.idspring.autoconfigure;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.convert.DurationStyle;

import static org.assertj.core.api.Assertions.assertThat;

class DurationsTests {

	@ParameterizedTest
	@ValueSource(strings = { "0s", "5s", "30ms", "-1d", "2h", "90m", "1500ms", "7us", "1001ns", "106751991167300d" })
	void isWrittenAsItIsRead(String text) {
		Duration duration = DurationStyle.SIMPLE.parse(text);
		assertThat(Durations.print(duration)).isEqualTo(text);
	}

}
