package dev.idspring.hibernate;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import dev.idspring.entity.EntityIds;
import org.jspecify.annotations.Nullable;

/**
 * Gives the properties annotated with {@link GeneratedId} their generators.
 * <p>
 * That is not done while a session factory is built: where the scripts that create tables
 * wait for it ({@code spring.jpa.defer-datasource-initialization}), the generators wait
 * for the scripts. Properties are taken note of instead, and looked up together when the
 * application has all its beans, or each for itself when its first id is needed before.
 * <p>
 * Session factories find this object as a bean, by the container that Spring gives them,
 * or else under {@link #SETTING} in their settings.
 *
 * @since 0.1.0
 */
public final class GeneratedIds {

	/** The JPA property that has this object as its value. */
	public static final String SETTING = "dev.idspring.hibernate.generated-ids";

	private final Supplier<EntityIds> source;

	private final Queue<EntityIdGenerator> waiting = new ConcurrentLinkedQueue<>();

	private volatile @Nullable EntityIds ids;

	/**
	 * Create it.
	 * @param source gives the generators; not asked before one is needed
	 */
	public GeneratedIds(Supplier<EntityIds> source) {
		this.source = source;
	}

	/**
	 * Look up the generators of all properties that wait for theirs. Those of session
	 * factories that are built afterwards are looked up at once.
	 * @throws dev.idspring.IdSetupException if a property names a generator that there is
	 * not; the message names the property and the known generators
	 */
	public void resolve() {
		EntityIds ids = ids();
		for (EntityIdGenerator next = this.waiting.poll(); next != null; next = this.waiting.poll()) {
			next.resolve(ids);
		}
	}

	void add(EntityIdGenerator generator) {
		this.waiting.add(generator);
		if (this.ids != null) {
			resolve();
		}
	}

	EntityIds ids() {
		EntityIds ids = this.ids;
		if (ids == null) {
			ids = this.source.get();
			this.ids = ids;
		}
		return ids;
	}

}
