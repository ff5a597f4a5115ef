package dev.idspring.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.testsupport.DatabaseProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with a PostgreSQL server that acknowledges commits before they are on disk, and
 * that is killed under load. {@code -Dtest.ids.crashes} sets the number of crashes, 1 by
 * default.
 */
class PostgresqlCrashTests {

	/**
	 * The write-ahead log is flushed as rarely as possible, so that a crash loses as much
	 * as possible.
	 */
	private static final Map<String, String> ASYNCHRONOUS_COMMITS = Map.of("synchronous_commit", "off",
			"wal_writer_delay", "10000");

	private DatabaseProcess server;

	private HikariDataSource dataSource;

	@BeforeEach
	void start() {
		this.server = DatabaseProcess.postgresql(ASYNCHRONOUS_COMMITS);
		this.dataSource = this.server.server().pool(8);
		TestStores.initialize(this.dataSource, this.server.server(), "ids_");
	}

	@AfterEach
	void stop() {
		this.dataSource.close();
		this.server.close();
	}

	@Test
	void noIdIsIssuedTwiceWhenTheServerIsKilledUnderLoad() {
		Set<Long> issued = ConcurrentHashMap.newKeySet();
		AtomicBoolean stopped = new AtomicBoolean();
		List<CompletableFuture<Long>> workers = new ArrayList<>();
		try (BlockIdGenerator first = generator(); BlockIdGenerator second = generator()) {
			for (BlockIdGenerator generator : List.of(first, second, first, second)) {
				workers.add(CompletableFuture.supplyAsync(() -> {
					long repeated = 0;
					while (!stopped.get()) {
						repeated += drawIfAvailable(generator).filter((id) -> !issued.add(id)).count();
					}
					return repeated;
				}, (task) -> new Thread(task, "worker").start()));
			}
			for (int crashes = 0; crashes < Integer.getInteger("test.ids.crashes", 1); crashes++) {
				awaitMoreThan(issued, issued.size() + 5_000, workers);
				this.server.kill();
				this.server.start();
			}
			awaitMoreThan(issued, issued.size() + 5_000, workers);
			stopped.set(true);
			assertThat(workers).allSatisfy((worker) -> assertThat(worker.join()).as("ids issued twice").isZero());
		}
		finally {
			stopped.set(true);
		}
	}

	/**
	 * Shows what a crash loses if commits are not synchronous.
	 */
	@Test
	void asynchronousCommitsAreLostInACrash() {
		JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);
		jdbc.update("insert into ids_key_space (name, definition, capacity, next_ordinal, next_slot, usage_history)"
				+ " values ('test', 'definition', 1000000, 0, 0, '1')");
		jdbc.execute("checkpoint");
		for (int i = 0; i < 100; i++) {
			jdbc.update("update ids_key_space set next_ordinal = next_ordinal + 10 where name = 'test'");
		}
		assertThat(nextOrdinal(jdbc)).isEqualTo(1_000);
		this.server.kill();
		this.server.start();
		assertThat(Awaitility.await().ignoreExceptions().until(() -> nextOrdinal(jdbc), (next) -> next >= 0))
			.isLessThan(1_000);
	}

	private static long nextOrdinal(JdbcTemplate jdbc) {
		return jdbc.queryForObject("select next_ordinal from ids_key_space", Long.class);
	}

	/**
	 * Return a new generator whose blocks are so small that it reserves constantly.
	 */
	private BlockIdGenerator generator() {
		return BlockIdGenerator
			.sequential("test", new SequentialSettings(1, 1_000_000_000), TestStores.keySpaces(this.dataSource))
			.blockSettings(new BlockSettings(20, 20, Duration.ofSeconds(20), Duration.ZERO))
			.open();
	}

	private static Stream<Long> drawIfAvailable(BlockIdGenerator generator) {
		try {
			return Stream.of(generator.nextLong());
		}
		catch (IdStoreUnavailableException ex) {
			// the server is down
			return Stream.empty();
		}
	}

	private static void awaitMoreThan(Set<Long> issued, int count, List<CompletableFuture<Long>> workers) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> issued.size() > count || workers.stream().anyMatch(CompletableFuture::isDone));
		// if a worker has ended, join() throws its failure
		workers.stream().filter(CompletableFuture::isDone).forEach(CompletableFuture::join);
	}

}
