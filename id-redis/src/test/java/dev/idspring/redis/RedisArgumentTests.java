package dev.idspring.redis;

import java.time.Duration;
import java.util.stream.Stream;

import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.testsupport.PublicApi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code null} for a required parameter causes an IllegalArgumentException
 * that names what is missing.
 */
@RequiresValkey
class RedisArgumentTests {

	private static ValkeyServer server;

	private static RedisDatabase database;

	private final PublicApi api = new PublicApi().sample(KeySpaceStore.class, () -> new RedisKeySpaceStore(database))
		.sample(LettuceConnectionFactory.class, LettuceConnectionFactory::new)
		.sample(OrdinalRange.class, () -> new OrdinalRange(0, 1))
		.sample(RedisKeySpaceStore.class, () -> new RedisKeySpaceStore(database))
		.sample(RedisSettings.class, RedisSettings::defaults)
		.sample(RedisSlotStore.class, () -> new RedisSlotStore(database))
		.sample(Slot.class, () -> new Slot(0, 0, 10))
		.sample(SlotOwner.class, () -> SlotOwner.random(Duration.ofSeconds(5)))
		.sample(UsageHistory.class, UsageHistory::empty)
		.expectMessage("RedisSettings.withKeyPrefix(prefix)", "keyPrefix is null")
		.expectMessage("RedisSettings.withFailover(lag)", "failoverLag is null");

	@BeforeAll
	static void start() {
		server = new ValkeyServer();
		database = server.open(RedisSettings.defaults());
	}

	@AfterAll
	static void stop() throws Exception {
		database.close();
		server.close();
	}

	static Stream<Class<?>> types() {
		return PublicApi.types(RedisDatabase.class).stream();
	}

	@ParameterizedTest
	@MethodSource("types")
	void nullIsRejectedWithAMessageThatNamesTheParameter(Class<?> type) {
		assertThat(this.api.violations(type)).isEmpty();
	}

}
