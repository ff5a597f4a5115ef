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
 * Remembers which number comes next, and hands it out in the caller's transaction. That
 * numbers have no gap rests on what an implementation promises here:
 * <ol>
 * <li>{@link #draw draw} moves the number in the transaction of the calling thread. So it
 * is drawn if that transaction commits, and comes next again if not.</li>
 * <li>From there to the end of that transaction no other one draws.</li>
 * </ol>
 * As the transaction is the caller's, so are its conflicts: where a draw loses against
 * another transaction, the caller gets the exception that his own statements would get,
 * and repeats the transaction by the same rules. On a Galera cluster about half of all
 * draws conflict when writers use several nodes: all writers of gapless numbers should
 * use one node. Arguments that cannot be used are refused before anything else, see
 * {@link StoreArguments}.
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
	 * @param last the highest number there is
	 * @param deadline until when to wait for other transactions to end
	 * @return what was drawn
	 * @throws IdGenerationException if the calling thread is in no transaction that can
	 * be used
	 * @throws IdStoreUnavailableException if another transaction did not end in time, or
	 * the database failed
	 * @throws KeySpaceMismatchException if the sequence was closed
	 * @throws KeySpaceRegressionException if the sequence does not exist any more
	 * @throws RuntimeException if the transaction lost against another one: Spring's
	 * {@code ConcurrencyFailureException} from a store in a database
	 */
	Draw draw(String name, int count, long last, Deadline deadline);

	/**
	 * Verify that a row is inserted by the transaction in which the calling thread would
	 * draw now. A store that cannot know that does nothing.
	 * @param name the name of the sequence
	 * @param insert the row
	 * @throws IdGenerationException if there is no such transaction, or another one
	 * inserts the row
	 */
	default void verifyInsert(String name, Insert insert) {
	}

	/**
	 * Verify that there can be a transaction that inserts rows and in which numbers are
	 * drawn. A store that cannot know that does nothing.
	 * @param name the name of the sequence
	 * @param row how messages name the rows
	 * @param dataSources all that the rows may be inserted over
	 * @throws IdSetupException if there are some, and none has such transactions
	 */
	default void verifyInserts(String name, String row, Collection<DataSource> dataSources) {
	}

	/**
	 * Read which number comes next. Not in the transaction of the calling thread, and
	 * without waiting for others.
	 * @param name the name of the sequence
	 * @param deadline how long this may take
	 * @return the number
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the sequence does not exist any more
	 */
	long next(String name, Deadline deadline);

	/**
	 * What was drawn.
	 *
	 * @param granted whether there were as many numbers left as were asked for
	 * @param first the first of them or, if fewer are left, the one that comes next
	 */
	record Draw(boolean granted, long first) {

	}

}
