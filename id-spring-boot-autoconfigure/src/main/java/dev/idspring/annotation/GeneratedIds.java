package dev.idspring.annotation;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import org.jspecify.annotations.Nullable;

/**
 * Connects persistence libraries with the application's id generators.
 * <p>
 * Generators are not looked up while a session factory is built: where the scripts that
 * create tables wait for it ({@code spring.jpa.defer-datasource-initialization}), the
 * generators wait for the scripts. Properties are recorded instead, and resolved together
 * once the application has all its beans. A property that needs an id earlier resolves
 * its own generator.
 * <p>
 * Session factories find this object as a bean, through the container that Spring gives
 * them.
 *
 * @since 0.1.0
 */
public final class GeneratedIds {

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
	 * Look up the generators of all recorded properties. Those of properties that are
	 * added later are looked up at once.
	 * @throws IdSetupException if a property names a generator that does not exist
	 */
	public void resolve() {
		this.started = true;
		for (IdSource next = this.unresolved.poll(); next != null; next = this.unresolved.poll()) {
			next.generator();
		}
	}

	/**
	 * Add a property.
	 * @param annotation its annotation
	 * @param type the type of the property
	 * @param property how messages name the property
	 * @return supplies its ids
	 * @throws IdSetupException if a property of this type cannot hold ids, or if the
	 * generators are known already and it names one that does not exist
	 */
	public IdSource add(GeneratedId annotation, Class<?> type, String property) {
		if (type != long.class && type != Long.class && type != String.class) {
			throw new IdSetupException(
					property + " is annotated with @GeneratedId but is of type " + type.getTypeName()
							+ "; ids need a long, a Long or a String.",
					"Change its type, or remove @GeneratedId and assign its value yourself.");
		}
		IdSource source = new IdSource(annotation.value().isEmpty() ? "default" : annotation.value(), type, property);
		this.unresolved.add(source);
		if (this.started) {
			resolve();
		}
		return source;
	}

	/**
	 * Supplies the ids of one property.
	 */
	public final class IdSource {

		private final String name;

		private final Class<?> type;

		private final String property;

		private volatile @Nullable IdGenerator generator;

		private IdSource(String name, Class<?> type, String property) {
			this.name = name;
			this.type = type;
			this.property = property;
		}

		/**
		 * Return the name of the generator.
		 * @return {@code default}, or a name under {@code ids.generators}
		 */
		public String generatorName() {
			return this.name;
		}

		private IdGenerator generator() {
			IdGenerator generator = this.generator;
			if (generator != null) {
				return generator;
			}
			IdGenerators generators = GeneratedIds.this.generators.get();
			try {
				generator = generators.get(this.name);
				this.generator = generator;
				return generator;
			}
			catch (IllegalArgumentException ex) {
				throw new IdSetupException(
						this.property + " is annotated with @GeneratedId(\"" + this.name + "\"). " + ex.getMessage(),
						"Configure a generator of that name, or name another one in the annotation.", ex);
			}
		}

		/**
		 * Return whether a property has no id yet.
		 * @param value the value of the property
		 * @return whether it is {@code null}, or 0 in a {@code long}
		 */
		public boolean isMissing(@Nullable Object value) {
			return value == null || (this.type == long.class && (Long) value == 0);
		}

		/**
		 * Draw the next id. The number 0 is dropped because persistence libraries take it
		 * for a missing id; its text form is an id like any other.
		 * @return a {@code Long} other than 0, or a {@code String}
		 * @throws IllegalStateException if the generator returns 0 twice
		 * @throws IdSetupException if there is no generator of the name
		 */
		public Object next() {
			IdGenerator generator = generator();
			if (this.type == String.class) {
				return generator.nextString();
			}
			long id = generator.nextLong();
			if (id == 0) {
				id = generator.nextLong();
			}
			if (id == 0) {
				throw new IllegalStateException("Id generator '" + this.name + "' returned the id 0 twice.");
			}
			return id;
		}

	}

}
