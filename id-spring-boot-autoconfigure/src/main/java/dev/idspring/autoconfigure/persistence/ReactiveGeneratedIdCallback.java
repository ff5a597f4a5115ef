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
 * Assigns ids to the entities that Spring Data R2DBC saves. Spring Data determines
 * whether an entity is new before it calls this callback, so Spring Data still inserts an
 * entity that gets its id here.
 * <p>
 * Drawing an id blocks while no id is in memory. If the calling thread may block, it
 * draws the id itself. If the calling thread must not block, as in an event loop of
 * Reactor, a thread of this callback draws the id. The threads of Reactor's shared
 * schedulers are unsuitable, because tasks that wait for an id may block all of them.
 * <p>
 * Draws wait in a queue for a thread of this callback. If a draw fails because the store
 * is unavailable, all draws of the same generator that were queued before the failure
 * fail as well. Otherwise, they would wait for the store one after another.
 */
final class ReactiveGeneratedIdCallback implements BeforeConvertCallback<Object>, Ordered, AutoCloseable {

	/**
	 * A few threads suffice, because all draws of a generator wait for the same block of
	 * ids.
	 */
	static final int THREADS = 10;

	private static final long IDLE_SECONDS = 10;

	private final GeneratedIdCallback ids;

	private final ThreadPoolExecutor executor;

	private final Scheduler scheduler;

	/**
	 * The latest failure of the store, by the name of the generator.
	 */
	private final Map<String, IdStoreUnavailableException> failures = new ConcurrentHashMap<>();

	/**
	 * Create a callback.
	 * @param generators supplies the generators at each lookup
	 * @param contexts supplies the mapping contexts of the templates that call this
	 * callback
	 * @param check verifies each property, at the latest before its first id is drawn
	 * @param toSql returns an identifier as written in SQL, or {@code null} if that form
	 * is unknown
	 * @param threads creates the threads that draw ids
	 */
	ReactiveGeneratedIdCallback(Supplier<IdGenerators> generators,
			Supplier<? extends List<? extends RelationalMappingContext>> contexts, GeneratedIds.Check check,
			Function<SqlIdentifier, @Nullable String> toSql, ThreadFactory threads) {
		this.ids = new GeneratedIdCallback(generators, contexts, (generator, property) -> {
			verifyNotTransactional(generator, property);
			check.verify(generator, property);
		}, toSql, () -> null);
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), threads);
		this.executor.allowCoreThreadTimeOut(true);
		this.scheduler = Schedulers.fromExecutor(this::execute);
	}

	/**
	 * Reject generators that draw ids in the transaction of the calling thread, because
	 * R2DBC transactions are not bound to a thread.
	 */
	private static void verifyNotTransactional(IdGenerator generator, IdProperty property) {
		if (generator instanceof TransactionalIds) {
			throw new IdSetupException(property.name() + " gets numbers from the gapless generator '" + generator.name()
					+ "', which are drawn in a JDBC transaction, but Spring Data R2DBC inserts the rows in an R2DBC"
					+ " transaction. If only one of the two is rolled back, a number is missing or issued twice.",
					"Use a generator with another strategy, or insert these rows with JDBC.");
		}
	}

	static Thread createThread(Runnable task) {
		// do not inherit the thread locals of the first subscriber
		Thread thread = new Thread(null, task, "ids-draw", 0, false);
		thread.setDaemon(true);
		thread.setContextClassLoader(ReactiveGeneratedIdCallback.class.getClassLoader());
		return thread;
	}

	/**
	 * Execute a task. If no thread can be started, throw an exception that Reactor
	 * signals to the subscriber. Reactor would throw the {@link OutOfMemoryError} itself
	 * on the event loop.
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
	 * @throws dev.idspring.IdSetupException if an annotated property cannot hold ids
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
			return this.ids.isIncomplete(entity) ? assignOnOwnThread(entity) : Mono.just(entity);
		});
	}

	/**
	 * Assign ids on a thread that may block. Downstream operators run on Reactor's
	 * parallel scheduler, so that they do not occupy the thread that draws ids.
	 */
	private Mono<Object> assignOnOwnThread(Object entity) {
		Map<String, IdStoreUnavailableException> earlierFailures = Map.copyOf(this.failures);
		return Mono.fromCallable(() -> this.ids.assign(entity, (source) -> next(source, earlierFailures)))
			.subscribeOn(this.scheduler)
			.onErrorMap(RejectedExecutionException.class, this::unavailable)
			.publishOn(Schedulers.parallel());
	}

	private IdStoreUnavailableException unavailable(RejectedExecutionException ex) {
		return new IdStoreUnavailableException("Cannot draw ids on another thread: " + (this.executor.isShutdown()
				? "the application is closed." : NestedExceptionUtils.getMostSpecificCause(ex).getMessage()), ex);
	}

	private Object next(IdSource source, Map<String, IdStoreUnavailableException> earlierFailures) {
		String generator = source.generatorName();
		IdStoreUnavailableException latest = this.failures.get(generator);
		if (latest != null && latest != earlierFailures.get(generator)) {
			// throw a new exception for each draw, because Reactor may add details of the
			// draw to it
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
	 * Accept no more draws on the threads of this callback. Queued draws still run.
	 */
	@Override
	public void close() {
		this.executor.shutdown();
	}

}
