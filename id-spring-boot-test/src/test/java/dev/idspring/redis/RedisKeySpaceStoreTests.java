package dev.idspring.redis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import dev.idspring.store.KeySpaceStore;
import dev.idspring.test.KeySpaceStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/**
 * Tests for {@link RedisKeySpaceStore} on Valkey.
 */
@RequiresValkey
class RedisKeySpaceStoreTests extends KeySpaceStoreContract {

	private static ValkeyServer server;

	private final List<RedisDatabase> databases = new ArrayList<>();

	@BeforeAll
	static void start() {
		server = new ValkeyServer();
	}

	@AfterAll
	static void stop() throws Exception {
		server.close();
	}

	@AfterEach
	void empty() throws IOException {
		this.databases.forEach(RedisDatabase::close);
		server.command("FLUSHALL");
	}

	@Override
	protected KeySpaceStore newStore() {
		RedisDatabase database = server.open(RedisSettings.defaults().withInitialize(true));
		this.databases.add(database);
		return new RedisKeySpaceStore(database);
	}

}
