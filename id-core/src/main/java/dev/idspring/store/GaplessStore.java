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
 * Stores the next number of each sequence, and issues numbers without gaps in the
 * caller's transaction. An implementation guarantees the following:
 * <ol>
 * <li>{@link #draw draw} advances the sequence in the transaction of the calling thread.
 * If the transaction rolls back, the next draw returns the same number.</li>
 * <li>Until the transaction ends, no other transaction can draw from the sequence.</li>
 * </ol>
 * If a draw conflicts with another transaction, the caller must retry its whole
 * transaction. If writers use several nodes of a Galera cluster, about half of all draws
 * conflict. All writers of gapless numbers should therefore use the same node. Every
 * operation first validates its arguments, see {@link StoreArguments}.
 *
 * @since 0.1.0
 */
public interface GaplessStore {

	/**
	 * Create a sequence if it does not exist, in a separate transaction.
	 * @param name the name of the sequence
	 * @param first the first number, zero or more
	 * @param deadline the time by which the operation must end
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	void create(String name, long first, Deadline deadline);

	/**
	 * Draw numbers in the transaction of the calling thread.
	 * @param name the name of the sequence
	 * @param count how many consecutive numbers to draw, at least 1
	 * @param last the highest number that may be drawn
	 * @param deadline when to stop waiting for other transactions to end
	 * @return the result
	 * @throws IdGenerationException if the calling thread has no suitable transaction
	 * @throws IdStoreUnavailableException if another transaction did not end in time, or
	 * if the database failed
	 * @throws KeySpaceMismatchException if the sequence was closed, see
	 * {@code docs/leaving.md}
	 * @throws KeySpaceRegressionException if the sequence no longer exists
	 * @throws RuntimeException if the transaction conflicts with another one; a store in
	 * a database throws Spring's {@code ConcurrencyFailureException}
	 */
	Draw draw(String name, int count, long last, Deadline deadline);

	/**
	 * Verify that a draw by the calling thread would use the transaction that inserts a
	 * row. The default implementation does nothing, for stores that cannot check this.
	 * @param name the name of the sequence
	 * @param insert the row, and the connection that inserts it
	 * @throws IdGenerationException if the calling thread has no suitable transaction, or
	 * if another transaction inserts the row
	 */
	default void verifyInsert(String name, Insert insert) {
	}

	/**
	 * Verify that one transaction can both insert rows and draw numbers. The default
	 * implementation does nothing, for stores that cannot check this.
	 * @param name the name of the sequence
	 * @param row the name that messages use for the rows
	 * @param dataSources all data sources through which the rows may be inserted
	 * @throws IdSetupException if data sources are given, and none of them supports such
	 * a transaction
	 */
	default void verifyInserts(String name, String row, Collection<DataSource> dataSources) {
	}

	/**
	 * Read the next number in a separate transaction, without waiting for other
	 * transactions.
	 * @param name the name of the sequence
	 * @param deadline the time by which the operation must end
	 * @return the number
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the sequence no longer exists
	 */
	long next(String name, Deadline deadline);

	/**
	 * The result of a draw.
	 *
	 * @param granted whether the numbers were drawn; {@code false} if too few were left
	 * @param first the first number that was drawn or, if too few were left, the next
	 * number
	 */
	record Draw(boolean granted, long first) {

	}

}
