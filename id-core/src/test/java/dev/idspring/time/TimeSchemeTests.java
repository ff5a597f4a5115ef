package dev.idspring.time;

import java.time.Instant;
import java.util.Base64;
import java.util.Random;

import dev.idspring.text.Secret;
import dev.idspring.text.TextSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for secrets of {@link TimeScheme}s that begin at an instant.
 */
class TimeSchemeTests {

	private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");

	private static final TimeScheme SNOWFLAKE = SnowflakeSettings.Preset.STANDARD.settings().scheme();

	private static Secret secret(long seed) {
		byte[] bytes = new byte[32];
		new Random(seed).nextBytes(bytes);
		return Secret.of(Base64.getEncoder().encodeToString(bytes));
	}

	private static TimeScheme written(TimeScheme scheme, Instant from) {
		return scheme.written(TextSettings.none().withSecrets(secret(1), secret(2).from(from)), "orders");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void secretOfIdsThatDoNotBeginWithTheTimeIsNotChanged(boolean prefixGiven) {
		TimeScheme composite = new CompositeSettings(EPOCH, prefixGiven, 3, 3).scheme();
		assertThatIllegalArgumentException().isThrownBy(() -> written(composite, EPOCH.plusSeconds(1)))
			.withMessageContaining("cannot begin at an instant");
	}

	@ParameterizedTest
	@ValueSource(strings = { "2023-12-31T23:59:59.999Z", "2093-09-06T15:47:35.552Z", "2165-01-01T00:00:00Z",
			"+1000000000-12-31T23:59:59Z", "-1000000000-01-01T00:00:00Z" })
	void secretBeginsAtAnInstantThatIdsCanCarry(String from) {
		assertThatIllegalArgumentException().isThrownBy(() -> written(SNOWFLAKE, Instant.parse(from)))
			.withMessageContaining("must be an instant that ids can carry: from 2024-01-01T00:00:00Z to 2093-09-06");
	}

	@Test
	void earlierIdsKeepTheirTexts() {
		Instant from = Instant.parse("2050-01-01T00:00:00Z");
		TimeScheme before = SNOWFLAKE.written(TextSettings.none().withSecrets(secret(1)), "orders");
		TimeScheme after = written(SNOWFLAKE, from);
		TimeLayout layout = SNOWFLAKE.layout();
		long last = layout.id(0, layout.time(from) - 1, layout.nodes() - 1, layout.tails() - 1);
		assertThat(after.format(last)).isEqualTo(before.format(last));
		assertThat(after.format(last + 1)).isNotEqualTo(before.format(last + 1));
	}

}
