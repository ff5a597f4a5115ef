package dev.idspring;

import java.sql.Connection;
import java.util.Collection;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * Ids that are drawn in the transaction of the calling thread, as {@code gapless} draws
 * them. An id is committed or rolled back with that transaction, so only rows that the
 * same transaction inserts may contain it. Code that fills rows declares their target
 * before it draws.
 *
 * @since 0.1.0
 */
public interface TransactionalIds extends IdGenerator {

	/**
	 * Verify that the transaction in which the calling thread would draw an id now is the
	 * one that inserts a row.
	 * @param insert the row
	 * @throws IdGenerationException if there is no such transaction, or another one
	 * inserts the row
	 */
	void verifyInsert(Insert insert);

	/**
	 * Verify that one transaction can insert rows and draw ids. Needs no transaction, and
	 * is meant for the start of an application.
	 * @param row the name of the rows in messages
	 * @param dataSources all that may be used to insert the rows
	 * @throws IdSetupException if there are DataSources, and none has such transactions
	 */
	void verifyInserts(String row, Collection<DataSource> dataSources);

	/**
	 * A row to insert, and its way to the database.
	 *
	 * @param row its name in messages
	 * @param dataSource the source of its connection, or {@code null} if unknown
	 * @param connection the connection that inserts it, or {@code null} if it is the one
	 * that Spring has for the DataSource
	 */
	record Insert(String row, @Nullable DataSource dataSource, @Nullable Connection connection) {

		/**
		 * Create a row to insert.
		 * @throws IllegalArgumentException if there is no row
		 */
		public Insert {
			InvalidSettingException.requireGiven(Insert.class, "row", row);
		}

	}

}
