package dev.idspring.store;

import java.time.Duration;
import java.util.UUID;

import dev.idspring.InvalidSettingException;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.time.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SlotOwner}.
 */
class SlotOwnerTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	@ParameterizedTest
	@ValueSource(longs = { Long.MAX_VALUE, 86_400_001, 999, 0, -1 })
	void leaseOutOfRangeIsRejected(long millis) {
		Duration lease = Duration.ofMillis(millis);
		assertLeaseRejected(() -> SlotOwner.random(lease));
		assertLeaseRejected(() -> NodeSettings.lease(lease));
		assertLeaseRejected(() -> new SeriesSettings(1, lease));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "1234567890123456789012345678901234567", "é" })
	void invalidIdIsRejected(String id) {
		assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(() -> new SlotOwner(id, LEASE))
			.withMessageContaining("id is '" + id.replace('é', '?') + "' but must be 1 to 36 printable");
	}

	@Test
	void idOfARandomOwnerIsAsLongAsAUuid() {
		assertThat(SlotOwner.random(LEASE).id()).hasSize(UUID.randomUUID().toString().length());
	}

	private static void assertLeaseRejected(Runnable use) {
		assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(use::run)
			.withMessageContaining("lease is")
			.withMessageContaining("must be from 1s to 1d");
	}

}
