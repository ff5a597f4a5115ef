package dev.idspring.time;

import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;

import com.github.f4b6a3.uuid.util.UuidUtil;
import dev.idspring.text.Secret;
import dev.idspring.text.TextSettings;
import dev.idspring.text.UuidForm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the UUIDs of time-based ids.
 */
class TimedUuidTests {

	private static final int CASES = Integer.getInteger("test.ids.uuid-cases", 10_000);

	static Stream<Arguments> schemes() {
		Instant epoch = Instant.parse("2024-01-01T00:00:00Z");
		Stream<TimeScheme> presets = Stream.of(SnowflakeSettings.Preset.values())
			.map((preset) -> preset.settings().scheme());
		return Stream.concat(presets, Stream.of(new DecimalUidSettings(epoch, 6, 1, true).scheme(),
				new DecimalUidSettings(epoch, 9, 6, false).scheme(), new CompositeSettings(epoch, false, 3, 3).scheme(),
				new CompositeSettings(epoch, true, 3, 3).scheme()))
			.map((scheme) -> Arguments.of(scheme));
	}

	private static UuidForm form(TimeScheme scheme) {
		return scheme.uuids("events", TextSettings.none(), "events");
	}

	@ParameterizedTest
	@MethodSource("schemes")
	void idsAreReadBackAndAnotherLibraryReadsTheTimesOfTheUuids(TimeScheme scheme) {
		UuidForm form = form(scheme);
		TimeLayout layout = scheme.layout();
		Random random = new Random(1);
		for (int i = 0; i < CASES; i++) {
			long id = Long.remainderUnsigned(random.nextLong() >>> random.nextInt(63), layout.maxId());
			UUID uuid = form.toUuid(id);
			if (!UuidUtil.isTimeOrderedEpoch(uuid) || form.fromUuid(uuid) != id
					|| !UuidUtil.getInstant(uuid).equals(layout.instant(layout.time(id)))) {
				assertThat(form.fromUuid(uuid)).as("%s", uuid).isEqualTo(id);
				assertThat(UuidUtil.getInstant(uuid)).isEqualTo(layout.instant(layout.time(id)));
			}
		}
		assertThat(form.fromUuid(form.toUuid(0))).isZero();
		assertThat(form.fromUuid(form.toUuid(layout.maxId()))).isEqualTo(layout.maxId());
	}

	@ParameterizedTest
	@MethodSource("schemes")
	void uuidsOfANodeSortLikeItsIds(TimeScheme scheme) {
		UuidForm form = form(scheme);
		TimeLayout layout = scheme.layout();
		Random random = new Random(2);
		for (int i = 0; i < 1_000; i++) {
			long time = random.nextLong(Math.min(layout.ticks() - 1, 1_000_000));
			long tail = random.nextInt((int) Math.min(layout.tails(), 1_000));
			UUID first = form.toUuid(layout.id(0, time, 1, tail));
			UUID laterTail = form.toUuid(layout.id(0, time, 1, Math.min(tail + 1, layout.tails() - 1)));
			UUID laterTime = form.toUuid(layout.id(0, time + 1, 1, 0));
			assertThat(first.toString()).isLessThanOrEqualTo(laterTail.toString()).isLessThan(laterTime.toString());
		}
	}

	/**
	 * The parts are time, tail, node and tag. An independent program has computed the
	 * expected UUID.
	 */
	@Test
	void everyPartIsAtItsPosition() {
		UuidForm form = form(SnowflakeSettings.Preset.STANDARD.settings().scheme());
		UUID uuid = UUID.fromString("018cc9ad-c115-704d-8057-b069a0107400");
		assertThat(form.toUuid(517815303950413L)).isEqualTo(uuid);
		assertThat(form.fromUuid(uuid)).isEqualTo(517815303950413L);
	}

	@ParameterizedTest
	@MethodSource("schemes")
	void foreignAndChangedUuidsAreRejected(TimeScheme scheme) {
		UuidForm form = form(scheme);
		UUID uuid = form.toUuid(scheme.layout().id(0, 10_000, 1, 1));
		for (int bit = 0; bit < 128; bit++) {
			UUID changedUuid = new UUID(uuid.getMostSignificantBits() ^ ((bit < 64) ? 1L << bit : 0),
					uuid.getLeastSignificantBits() ^ ((bit < 64) ? 0 : 1L << bit));
			assertThatIllegalArgumentException().isThrownBy(() -> form.fromUuid(changedUuid));
		}
		assertThatIllegalArgumentException()
			.isThrownBy(() -> form.fromUuid(scheme.uuids("others", TextSettings.none(), "events").toUuid(1)));
		assertThatIllegalArgumentException().isThrownBy(() -> form.fromUuid(UUID.randomUUID()))
			.withMessageContaining("version 4, not 7");
	}

	@Test
	void timeBefore1970IsRejected() {
		UuidForm form = form(new DecimalUidSettings(Instant.parse("1950-01-01T00:00:00Z"), 6, 1, true).scheme());
		assertThatIllegalArgumentException().isThrownBy(() -> form.toUuid(1)).withMessageContaining("before 1970");
	}

	@ParameterizedTest
	@MethodSource("schemes")
	void uuidsWithASecretHaveVersion8AndAreReadBack(TimeScheme scheme) {
		byte[] bytes = new byte[16];
		new Random(3).nextBytes(bytes);
		UuidForm form = scheme.uuids("events",
				TextSettings.none().withSecrets(Secret.of(Base64.getEncoder().encodeToString(bytes))), "events");
		for (long id : List.of(0L, 1L, scheme.layout().maxId())) {
			assertThat(form.toUuid(id).version()).isEqualTo(8);
			assertThat(form.fromUuid(form.toUuid(id))).isEqualTo(id);
		}
	}

}
