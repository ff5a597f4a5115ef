package dev.idspring;

import java.sql.Connection;
import java.util.Collection;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * Ids that are drawn in the transaction of the calling thread, as {@code gapless} draws
 * them. An id is committed or rolled back with that transaction, so it may stand only in
 * rows that the same transaction inserts. What fills rows says before it draws where they
 * go.
 *
 * @since 0.1.0
 */
public interface TransactionalIds extends IdGenerator {

	/**
	 * Verify that a row is inserted by the transaction in which the calling thread would
	 * draw an id now.
	 * @param insert the row
	 * @throws IdGenerationException if there is no such transaction, or another one
	 * inserts the row
	 */
	void verifyInsert(Insert insert);

	/**
	 * Verify that there can be a transaction that inserts rows and in which ids are
	 * drawn. Needs no transaction, and is meant for the start of an application.
	 * @param row how messages name the rows
	 * @param dataSources all that the rows may be inserted over
	 * @throws IdSetupException if there are some, and none has such transactions
	 */
	void verifyInserts(String row, Collection<DataSource> dataSources);

	/**
	 * What is inserted, and how it reaches the database.
	 *
	 * @param row how messages name it
	 * @param dataSource what its connection comes from, or {@code null} if that is not
	 * known
	 * @param connection the connection that inserts it, or {@code null} if it is the one
	 * that Spring has for the DataSource
	 */
	record Insert(String row, @Nullable DataSource dataSource, @Nullable Connection connection) {

		/**
		 * Create what is inserted.
		 * @throws IllegalArgumentException if there is no row
		 */
		public Insert {
			InvalidSettingException.requireGiven(Insert.class, "row", row);
		}

	}

}
