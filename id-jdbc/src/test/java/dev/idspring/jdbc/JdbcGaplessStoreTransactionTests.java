package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for the transaction of the caller, in which {@link JdbcGaplessStore} draws
 * numbers: which transactions the store accepts, and that it leaves the query timeout as
 * it was.
 */
abstract class JdbcGaplessStoreTransactionTests extends AbstractJdbcGaplessStoreTests {

	JdbcGaplessStoreTransactionTests(Kind kind) {
		super(kind);
	}

	@Test
	void drawWithoutATransactionIsRejected() {
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(this::draw)
			.withMessageContaining("there is no transaction")
			.withMessageContaining("@Transactional");
		assertThat(next()).isEqualTo(1);
	}

	@Test
	void readOnlyTransactionIsRejected() {
		TransactionTemplate readOnly = transaction(this.pool);
		readOnly.setReadOnly(true);
		// SQLite cannot make a transaction of an open connection read-only
		assumeThat(this.kind).isNotEqualTo(Kind.SQLITE);
		assertThatIllegalStateException().isThrownBy(() -> readOnly.execute((status) -> draw()))
			.withMessageContaining("read-only");
	}

	@Test
	void transactionOnAnotherDataSourceIsRejected() {
		HikariDataSource storePool = otherPool(2);
		// as recommended with Hibernate. Without auto-commit, the pool rolls back the
		// uncommitted changes of each returned connection
		storePool.setAutoCommit(false);
		this.store = open(storePool);
		assertThatIllegalStateException().isThrownBy(() -> transaction(this.pool).execute((status) -> draw()))
			.withMessageContaining("does not belong to the DataSource");
		assertThatIllegalStateException().isThrownBy(() -> transaction(this.pool).execute((status) -> {
			new JdbcTemplate(storePool).queryForList("select * from invoice");
			return draw();
		})).withMessageContaining("does not belong to the DataSource");
		transaction(storePool).executeWithoutResult((status) -> assertThat(draw()).isEqualTo(1));
		assertThat(next()).isEqualTo(2);
	}

	@Test
	void usesTheConnectionBoundByJpa() throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			connection.setAutoCommit(false);
			TransactionSynchronizationManager.initSynchronization();
			TransactionSynchronizationManager.setActualTransactionActive(true);
			// as JpaTransactionManager does
			TransactionSynchronizationManager.bindResource(this.pool, new ConnectionHolder(connection));
			try {
				assertThat(draw()).isEqualTo(1);
				connection.commit();
			}
			finally {
				TransactionSynchronizationManager.getSynchronizations()
					.forEach((synchronization) -> synchronization
						.afterCompletion(TransactionSynchronization.STATUS_COMMITTED));
				TransactionSynchronizationManager.unbindResource(this.pool);
				TransactionSynchronizationManager.clear();
				connection.setAutoCommit(true);
			}
		}
		transaction(this.pool).executeWithoutResult((status) -> assertThat(draw()).isEqualTo(2));
	}

	@Test
	void rejectsAConnectionThatJpaHasResetAfterTheCommit() throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			TransactionSynchronizationManager.initSynchronization();
			TransactionSynchronizationManager.setActualTransactionActive(true);
			// the state in an afterCommit callback of JpaTransactionManager with
			// Hibernate
			TransactionSynchronizationManager.bindResource(this.pool, new ConnectionHolder(connection));
			try {
				assertThatExceptionOfType(IdGenerationException.class).isThrownBy(this::draw)
					.withMessageContaining("already been committed");
			}
			finally {
				TransactionSynchronizationManager.getSynchronizations()
					.forEach((synchronization) -> synchronization
						.afterCompletion(TransactionSynchronization.STATUS_COMMITTED));
				TransactionSynchronizationManager.unbindResource(this.pool);
				TransactionSynchronizationManager.clear();
			}
		}
		assertThat(next()).isEqualTo(1);
		transaction(this.pool).executeWithoutResult((status) -> assertThat(draw()).isEqualTo(1));
	}

	@Test
	void transactionCanDrawAfterARollbackToASavepoint() {
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		this.store = open(faulty);
		TransactionTemplate nested = transaction(faulty);
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		transaction(faulty).executeWithoutResult((status) -> {
			assertThat(draw()).isEqualTo(1);
			assertThatExceptionOfType(IdStoreUnavailableException.class)
				.isThrownBy(() -> nested.executeWithoutResult((inner) -> {
					faulty.begin((index, call) -> call.startsWith("execute") ? Outcome.failsAfter("HYT00")
							: Outcome.SUCCEEDS);
					try {
						draw();
					}
					finally {
						faulty.begin((index, call) -> Outcome.SUCCEEDS);
					}
				}));
			assertThat(draw()).isEqualTo(2);
		});
		assertThat(next()).isEqualTo(3);
	}

	@Test
	void transactionAwareDataSourceIsUnwrapped() {
		this.store = open(new TransactionAwareDataSourceProxy(this.pool));
		transaction(this.pool).executeWithoutResult((status) -> {
			draw();
			status.setRollbackOnly();
		});
		assertThat(next()).isEqualTo(1);
	}

	@Test
	void openingDoesNotAffectTheTransactionOfTheCaller() {
		DataSource aware = new TransactionAwareDataSourceProxy(this.pool);
		assumeThat(this.kind).as("SQLite allows one writer per file").isNotEqualTo(Kind.SQLITE);
		transaction(this.pool).executeWithoutResult((status) -> {
			new JdbcTemplate(this.pool).update("insert into invoice values (4711)");
			JdbcDatabase database = TestStores.database(aware, "ids_");
			TimeIdGenerator.builder("events", SnowflakeSettings.Preset.STANDARD.settings().scheme())
				.store(new JdbcKeySpaceStore(database), new JdbcSlotStore(database))
				.open()
				.close();
			GaplessIdGenerator
				.builder("others", new GaplessSettings(1, LAST), new JdbcKeySpaceStore(database),
						new JdbcGaplessStore(aware, database))
				.open()
				.close();
			status.setRollbackOnly();
		});
		assertThat(new JdbcTemplate(this.pool).queryForList("select id from invoice")).isEmpty();
	}

	@Test
	void innerTransactionFailsWithoutWaitingIfTheOuterOneHasDrawn() {
		TransactionTemplate requiresNew = transaction(this.pool);
		requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		transaction(this.pool).executeWithoutResult((status) -> {
			assertThat(draw()).isEqualTo(1);
			assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(
					() -> requiresNew.execute((inner) -> this.store.draw(NAME, 1, LAST, within(Duration.ofHours(1)))))
				.withMessageContaining("REQUIRES_NEW");
			assertThat(draw()).as("the outer transaction continues").isEqualTo(2);
		});
		transaction(this.pool).executeWithoutResult((status) -> assertThat(draw()).isEqualTo(3));
	}

	@Test
	void innerTransactionCanDrawBeforeTheOuterOne() {
		TransactionTemplate requiresNew = transaction(this.pool);
		requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		transaction(this.pool).executeWithoutResult((status) -> {
			requiresNew.executeWithoutResult((inner) -> assertThat(draw()).isEqualTo(1));
			assertThat(draw()).isEqualTo(2);
		});
	}

	@Test
	void afterCommitCallbackCanDrawInANewTransaction() {
		TransactionTemplate requiresNew = transaction(this.pool);
		requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		List<Long> drawn = new ArrayList<>();
		transaction(this.pool).executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					drawn.add(requiresNew.execute(
							(inner) -> JdbcGaplessStoreTransactionTests.this.store.draw(NAME, 1, LAST, longDeadline())
								.first()));
				}

			});
			drawn.add(draw());
		});
		assertThat(drawn).containsExactly(1L, 2L);
	}

	@Test
	void refusesToDrawInACommittedTransaction() {
		List<String> failureMessages = new ArrayList<>();
		transaction(this.pool).executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					try {
						draw();
					}
					catch (IdGenerationException ex) {
						failureMessages.add(ex.getMessage());
					}
				}

			});
			draw();
		});
		assertThat(failureMessages).singleElement()
			.asString()
			.contains("already been committed")
			.contains("REQUIRES_NEW");
		assertThat(next()).isEqualTo(2);
	}

	@Test
	void numberDrawnAfterTheCommitIsNotDrawnAgain() {
		HikariDataSource storePool = otherPool(2);
		storePool.setAutoCommit(false);
		this.store = open(storePool);
		List<Long> drawn = new ArrayList<>();
		transaction(storePool).executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						drawn.add(draw());
					}

				}));
		transaction(storePool).executeWithoutResult((status) -> drawn.add(draw()));
		assertThat(drawn).containsExactly(1L, 2L);
	}

	@Test
	void transactionWhoseDrawFailedCannotBeCommitted() {
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		this.store = open(faulty);
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(() -> transaction(faulty).executeWithoutResult((status) -> {
				faulty.begin(
						(index, call) -> call.startsWith("execute") ? Outcome.failsAfter("HYT00") : Outcome.SUCCEEDS);
				assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(this::draw);
				faulty.begin((index, call) -> Outcome.SUCCEEDS);
				// the caller continues as if the draw had not failed
			}))
			.withMessageContaining("must be rolled back");
		assertThat(next()).isEqualTo(1);
	}

	@Test
	void leavesTheQueryTimeoutUnchanged() {
		transaction(this.pool).executeWithoutResult((status) -> {
			int before = new JdbcTemplate(this.pool).execute(Statement::getQueryTimeout);
			draw();
			assertThat(new JdbcTemplate(this.pool).execute(Statement::getQueryTimeout)).isEqualTo(before);
		});
	}

	@Test
	void leavesTheQueryTimeoutUnchangedAfterAFailure() {
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		this.store = open(faulty);
		transaction(faulty).executeWithoutResult((status) -> {
			int before = new JdbcTemplate(faulty).execute(Statement::getQueryTimeout);
			faulty.begin((index, call) -> call.startsWith("execute") ? Outcome.failsBefore("HYT00") : Outcome.SUCCEEDS);
			assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(this::draw);
			faulty.begin((index, call) -> Outcome.SUCCEEDS);
			assertThat(new JdbcTemplate(faulty).execute(Statement::getQueryTimeout)).isEqualTo(before);
			status.setRollbackOnly();
		});
	}

}
