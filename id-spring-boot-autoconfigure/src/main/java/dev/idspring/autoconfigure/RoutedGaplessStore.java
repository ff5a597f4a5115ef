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
 * Numbers of a DataSource that routes and has no target at start, as where each tenant
 * has a database: there are a store and sequences in each of the databases.
 * <ol>
 * <li>A store is opened, and its sequence created, at the first draw in its database. On
 * the thread that draws, which decides where the DataSource leads.</li>
 * <li>The connection of the caller's transaction knows its database, user and
 * schema.</li>
 * <li>What watches a generator has no tenant: it sees what this instance has drawn last,
 * and no scopes.</li>
 * </ol>
 */
final class RoutedGaplessStore implements ScopedGaplessStore {

	private final DataSource dataSource;

	/** Verifies rows at start. Never draws. */
	private final ScopedGaplessStore unopened;

	private final Supplier<Deadline> deadlines;

	private final Function<Deadline, ? extends ScopedGaplessStore> opening;

	private final Map<Address, CompletableFuture<OpenedStore>> opened = new ConcurrentHashMap<>();

	private final Map<String, Sequence> sequences = new ConcurrentHashMap<>();

	/**
	 * Create a store.
	 * @param dataSource that of the callers' transactions
	 * @param unopened a store for it that has never reached a database
	 * @param deadlines says how long opening may take where a caller does not
	 * @param opening opens a store where the DataSource leads on this thread
	 */
	RoutedGaplessStore(DataSource dataSource, ScopedGaplessStore unopened, Supplier<Deadline> deadlines,
			Function<Deadline, ? extends ScopedGaplessStore> opening) {
		this.dataSource = dataSource;
		this.unopened = unopened;
		this.deadlines = deadlines;
		this.opening = opening;
	}

	@Override
	public void create(String name, long first, Deadline deadline) {
		this.sequences.put(name, new Sequence(first, first));
	}

	@Override
	public Draw draw(String name, int count, long last, Deadline deadline) {
		OpenedStore here = here(deadline);
		Sequence sequence = this.sequences.get(name);
		if (sequence != null) {
			once(here.created, name, deadline, () -> {
				here.store.create(name, sequence.first, deadline);
				return sequence;
			});
		}
		Draw draw = here.store.draw(name, count, last, deadline);
		this.sequences.computeIfPresent(name,
				(same, known) -> draw.granted() ? known.drawn(draw.first() + count) : known);
		return draw;
	}

	@Override
	public ScopedDraw draw(Draws draws, IdScope scope, Deadline deadline) {
		return here(deadline).store.draw(draws, scope, deadline);
	}

	@Override
	public void refuseCommit(String name, IdScope scope, RuntimeException failure) {
		here(this.deadlines.get()).store.refuseCommit(name, scope, failure);
	}

	@Override
	public long start(Draws draws, IdScope scope, long start, Deadline deadline) {
		return here(deadline).store.start(draws, scope, start, deadline);
	}

	@Override
	public void verifyInsert(String name, Insert insert) {
		here(this.deadlines.get()).store.verifyInsert(name, insert);
	}

	@Override
	public void verifyInserts(String name, String row, Collection<DataSource> dataSources) {
		this.unopened.verifyInserts(name, row, dataSources);
	}

	@Override
	public long next(String name, Deadline deadline) {
		Sequence sequence = this.sequences.get(name);
		if (sequence == null) {
			return here(deadline).store.next(name, deadline);
		}
		return sequence.next;
	}

	@Override
	public OptionalLong next(String name, IdScope scope, Deadline deadline) {
		return here(deadline).store.next(name, scope, deadline);
	}

	@Override
	public Scopes scopes(String name, String period, Deadline deadline) {
		try {
			return here(deadline).store.scopes(name, period, deadline);
		}
		catch (IdStoreUnavailableException ex) {
			if (SqlFailure.isUnrouted(ex)) {
				return new Scopes(0, deadline.timeSource().instant());
			}
			throw ex;
		}
	}

	@Override
	public List<ScopeState> list(String name, String period, @Nullable String after, int count, Deadline deadline) {
		return here(deadline).store.list(name, period, after, count, deadline);
	}

	private OpenedStore here(Deadline deadline) {
		return once(this.opened, address(), deadline,
				() -> new OpenedStore(this.opening.apply(deadline), new ConcurrentHashMap<>()));
	}

	/**
	 * Return what one thread makes and others wait for, as each of them holds a
	 * connection and that one needs another. They wait for half of their time at most: if
	 * they hold the whole pool, that is what it takes to get one.
	 */
	private static <K, V> V once(Map<K, CompletableFuture<V>> made, K key, Deadline deadline, Supplier<V> making) {
		CompletableFuture<V> own = new CompletableFuture<>();
		CompletableFuture<V> other = made.putIfAbsent(key, own);
		if (other != null) {
			return await(other, deadline);
		}
		try {
			V value = making.get();
			own.complete(value);
			return value;
		}
		catch (Throwable ex) {
			made.remove(key, own);
			own.completeExceptionally(ex);
			throw ex;
		}
	}

	private static <V> V await(CompletableFuture<V> made, Deadline deadline) {
		try {
			return made.isDone() ? made.get() : made.get(deadline.remaining().toNanos() / 2, TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw new IdStoreUnavailableException("Another thread is still opening gapless numbers in this database."
					+ " It needs a connection besides those of the transactions that wait for it", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IdStoreUnavailableException("Interrupted while another thread opens gapless numbers", ex);
		}
		catch (ExecutionException ex) {
			Throwable cause = ex.getCause();
			if (cause instanceof IdSetupException refused) {
				throw refused;
			}
			throw new IdStoreUnavailableException("Another thread could not open gapless numbers"
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
					"Cannot find the database of gapless numbers: " + SqlFailure.describe(ex, this.dataSource), ex);
		}
	}

	/**
	 * A sequence as its generator wants it.
	 *
	 * @param next what comes after the last number that this instance drew
	 */
	private record Sequence(long first, long next) {

		Sequence drawn(long next) {
			return new Sequence(this.first, next);
		}

	}

	/**
	 * The store of one database.
	 *
	 * @param created the sequences that are known to be there
	 */
	private record OpenedStore(ScopedGaplessStore store, Map<String, CompletableFuture<Sequence>> created) {

	}

	/**
	 * Where the tables of a connection are. Tenants may differ in user or schema only.
	 */
	private record Address(@Nullable String url, @Nullable String user, @Nullable String catalog,
			@Nullable String schema) {

	}

}
