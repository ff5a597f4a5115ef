package dev.idspring.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.text.Alphabet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many classes a key of {@code coprime} passes from the table to a caller that waits
 * for it. They are the diagram of {@code docs/architecture.md}.
 */
class WalkTests {

	/** Carries no state and makes no decision: statements only. */
	private static final Set<String> SQL = Set.of("MovedRow", "SqlStatements");

	@Test
	void walkIsShortAndAsTheDocumentationSays() throws Exception {
		TestDatabase database = TestDatabase.h2();
		try (HikariDataSource pool = database.pool(2)) {
			TestStores.initialize(pool, database, "ids_");
			BlockedDataSource blocked = new BlockedDataSource(pool);
			JdbcKeySpaceStore store = new JdbcKeySpaceStore(TestStores.database(blocked, "ids_"));
			try (BlockIdGenerator ids = BlockIdGenerator
				.coprime("walk", new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), store)
				.open()) {
				ids.nextLong();
				ids.dropMemory().get(30, TimeUnit.SECONDS);
				Thread caller = new Thread(ids::nextString);
				blocked.block(() -> {
					caller.start();
					Awaitility.await()
						.until(() -> List.of(Thread.State.WAITING, Thread.State.TIMED_WAITING)
							.contains(caller.getState()) && blocked.reserving.get() != null);
				}, caller);
				caller.join(30_000);
			}
			Set<String> walk = new TreeSet<>();
			Stream.of(blocked.reserving.get(), blocked.waiting.get())
				.flatMap(Arrays::stream)
				.map(StackTraceElement::getClassName)
				.filter((name) -> name.startsWith("dev.idspring.") && !name.contains("WalkTests"))
				.map(WalkTests::loaded)
				.filter((type) -> !type.isInterface())
				.map((type) -> type.getName().replaceAll(".*\\.|\\$.*", ""))
				.filter((name) -> !SQL.contains(name))
				.forEach(walk::add);
			assertThat(walk).hasSizeLessThanOrEqualTo(12).containsExactlyInAnyOrderElementsOf(documented());
		}
	}

	private static Class<?> loaded(String name) {
		try {
			return Class.forName(name.replaceAll("\\$.*", ""));
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the classes that are named in the section of the documentation.
	 */
	private static List<String> documented() throws IOException {
		String text = Files.readString(Path.of("..", "docs", "architecture.md"));
		String section = text.substring(text.indexOf("## A key on its way"));
		section = section.substring(0, section.indexOf("\n## ", 1));
		return Pattern.compile("^\\d+\\. `(\\w+)`", Pattern.MULTILINE)
			.matcher(section)
			.results()
			.map((match) -> match.group(1))
			.toList();
	}

	/**
	 * Keeps a reservation waiting for its connection, and notes the stacks of both sides.
	 */
	private static final class BlockedDataSource extends DelegatingDataSource {

		private final AtomicReference<StackTraceElement[]> reserving = new AtomicReference<>();

		private final AtomicReference<StackTraceElement[]> waiting = new AtomicReference<>();

		private volatile CountDownLatch gate = new CountDownLatch(0);

		BlockedDataSource(HikariDataSource target) {
			super(target);
		}

		void block(Runnable blocked, Thread caller) {
			this.gate = new CountDownLatch(1);
			try {
				blocked.run();
				this.waiting.set(caller.getStackTrace());
			}
			finally {
				this.gate.countDown();
			}
		}

		@Override
		public Connection getConnection() throws SQLException {
			try {
				if (this.gate.getCount() > 0) {
					this.reserving.set(Thread.currentThread().getStackTrace());
				}
				this.gate.await();
			}
			catch (InterruptedException ex) {
				throw new SQLException(ex);
			}
			return super.getConnection();
		}

	}

}
