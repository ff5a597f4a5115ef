package dev.idspring.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import javax.sql.DataSource;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Locks rows of the starter's tables, and inserts into the application's table, in random
 * order until it is interrupted. It never commits anything.
 */
final class Saboteur {

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	private final List<String> keySpaces;

	private final Random random;

	private volatile int conflicts;

	Saboteur(DataSource dataSource, List<String> keySpaces, Random random) {
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.jdbc = new JdbcTemplate(dataSource);
		this.keySpaces = new ArrayList<>(keySpaces);
		this.random = random;
	}

	void run() {
		while (!Thread.currentThread().isInterrupted()) {
			try {
				this.transaction.executeWithoutResult((status) -> {
					status.setRollbackOnly();
					if (this.random.nextBoolean()) {
						insertNextNumbers();
					}
					else {
						lockStarterRows();
					}
				});
			}
			catch (PessimisticLockingFailureException ex) {
				this.conflicts++;
			}
			catch (DataAccessException | TransactionException ex) {
				// the application may have inserted the row first
			}
		}
	}

	/**
	 * Return how many transactions of this object have failed because of a lock conflict.
	 */
	int conflicts() {
		return this.conflicts;
	}

	/**
	 * Insert the numbers that the application will insert next, then lock the sequence
	 * row that the application has probably locked by then. This causes deadlocks.
	 */
	private void insertNextNumbers() {
		String name = LabGenerator.INVOICES.generatorName();
		long next = this.jdbc.queryForObject("select next_value from ids_gapless where name = ?", Long.class, name);
		for (int i = 0; i < 5; i++) {
			this.jdbc.update("insert into " + Callers.INVOICE_TABLE + " (id) values (?)", next + i);
		}
		pause();
		this.jdbc.queryForList("select name from ids_gapless where name = ? for update", name);
	}

	private void lockStarterRows() {
		Collections.shuffle(this.keySpaces, this.random);
		for (String keySpace : this.keySpaces.subList(0, 1 + this.random.nextInt(3))) {
			this.jdbc.queryForList("select name from ids_key_space where name = ? for update", keySpace);
			this.jdbc.queryForList("select slot from ids_slot where key_space = ? for update", keySpace);
			pause();
		}
	}

	private void pause() {
		try {
			Thread.sleep(this.random.nextInt(20));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
