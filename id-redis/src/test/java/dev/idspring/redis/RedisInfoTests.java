package dev.idspring.redis;

import dev.idspring.IdSetupException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisInfo}.
 */
class RedisInfoTests {

	private static final String DURABLE = "redis_version:7.2.4\nvalkey_version:9.1.2\naof_enabled:1\n"
			+ "maxmemory_policy:noeviction\n";

	private static final RedisSettings SETTINGS = RedisSettings.defaults();

	@Test
	void durableServerIsAccepted() {
		RedisInfo info = RedisInfo.parse(DURABLE);
		info.verifyDurability(SETTINGS);
		assertThat(info.product()).isEqualTo("Valkey 9.1.2");
		assertThat(info.warnings(SETTINGS)).isEmpty();
		RedisInfo.parse(DURABLE.replace("noeviction", "volatile-lru")).verifyDurability(SETTINGS);
	}

	@Test
	void serverThatIsTooOldIsRejected() {
		assertRejected(DURABLE.replace("7.2.4", "7.0.15"), "has no WAITAOF");
		assertRejected(DURABLE.replace("7.2.4", "6"), "has no WAITAOF");
	}

	@Test
	void serverThatMayDropKeysIsRejected() {
		assertRejected(DURABLE.replace("noeviction", "allkeys-lfu"), "maxmemory_policy is 'allkeys-lfu'");
	}

	@Test
	void serverThatDoesNotReportItsEvictionPolicyIsRejected() {
		assertRejected(DURABLE.replace("maxmemory_policy:noeviction\n", ""), "maxmemory_policy in INFO is missing");
	}

	@Test
	void serverWithoutAppendOnlyFileIsRejected() {
		assertRejected(DURABLE.replace("aof_enabled:1", "aof_enabled:0"), "aof_enabled in INFO is '0'");
		assertRejected(DURABLE.replace("aof_enabled:1\n", ""), "aof_enabled in INFO is missing");
	}

	private static void assertRejected(String text, String problem) {
		RedisInfo info = RedisInfo.parse(text);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> info.verifyDurability(SETTINGS))
			.withMessageContaining(problem)
			.satisfies((ex) -> {
				assertThat(ex.getRemedy()).contains("ids.redis.accept-data-loss=true");
				assertThat(ex.getProperties()).contains("ids.redis.accept-data-loss").doesNotHaveDuplicates();
			});
		RedisSettings acceptingDataLoss = SETTINGS.withAcceptDataLoss(true);
		info.verifyDurability(acceptingDataLoss);
		assertThat(info.warnings(acceptingDataLoss)).singleElement().asString().contains(problem);
	}

}
