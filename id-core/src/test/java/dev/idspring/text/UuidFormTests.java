package dev.idspring.text;

import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import com.github.f4b6a3.uuid.util.UuidUtil;
import dev.idspring.text.UuidForm.TimedNumbers;
import dev.idspring.time.SnowflakeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link UuidForm}, with the numbers of a counter, and with time-based ids that
 * have a secret.
 */
class UuidFormTests {

	private static final int CASES = Integer.getInteger("test.ids.uuid-cases", 10_000);

	private static final TimedNumbers LAYOUT = SnowflakeSettings.Preset.STANDARD.settings().scheme().layout();

	private final TextSettings none = TextSettings.none();

	private final UuidForm plain = form(this.none);

	private static UuidForm form(TextSettings settings) {
		return settings.uuidsOfCounter("orders", "orders", 1);
	}

	private static Secret secret(int seed) {
		byte[] bytes = new byte[32];
		new Random(seed).nextBytes(bytes);
		return Secret.of(Base64.getEncoder().encodeToString(bytes));
	}

	/** The expected UUIDs were computed by an independent program. */
	@ParameterizedTest
	@CsvSource({ "1, 00000000-0000-8000-877c-0124b8dfefb1", "32251436801, 00000007-8255-8df0-86d6-79b688df0787",
			"1311768467463790320, 12345678-9abc-8def-83ce-706052801cb7" })
	void numberAndTagAreAtTheirPositions(long number, UUID uuid) {
		assertThat(this.plain.toUuid(number)).isEqualTo(uuid);
		assertThat(this.plain.fromUuid(uuid)).isEqualTo(number);
		assertThat(UuidUtil.isCustom(uuid)).isTrue();
		assertThat(UuidUtil.isStandard(uuid)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 3 })
	void numbersAreReadBack(int secrets) {
		UuidForm form = form(switch (secrets) {
			case 0 -> this.none;
			case 1 -> this.none.withSecrets(secret(1));
			default -> this.none.withSecrets(secret(1), secret(2).from(1_000), secret(3).from(1L << 62));
		});
		Random random = new Random(7);
		Set<UUID> seen = new HashSet<>();
		for (int i = 0; i < CASES; i++) {
			long number = (i < 3_000) ? i : random.nextLong() >>> random.nextInt(63);
			UUID uuid = form.toUuid(number);
			seen.add(uuid);
			if (uuid.version() != 8 || uuid.variant() != 2 || form.fromUuid(uuid) != number) {
				assertThat(form.fromUuid(uuid)).as("%s", uuid).isEqualTo(number);
			}
		}
		assertThat(seen.size()).isGreaterThan(3_000 + (CASES - 3_000) / 2);
	}

	/** MariaDB refuses a UUID of version 8 whose ninth byte is 0x80. */
	@Test
	void ninthByteIsNever0x80() {
		for (TextSettings settings : List.of(this.none, this.none.withSecrets(secret(1)))) {
			UuidForm form = form(settings);
			for (long number = 0; number < CASES; number++) {
				assertThat(form.toUuid(number).getLeastSignificantBits() >>> 56).isNotEqualTo(0x80);
			}
		}
	}

	@Test
	void numbersAreVisibleWithoutASecretAndHiddenWithOne() {
		assertThat(this.plain.toUuid(1).toString()).startsWith("00000000-0000-8000-");
		UuidForm hidden = form(this.none.withSecrets(secret(1)));
		assertThat(hidden.toUuid(1).toString()).doesNotStartWith("00000000");
		assertThat(hidden.toUuid(2).toString().substring(0, 8))
			.isNotEqualTo(hidden.toUuid(1).toString().substring(0, 8));
	}

	@Test
	void firstSecretAppliesToNumbersBeforeTheNextSecret() {
		UuidForm before = form(this.none.withSecrets(secret(1)));
		UuidForm after = form(this.none.withSecrets(secret(1), secret(2).from(1_000)));
		assertThat(after.toUuid(1_000)).isEqualTo(before.toUuid(1_000));
		assertThat(after.toUuid(1_001)).isNotEqualTo(before.toUuid(1_001));
	}

	@Test
	void uuidDependsOnIdentityKeySpaceAndSecret() {
		TextSettings settings = this.none.withSecrets(secret(1));
		Set<UUID> uuids = Set.of(this.plain.toUuid(5), this.none.uuidsOfCounter("invoices", "orders", 1).toUuid(5),
				settings.uuidsOfCounter("orders", "orders", 1).toUuid(5),
				settings.uuidsOfCounter("orders", "invoices", 1).toUuid(5),
				settings.uuidsOfCounter("invoices", "orders", 1).toUuid(5),
				this.none.withSecrets(secret(2)).uuidsOfCounter("orders", "orders", 1).toUuid(5));
		assertThat(uuids).hasSize(6);
		for (UUID uuid : uuids) {
			if (!uuid.equals(this.plain.toUuid(5))) {
				assertThatIllegalArgumentException().isThrownBy(() -> this.plain.fromUuid(uuid))
					.withMessageContaining("no id has this UUID");
			}
		}
	}

	@Test
	void oneChangedBitIsRejected() {
		for (TextSettings settings : List.of(this.none, this.none.withSecrets(secret(1)))) {
			UuidForm form = form(settings);
			UUID uuid = form.toUuid(123_456_789);
			for (int bit = 0; bit < 128; bit++) {
				UUID changed = new UUID(uuid.getMostSignificantBits() ^ ((bit < 64) ? 1L << bit : 0),
						uuid.getLeastSignificantBits() ^ ((bit < 64) ? 0 : 1L << bit));
				assertThatIllegalArgumentException().isThrownBy(() -> form.fromUuid(changed))
					.withMessageStartingWith("'" + changed + "' is not a key: ");
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "f47ac10b-58cc-4372-a567-0e02b2c3d479, version 4", "018cc9ad-c115-704d-8057-b069a0107400, version 7",
			"00000000-0000-8000-c77c-0124b8dfefb1, variant 6" })
	void foreignUuidIsRejectedWithTheReason(UUID uuid, String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.plain.fromUuid(uuid)).withMessageContaining(reason);
	}

	@Test
	void rejectsNull() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.plain.fromUuid(null))
			.withMessageContaining("version 8");
	}

	@Test
	void timeBasedIdsWithASecretAreReadBackFromVersion8() {
		UuidForm form = this.none.withSecrets(secret(1)).uuidsOfTime("events", "events", LAYOUT);
		for (long number : List.of(0L, 999L, 1_000L, -1L, Long.MAX_VALUE)) {
			assertThat(form.toUuid(number).version()).isEqualTo(8);
			assertThat(form.fromUuid(form.toUuid(number))).isEqualTo(number);
		}
	}

}
