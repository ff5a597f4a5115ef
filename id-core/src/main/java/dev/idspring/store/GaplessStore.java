package dev.idspring.store;

import java.util.Collection;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.TransactionalIds.Insert;
import dev.idspring.worker.Deadline;

/**
 * Stores the next number, and issues it in the caller's transaction. Numbers have no gap
 * because an implementation guarantees the following:
 * <ol>
 * <li>{@link #draw draw} advances the counter in the transaction of the calling thread.
 * So the number is used if that transaction commits, and is next again if it rolls
 * back.</li>
 * <li>No other transaction draws until that one ends.</li>
 * </ol>
 * The transaction is the caller's, and so are its conflicts. If a draw conflicts with
 * another transaction, the caller gets the same exception as from its own statements, and
 * retries the transaction by the same rules. On a Galera cluster about half of all draws
 * conflict when writers use several nodes: all writers of gapless numbers should use one
 * node. Invalid arguments are rejected before anything else, see {@link StoreArguments}.
 *
 * @since 0.1.0
 */
public interface GaplessStore {

	/**
	 * Create a sequence, unless it exists. Not in the transaction of the calling thread.
	 * @param name the name of the sequence
	 * @param first the first number, zero or more
	 * @param deadline how long this may take
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	void create(String name, long first, Deadline deadline);

	/**
	 * Draw numbers in the transaction of the calling thread.
	 * @param name the name of the sequence
	 * @param count how many consecutive numbers, at least 1
	 * @param last the highest possible number
	 * @param deadline how long to wait for other transactions to end
	 * @return the result
	 * @throws IdGenerationException if the calling thread is in no suitable transaction
	 * @throws IdStoreUnavailableException if another transaction did not end in time, or
	 * the database failed
	 * @throws KeySpaceMismatchException if the sequence was closed
	 * @throws KeySpaceRegressionException if the sequence no longer exists
	 * @throws RuntimeException if the transaction conflicted with another one: Spring's
	 * {@code ConcurrencyFailureException} from a store in a database
	 */
	Draw draw(String name, int count, long last, Deadline deadline);

	/**
	 * Verify that the transaction in which the calling thread would draw now also inserts
	 * a row. A store that cannot check that does nothing.
	 * @param name the name of the sequence
	 * @param insert the row
	 * @throws IdGenerationException if there is no such transaction, or another one
	 * inserts the row
	 */
	default void verifyInsert(String name, Insert insert) {
	}

	/**
	 * Verify that one transaction can both insert rows and draw numbers. A store that
	 * cannot check that does nothing.
	 * @param name the name of the sequence
	 * @param row the name of the rows in messages
	 * @param dataSources all data sources through which the rows may be inserted
	 * @throws IdSetupException if there are data sources, and none has such transactions
	 */
	default void verifyInserts(String name, String row, Collection<DataSource> dataSources) {
	}

	/**
	 * Read the next number. Not in the transaction of the calling thread, and without
	 * waiting for others.
	 * @param name the name of the sequence
	 * @param deadline how long this may take
	 * @return the number
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the sequence no longer exists
	 */
	long next(String name, Deadline deadline);

	/**
	 * The result of a draw.
	 *
	 * @param granted whether enough numbers were left
	 * @param first the first of them or, if too few are left, the next number
	 */
	record Draw(boolean granted, long first) {

	}

}
