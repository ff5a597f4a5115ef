package dev.idspring.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.store.GaplessStore.Draw;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Base class of tests for {@link JdbcGaplessStore}.
 */
@Tag("mysql")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractJdbcGaplessStoreTests {

	static final String NAME = "invoices";

	static final long LAST = 1_000_000;

	final Kind kind;

	private TestDatabase database;

	HikariDataSource pool;

	JdbcGaplessStore store;

	private final List<HikariDataSource> otherPools = new ArrayList<>();

	AbstractJdbcGaplessStoreTests(Kind kind) {
		this.kind = kind;
	}

	@BeforeAll
	void createTables() {
		this.database = this.kind.create();
		this.pool = this.database.pool(20);
		TestStores.initialize(this.pool, this.database, "ids_");
		TestDatabase.execute(this.pool, "create table invoice (id bigint not null primary key)");
	}

	@BeforeEach
	void begin() {
		this.store = open(this.pool);
		this.store.create(NAME, 1, TestStores.deadline());
	}

	@AfterEach
	void empty() {
		this.otherPools.forEach(HikariDataSource::close);
		this.otherPools.clear();
		TestDatabase.execute(this.pool, "delete from ids_gapless", "delete from invoice");
	}

	@AfterAll
	void close() {
		this.pool.close();
	}

	final JdbcGaplessStore open(DataSource dataSource) {
		JdbcGaplessStore store = new JdbcGaplessStore(dataSource, TestStores.database(this.pool, "ids_"));
		store.open(TestStores.deadline());
		return store;
	}

	final HikariDataSource otherPool(int size) {
		HikariDataSource dataSource = this.database.pool(size);
		this.otherPools.add(dataSource);
		return dataSource;
	}

	static TransactionTemplate transaction(DataSource dataSource) {
		return new TransactionTemplate(new DataSourceTransactionManager(dataSource));
	}

	static Deadline longDeadline() {
		return within(Duration.ofSeconds(60));
	}

	static Deadline within(Duration timeout) {
		return Deadline.after(TimeSource.system(), timeout);
	}

	final long draw() {
		Draw draw = this.store.draw(NAME, 1, LAST, longDeadline());
		assertThat(draw.granted()).isTrue();
		return draw.first();
	}

	final long next() {
		return this.store.next(NAME, TestStores.deadline());
	}

}
