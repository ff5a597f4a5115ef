package dev.idspring.annotation;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import dev.idspring.IdGenerators;

/**
 * Connects Hibernate's session factories with the application's id generators.
 * <p>
 * Generators are not looked up while a session factory is built: where the scripts that
 * create tables wait for it ({@code spring.jpa.defer-datasource-initialization}), the
 * generators wait for the scripts. Properties are recorded instead, and resolved together
 * once the application has all its beans. A property that needs an id earlier resolves
 * its own generator.
 * <p>
 * Session factories find this object as a bean, through the container that Spring gives
 * them, or else under {@link #SETTING} in their settings.
 *
 * @since 0.1.0
 */
public final class GeneratedIds {

	/** The JPA property that has this object as its value. */
	public static final String SETTING = "dev.idspring.generated-ids";

	private final Supplier<IdGenerators> generators;

	private final Queue<IdSource> unresolved = new ConcurrentLinkedQueue<>();

	private volatile boolean started;

	/**
	 * Create the connection.
	 * @param generators supplies the generators; called when the first one is needed
	 */
	public GeneratedIds(Supplier<IdGenerators> generators) {
		this.generators = generators;
	}

	/**
	 * Look up the generators of all recorded properties. Those of session factories that
	 * are built later are looked up at once.
	 * @throws dev.idspring.IdSetupException if a property names a generator that does not
	 * exist
	 */
	public void resolve() {
		this.started = true;
		for (IdSource next = this.unresolved.poll(); next != null; next = this.unresolved.poll()) {
			next.resolve();
		}
	}

	IdSource add(GeneratedId annotation, Class<?> type, String property) {
		IdSource source = new IdSource(annotation, type, property, this.generators);
		this.unresolved.add(source);
		if (this.started) {
			resolve();
		}
		return source;
	}

}
