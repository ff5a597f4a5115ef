package dev.idspring.data;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Supplier;

import dev.idspring.IdSetupException;
import dev.idspring.entity.EntityIds;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import org.springframework.core.Ordered;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.sql.SqlIdentifier;

/**
 * Gives ids to the entities that Spring Data R2DBC saves. Spring Data decides whether an
 * entity is new before it calls this, so it is inserted although it has an id by then.
 * <p>
 * Who draws an id waits for the store when none is left in memory. A thread that may wait
 * draws by itself; for threads that must not, those of Reactor's event loops among them,
 * a thread of each generator draws, and they go on when the id is there.
 *
 * @since 0.1.0
 */
public final class ReactiveGeneratedIdCallback implements BeforeConvertCallback<Object>, Ordered, AutoCloseable {

	private final GeneratedIdMetadataResolver plans;

	private final GeneratedIds ids;

	private final DrawingThreads threads;

	/**
	 * Create a callback. Neither generators nor mapping contexts are asked for before
	 * they are needed.
	 * @param ids finds generators
	 * @param contexts the mapping contexts of the templates that call this
	 */
	public ReactiveGeneratedIdCallback(Supplier<EntityIds> ids,
			Supplier<? extends List<? extends RelationalMappingContext>> contexts) {
		this(ids, contexts, new DrawingThreads());
	}

	ReactiveGeneratedIdCallback(Supplier<EntityIds> ids,
			Supplier<? extends List<? extends RelationalMappingContext>> contexts, DrawingThreads threads) {
		this.threads = threads;
		this.plans = new GeneratedIdMetadataResolver(ids, contexts);
		this.ids = new GeneratedIds(this.plans);
	}

	/**
	 * Check the entities that are known by now.
	 * @throws IdSetupException if a property that is marked with {@link GeneratedId}
	 * cannot have ids
	 */
	public void check() {
		this.plans.check();
	}

	@Override
	public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
		return Mono.defer(() -> Schedulers.isInNonBlockingThread() ? assignLater(entity) : assignNow(entity));
	}

	private Mono<Object> assignNow(Object entity) {
		return Mono.just(this.ids.assign(entity, GeneratedProperty::next));
	}

	private Mono<Object> assignLater(Object entity) {
		if (!this.ids.isPlanned(entity)) {
			// generators that are made only now open their store
			return Mono.fromCallable(() -> this.ids.missing(entity))
				.subscribeOn(Schedulers.boundedElastic())
				.flatMap((missing) -> draw(entity, missing));
		}
		return draw(entity, this.ids.missing(entity));
	}

	private Mono<Object> draw(Object entity, List<GeneratedProperty> missing) {
		if (missing.isEmpty()) {
			return Mono.just(entity);
		}
		return Flux.fromIterable(missing)
			.concatMap((property) -> this.threads.next(property).map((id) -> new Drawn(property, id)))
			.collectList()
			.map((drawn) -> this.ids.assign(entity, new Stock(drawn)::next));
	}

	@Override
	public int getOrder() {
		return GeneratedIdCallback.ORDER;
	}

	/**
	 * Draw no more ids.
	 */
	@Override
	public void close() {
		this.threads.close();
	}

	private record Drawn(GeneratedProperty property, Object id) {

	}

	/**
	 * The ids that were drawn for an entity.
	 */
	private static final class Stock {

		private final Map<GeneratedProperty, Queue<Object>> ids = new HashMap<>();

		Stock(List<Drawn> drawn) {
			drawn.forEach(
					(one) -> this.ids.computeIfAbsent(one.property(), (property) -> new ArrayDeque<>()).add(one.id()));
		}

		Object next(GeneratedProperty property) {
			Queue<Object> left = this.ids.get(property);
			Object next = (left != null) ? left.poll() : null;
			if (next == null) {
				throw new IllegalStateException("Property '" + property.property().getName() + "' of "
						+ property.property().getOwner().getName()
						+ " lost its id while ids were drawn: an entity must not be changed while it is saved.");
			}
			return next;
		}

	}

}
