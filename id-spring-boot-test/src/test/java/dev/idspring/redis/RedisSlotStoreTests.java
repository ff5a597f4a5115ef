package dev.idspring.redis;

import java.io.IOException;
import java.time.Duration;

import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.test.SlotStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/**
 * Tests for {@link RedisSlotStore} on Valkey.
 */
@RequiresValkey
class RedisSlotStoreTests extends SlotStoreContract {

	private static ValkeyServer server;

	private static RedisDatabase database;

	@BeforeAll
	static void start() {
		server = new ValkeyServer();
		database = server.open(RedisSettings.defaults().withInitialize(true));
	}

	@AfterAll
	static void stop() throws Exception {
		database.close();
		server.close();
	}

	@AfterEach
	void empty() throws IOException {
		server.command("FLUSHALL");
	}

	@Override
	protected SlotStore newStore() {
		return newStore(Duration.ZERO);
	}

	@Override
	protected SlotStore newStore(Duration clockOffset) {
		return new RedisSlotStore(database, clockOffset);
	}

	@Override
	protected void createKeySpace(String name) {
		new RedisKeySpaceStore(database).create(name, "definition", Long.MAX_VALUE, deadline());
	}

	@Override
	protected void forget(Slot slot) {
		try {
			for (String kind : new String[] { "slots", "used" }) {
				server.command("HDEL", "{ids}:" + kind + ":" + NAME, Long.toString(slot.number()));
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
