package dev.idspring.autoconfigure;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.TransactionalIds.Insert;
import dev.idspring.jdbc.SqlFailure;
import dev.idspring.monitor.ScopedSnapshot.ScopeState;
import dev.idspring.store.ScopedGaplessStore;
import dev.idspring.text.IdScope;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * The store of gapless numbers for a routing DataSource with several targets, for example
 * because each tenant has its own database. Each database has its own store and its own
 * sequences.
 * <ol>
 * <li>The first call for a database opens its store, and the first draw from a sequence
 * creates the sequence there. The calling thread does both itself, because it determines
 * the target of the DataSource.</li>
 * <li>The connection of the caller's transaction identifies the database: its URL, user,
 * catalog and schema.</li>
 * <li>Monitoring does not run in the context of a tenant. Therefore it reads the default
 * target of the DataSource. If there is no default target, monitoring shows no scopes,
 * and for each sequence only the number after the last one that this instance has
 * drawn.</li>
 * </ol>
 */
final class RoutedGaplessStore implements ScopedGaplessStore {

	private final DataSource dataSource;

	/** Used at startup and, if {@link #open}, to monitor sequences. */
	private final ScopedGaplessStore startupStore;

	private final boolean open;

	private final Supplier<Deadline> deadlines;

	private final Function<Deadline, ? extends ScopedGaplessStore> opener;

	private final Map<Address, CompletableFuture<OpenedStore>> openedStores = new ConcurrentHashMap<>();

	private final Map<String, Sequence> sequences = new ConcurrentHashMap<>();

	/**
	 * Create a store.
	 * @param dataSource the DataSource of the callers' transactions
	 * @param startupStore a store for this DataSource
	 * @param open whether that store is open, in the database that was selected at
	 * startup
	 * @param deadlines provides a deadline for calls that have none
	 * @param opener opens a store in the database that the DataSource selects for the
	 * calling thread
	 */
	RoutedGaplessStore(DataSource dataSource, ScopedGaplessStore startupStore, boolean open,
			Supplier<Deadline> deadlines, Function<Deadline, ? extends ScopedGaplessStore> opener) {
		this.dataSource = dataSource;
		this.startupStore = startupStore;
		this.open = open;
		this.deadlines = deadlines;
		this.opener = opener;
	}

	@Override
	public void create(String name, long first, Deadline deadline) {
		if (this.open) {
			this.startupStore.create(name, first, deadline);
		}
		this.sequences.put(name, new Sequence(first, first));
	}

	@Override
	public Draw draw(String name, int count, long last, Deadline deadline) {
		OpenedStore current = currentStore(deadline);
		Sequence sequence = this.sequences.get(name);
		if (sequence != null) {
			createOnce(current.createdSequences, name, deadline, () -> {
				current.store.create(name, sequence.first, deadline);
				return sequence;
			});
		}
		Draw draw = current.store.draw(name, count, last, deadline);
		this.sequences.computeIfPresent(name,
				(key, known) -> draw.granted() ? known.withNext(draw.first() + count) : known);
		return draw;
	}

	@Override
	public ScopedDraw draw(Draws draws, IdScope scope, Deadline deadline) {
		return currentStore(deadline).store.draw(draws, scope, deadline);
	}

	@Override
	public void refuseCommit(String name, IdScope scope, RuntimeException failure) {
		currentStore(this.deadlines.get()).store.refuseCommit(name, scope, failure);
	}

	@Override
	public long start(Draws draws, IdScope scope, long start, Deadline deadline) {
		return currentStore(deadline).store.start(draws, scope, start, deadline);
	}

	@Override
	public void verifyInsert(String name, Insert insert) {
		currentStore(this.deadlines.get()).store.verifyInsert(name, insert);
	}

	@Override
	public void verifyInserts(String name, String row, Collection<DataSource> dataSources) {
		this.startupStore.verifyInserts(name, row, dataSources);
	}

	@Override
	public long next(String name, Deadline deadline) {
		if (this.open) {
			return this.startupStore.next(name, deadline);
		}
		Sequence sequence = this.sequences.get(name);
		if (sequence == null) {
			return currentStore(deadline).store.next(name, deadline);
		}
		return sequence.next;
	}

	@Override
	public OptionalLong next(String name, IdScope scope, Deadline deadline) {
		return currentStore(deadline).store.next(name, scope, deadline);
	}

	@Override
	public Scopes scopes(String name, String period, Deadline deadline) {
		try {
			return currentStore(deadline).store.scopes(name, period, deadline);
		}
		catch (IdStoreUnavailableException ex) {
			if (SqlFailure.isRoutingFailure(ex)) {
				return new Scopes(0, deadline.timeSource().instant());
			}
			throw ex;
		}
	}

	@Override
	public List<ScopeState> list(String name, String period, @Nullable String after, int count, Deadline deadline) {
		return currentStore(deadline).store.list(name, period, after, count, deadline);
	}

	private OpenedStore currentStore(Deadline deadline) {
		return createOnce(this.openedStores, address(), deadline,
				() -> new OpenedStore(this.opener.apply(deadline), new ConcurrentHashMap<>()));
	}

	/**
	 * Return a value that one thread creates while other threads wait for it. Each of
	 * these threads has a connection, and the creating thread needs a second one. If the
	 * pool has no other connection, a waiting thread must stop waiting, so that its
	 * connection becomes free. Therefore each waiting thread waits for at most half of
	 * its remaining time.
	 */
	private static <K, V> V createOnce(Map<K, CompletableFuture<V>> results, K key, Deadline deadline,
			Supplier<V> creation) {
		CompletableFuture<V> ownResult = new CompletableFuture<>();
		CompletableFuture<V> otherResult = results.putIfAbsent(key, ownResult);
		if (otherResult != null) {
			return await(otherResult, deadline);
		}
		try {
			V value = creation.get();
			ownResult.complete(value);
			return value;
		}
		catch (Throwable ex) {
			results.remove(key, ownResult);
			ownResult.completeExceptionally(ex);
			throw ex;
		}
	}

	private static <V> V await(CompletableFuture<V> result, Deadline deadline) {
		try {
			return result.isDone() ? result.get()
					: result.get(deadline.remaining().toNanos() / 2, TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw new IdStoreUnavailableException(
					"Another thread is still opening the gapless sequences of this database. Besides the connection of"
							+ " its transaction, that thread needs a second connection from the pool",
					ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IdStoreUnavailableException("Interrupted while another thread was opening the gapless sequences",
					ex);
		}
		catch (ExecutionException ex) {
			Throwable cause = ex.getCause();
			if (cause instanceof IdSetupException setupFailure) {
				throw setupFailure;
			}
			throw new IdStoreUnavailableException("Another thread could not open the gapless sequences"
					+ ((cause != null) ? ": " + cause.getMessage() : ""), cause);
		}
	}

	private Address address() {
		try {
			Connection connection = DataSourceUtils.doGetConnection(this.dataSource);
			try {
				DatabaseMetaData database = connection.getMetaData();
				return new Address(database.getURL(), database.getUserName(), connection.getCatalog(),
						connection.getSchema());
			}
			finally {
				DataSourceUtils.doReleaseConnection(connection, this.dataSource);
			}
		}
		catch (SQLException | RuntimeException ex) {
			throw new IdStoreUnavailableException(
					"Cannot identify the database of gapless numbers: " + SqlFailure.describe(ex, this.dataSource), ex);
		}
	}

	/**
	 * A sequence of a generator.
	 *
	 * @param first the first number of the sequence
	 * @param next the number after the last one that this instance has drawn
	 */
	private record Sequence(long first, long next) {

		Sequence withNext(long next) {
			return new Sequence(this.first, next);
		}

	}

	/**
	 * The store of one database.
	 *
	 * @param createdSequences the sequences that are known to exist in the database
	 */
	private record OpenedStore(ScopedGaplessStore store, Map<String, CompletableFuture<Sequence>> createdSequences) {

	}

	/**
	 * Identifies the tables that a connection uses. Two tenants may differ only in their
	 * user or schema.
	 */
	private record Address(@Nullable String url, @Nullable String user, @Nullable String catalog,
			@Nullable String schema) {

	}

}
