package dev.idspring;

import java.sql.Connection;
import java.util.Collection;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * Draws ids in the transaction of the calling thread, as generators with the strategy
 * {@code gapless} do. An id is committed or rolled back with that transaction. So only
 * rows that the same transaction inserts may contain the id. Code that assigns an id to a
 * row must call {@link #verifyInsert} before it draws the id.
 *
 * @since 0.1.0
 */
public interface TransactionalIds extends IdGenerator {

	/**
	 * Verify that the calling thread would draw an id in the same transaction that
	 * inserts a row.
	 * @param insert the row
	 * @throws IdGenerationException if there is no transaction, or if another transaction
	 * inserts the row
	 */
	void verifyInsert(Insert insert);

	/**
	 * Verify that the same transaction can insert rows and draw ids. Call this method
	 * when the application starts. It needs no transaction.
	 * @param row the name that messages use for the rows
	 * @param dataSources all DataSources that may be used to insert the rows
	 * @throws IdSetupException if DataSources are given, but no transaction on any of
	 * them can draw ids
	 */
	void verifyInserts(String row, Collection<DataSource> dataSources);

	/**
	 * A row to insert, and the connection that inserts it.
	 *
	 * @param row the name that messages use for the row
	 * @param dataSource the DataSource of the connection, or {@code null} if unknown
	 * @param connection the connection that inserts the row, or {@code null} for the
	 * connection that Spring uses for the DataSource
	 */
	record Insert(String row, @Nullable DataSource dataSource, @Nullable Connection connection) {

		/**
		 * Create a row to insert.
		 * @throws IllegalArgumentException if the row is {@code null}
		 */
		public Insert {
			InvalidSettingException.requireGiven(Insert.class, "row", row);
		}

	}

}
