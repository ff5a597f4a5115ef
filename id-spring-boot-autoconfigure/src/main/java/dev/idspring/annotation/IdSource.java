package dev.idspring.annotation;

import java.util.function.Supplier;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import org.jspecify.annotations.Nullable;

/**
 * Supplies the ids of one property that carries {@link GeneratedId @GeneratedId}. It
 * looks its generator up late: generators may wait for scripts that wait for the
 * persistence library.
 *
 * @since 0.1.0
 */
public final class IdSource {

	private static final Long ZERO = 0L;

	private final String name;

	private final Class<?> type;

	private final String property;

	private final Supplier<IdGenerators> generators;

	private volatile @Nullable IdGenerator generator;

	/**
	 * Create a source.
	 * @param annotation the annotation
	 * @param type the type of the property
	 * @param property how messages name the property
	 * @param generators supplies the generators; called when the first id is needed
	 * @throws IdSetupException if a property of this type cannot hold ids
	 */
	public IdSource(GeneratedId annotation, Class<?> type, String property, Supplier<IdGenerators> generators) {
		if (type != long.class && type != Long.class && type != String.class) {
			throw new IdSetupException(
					property + " is annotated with @GeneratedId but is of type " + type.getTypeName()
							+ "; ids need a long, a Long or a String.",
					"Change its type, or remove @GeneratedId and assign its value yourself.");
		}
		this.name = annotation.value().isEmpty() ? "default" : annotation.value();
		this.type = type;
		this.property = property;
		this.generators = generators;
	}

	/**
	 * Return the name of the generator.
	 * @return {@code default}, or a name under {@code ids.generators}
	 */
	public String generatorName() {
		return this.name;
	}

	/**
	 * Look up the generator.
	 * @return the generator
	 * @throws IdSetupException if no generator has the name
	 */
	public IdGenerator resolve() {
		IdGenerator generator = this.generator;
		if (generator == null) {
			generator = find();
			this.generator = generator;
		}
		return generator;
	}

	private IdGenerator find() {
		IdGenerators generators = this.generators.get();
		try {
			return generators.get(this.name);
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
		return value == null || (this.type == long.class && ZERO.equals(value));
	}

	/**
	 * Draw the next id. The number 0 is dropped because persistence libraries take it for
	 * a missing id; its text form is an id like any other.
	 * @return a {@code Long} other than 0, or a {@code String}
	 * @throws IllegalStateException if the generator returns 0 twice
	 */
	public Object next() {
		IdGenerator generator = resolve();
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
