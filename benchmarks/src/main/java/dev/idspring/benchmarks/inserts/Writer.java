package dev.idspring.benchmarks.inserts;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

import dev.idspring.benchmarks.inserts.Engine.Column;
import dev.idspring.benchmarks.inserts.KeyScheme.KeySource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.BatchPreparedStatementSetter;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.Assert;

/**
 * Inserts rows in consecutive transactions. If the database rolls back a transaction, the
 * next one follows, as in an application that retries. A transaction counts if it ends
 * within the measurement. So a transaction that began before the measurement compensates
 * for one that ends after it.
 */
final class Writer implements Runnable {

	private static final String NOTE = "a note of some forty characters, no more";

	private final KeySource source;

	private final TransactionTemplate transactions;

	private final KeyScheme scheme;

	private final int batch;

	private final String sql;

	private long begin;

	private long end;

	private long allRows;

	private long commits;

	private long deadlocks;

	private long duplicates;

	private @Nullable RuntimeException failure;

	Writer(KeySource source, TransactionTemplate transactions, KeyScheme scheme, int batch) {
		this.source = source;
		this.transactions = transactions;
		this.scheme = scheme;
		this.batch = batch;
		this.sql = "insert into " + scheme.table() + ((scheme.column() == Column.IDENTITY)
				? " (customer, note) values (?, ?)" : " (id, customer, note) values (?, ?, ?)");
	}

	void measure(long begin, long end) {
		this.begin = begin;
		this.end = end;
	}

	@Override
	public void run() {
		try {
			while (System.nanoTime() < this.end) {
				insertAndCount();
			}
		}
		catch (RuntimeException ex) {
			this.failure = ex;
		}
	}

	private void insertAndCount() {
		try {
			insert();
			this.allRows += this.batch;
			this.commits += countIfMeasured();
		}
		catch (PessimisticLockingFailureException ex) {
			this.deadlocks += countIfMeasured();
		}
		catch (DuplicateKeyException ex) {
			this.duplicates += countIfMeasured();
		}
	}

	private int countIfMeasured() {
		long now = System.nanoTime();
		return (now >= this.begin && now < this.end) ? 1 : 0;
	}

	void insert() {
		this.transactions.executeWithoutResult((transaction) -> {
			List<?> keys = this.scheme.keys(this.source, this.batch);
			if (this.scheme.readsKeysBack()) {
				insertAndReadKeys();
			}
			else if (this.batch == 1) {
				this.source.jdbc().update(this.sql, row(keys, 0));
			}
			else {
				this.source.jdbc()
					.batchUpdate(this.sql, IntStream.range(0, this.batch).mapToObj((i) -> row(keys, i)).toList());
			}
		});
	}

	private void insertAndReadKeys() {
		KeyHolder generatedKeys = new GeneratedKeyHolder();
		PreparedStatementCreator creator = (connection) -> connection.prepareStatement(this.sql, new String[] { "id" });
		if (this.batch == 1) {
			this.source.jdbc().update((connection) -> {
				PreparedStatement statement = creator.createPreparedStatement(connection);
				setColumns(statement, 0);
				return statement;
			}, generatedKeys);
		}
		else {
			this.source.jdbc().batchUpdate(creator, new BatchPreparedStatementSetter() {

				@Override
				public void setValues(PreparedStatement statement, int i) throws SQLException {
					setColumns(statement, i);
				}

				@Override
				public int getBatchSize() {
					return Writer.this.batch;
				}

			}, generatedKeys);
		}
		Assert.state(generatedKeys.getKeyList().size() == this.batch, "keys are missing");
	}

	private static void setColumns(PreparedStatement statement, int i) throws SQLException {
		statement.setLong(1, i);
		statement.setString(2, NOTE);
	}

	private Object[] row(List<?> keys, int i) {
		return keys.isEmpty() ? new Object[] { (long) i, NOTE } : new Object[] { keys.get(i), (long) i, NOTE };
	}

	void rethrow() {
		if (this.failure != null) {
			throw this.failure;
		}
	}

	long allRows() {
		return this.allRows;
	}

	long commits() {
		return this.commits;
	}

	long deadlocks() {
		return this.deadlocks;
	}

	long duplicates() {
		return this.duplicates;
	}

}
