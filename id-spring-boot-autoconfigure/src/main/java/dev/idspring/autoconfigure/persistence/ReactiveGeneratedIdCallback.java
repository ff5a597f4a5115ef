package dev.idspring.autoconfigure.persistence;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.TransactionalIds;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.annotation.GeneratedIds.IdProperty;
import dev.idspring.annotation.GeneratedIds.IdSource;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.sql.SqlIdentifier;

/**
 * Assigns ids to the entities that Spring Data R2DBC saves. Spring Data decides before
 * this callback whether an entity is new, so it inserts one that now has an id.
 * <p>
 * A draw blocks while no id is in memory. A thread that may block draws itself. For
 * Reactor's event loops and other threads that must not block, this callback draws on its
 * own threads: work that waits for the id may block all of Reactor's shared threads.
 * <p>
 * The wait is bounded although draws queue for these threads. When a draw fails because
 * the store does not answer, all earlier queued draws of that generator fail as well,
 * instead of waiting in turn.
 */
final class ReactiveGeneratedIdCallback implements BeforeConvertCallback<Object>, Ordered, AutoCloseable {

	/** A few suffice: draws of one generator wait for the same block. */
	static final int THREADS = 10;

	private static final long IDLE_SECONDS = 10;

	private final GeneratedIdCallback ids;

	private final ThreadPoolExecutor executor;

	private final Scheduler scheduler;

	/** The latest failure of the store, by the name of the generator. */
	private final Map<String, IdStoreUnavailableException> failures = new ConcurrentHashMap<>();

	/**
	 * Create a callback.
	 * @param generators supplies the generators; called when the first id is needed
	 * @param contexts supplies the mapping contexts of the templates that call this
	 * @param check verifies properties at start
	 * @param sql returns names as written in SQL, or {@code null} if that form is unknown
	 * @param threads makes the threads that draw
	 */
	ReactiveGeneratedIdCallback(Supplier<IdGenerators> generators,
			Supplier<? extends List<? extends RelationalMappingContext>> contexts, GeneratedIds.Check check,
			Function<SqlIdentifier, @Nullable String> sql, ThreadFactory threads) {
		this.ids = new GeneratedIdCallback(generators, contexts, (generator, property) -> {
			verifyNoTransaction(generator, property);
			check.verify(generator, property);
		}, sql, () -> null);
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), threads);
		this.executor.allowCoreThreadTimeOut(true);
		this.scheduler = Schedulers.fromExecutor(this::execute);
	}

	/**
	 * Reject ids that need a transaction of the thread: R2DBC has none.
	 */
	private static void verifyNoTransaction(IdGenerator generator, IdProperty property) {
		if (generator instanceof TransactionalIds) {
			throw new IdSetupException(property.name() + " gets numbers of the gapless generator '" + generator.name()
					+ "', which are drawn in a transaction of JDBC, but Spring Data R2DBC inserts its rows in a"
					+ " transaction of R2DBC. If one of the two is rolled back, a number is missing or issued twice.",
					"Use a generator of another strategy, or insert these rows over JDBC.");
		}
	}

	static Thread thread(Runnable task) {
		// without the thread locals of the first subscriber
		Thread thread = new Thread(null, task, "ids-draw", 0, false);
		thread.setDaemon(true);
		thread.setContextClassLoader(ReactiveGeneratedIdCallback.class.getClassLoader());
		return thread;
	}

	/**
	 * Turn errors of threads that cannot start into a signal to the subscriber. Otherwise
	 * Reactor would throw them on the event loop.
	 */
	private void execute(Runnable task) {
		try {
			this.executor.execute(task);
		}
		catch (OutOfMemoryError ex) {
			throw new RejectedExecutionException(ex.getMessage(), ex);
		}
	}

	/**
	 * Check the entities that are known so far.
	 * @throws dev.idspring.IdSetupException if an annotated property cannot have ids
	 */
	void check() {
		this.ids.check();
	}

	@Override
	public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
		return Mono.defer(() -> {
			if (!Schedulers.isInNonBlockingThread()) {
				return Mono.just(this.ids.assign(entity, IdSource::next));
			}
			return this.ids.isIncomplete(entity) ? assignElsewhere(entity) : Mono.just(entity);
		});
	}

	/**
	 * Assign ids on a thread that may block. The rest continues on a thread that must not
	 * block: it would occupy the drawing thread.
	 */
	private Mono<Object> assignElsewhere(Object entity) {
		Map<String, IdStoreUnavailableException> before = Map.copyOf(this.failures);
		return Mono.fromCallable(() -> this.ids.assign(entity, (source) -> next(source, before)))
			.subscribeOn(this.scheduler)
			.onErrorMap(RejectedExecutionException.class, this::unavailable)
			.publishOn(Schedulers.parallel());
	}

	private IdStoreUnavailableException unavailable(RejectedExecutionException ex) {
		return new IdStoreUnavailableException("No thread draws ids: " + (this.executor.isShutdown()
				? "the application is closed." : NestedExceptionUtils.getMostSpecificCause(ex).getMessage()), ex);
	}

	private Object next(IdSource source, Map<String, IdStoreUnavailableException> before) {
		String generator = source.generatorName();
		IdStoreUnavailableException latest = this.failures.get(generator);
		if (latest != null && latest != before.get(generator)) {
			// a new exception for each: Reactor adds to it where it was observed
			throw new IdStoreUnavailableException(String.valueOf(latest.getMessage()), latest.getCause());
		}
		try {
			return source.next();
		}
		catch (IdStoreUnavailableException ex) {
			this.failures.put(generator, ex);
			throw ex;
		}
	}

	@Override
	public int getOrder() {
		return GeneratedIdCallback.ORDER;
	}

	/**
	 * Stop drawing ids.
	 */
	@Override
	public void close() {
		this.executor.shutdown();
	}

}
