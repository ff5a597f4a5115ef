package dev.idspring.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import javax.sql.DataSource;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Locks rows of the starter's tables in any order until it is interrupted.
 */
final class Saboteur {

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	private final List<String> keySpaces;

	private final Random random;

	Saboteur(DataSource dataSource, List<String> keySpaces, Random random) {
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.jdbc = new JdbcTemplate(dataSource);
		this.keySpaces = new ArrayList<>(keySpaces);
		this.random = random;
	}

	void run() {
		while (!Thread.currentThread().isInterrupted()) {
			try {
				this.transaction.executeWithoutResult((status) -> lock());
			}
			catch (DataAccessException | TransactionException ex) {
				// a deadlock was what it wanted
			}
		}
	}

	private void lock() {
		Collections.shuffle(this.keySpaces, this.random);
		for (String keySpace : this.keySpaces.subList(0, 1 + this.random.nextInt(3))) {
			this.jdbc.queryForList("select name from ids_key_space where name = ? for update", keySpace);
			this.jdbc.queryForList("select slot from ids_slot where key_space = ? for update", keySpace);
			try {
				Thread.sleep(this.random.nextInt(20));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
