package dev.idspring.entity;

import java.util.Locale;
import java.util.Set;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import org.jspecify.annotations.Nullable;

/**
 * Finds the generator that the ids of an entity come from: the one that was named; else
 * the one that is named like the entity's table; else the {@code default} one.
 *
 * @since 0.1.0
 */
public final class EntityIds {

	private static final String DEFAULT = "default";

	private final IdGenerators generators;

	/**
	 * Create it.
	 * @param generators all generators of the application
	 */
	public EntityIds(IdGenerators generators) {
		this.generators = generators;
	}

	/**
	 * Tell whether it may depend on the table which generator an entity has.
	 */
	boolean isAmbiguous() {
		return this.generators.names().size() > 1;
	}

	/**
	 * Return the generator of an entity.
	 * @param name the name of the generator, or an empty text to go by the table
	 * @param table the table of the entity, without schema and quotes; upper and lower
	 * case, dashes and underscores make no difference, as they make none between the
	 * names of generators; {@code null} if there is none
	 * @return the generator
	 * @throws IllegalArgumentException if there is none of that name; the message lists
	 * the known ones
	 */
	public IdGenerator generator(String name, @Nullable String table) {
		return this.generators.get(!name.isEmpty() ? name : (table != null) ? nameFor(table) : DEFAULT);
	}

	private String nameFor(String table) {
		Set<String> names = this.generators.names();
		if (names.contains(table)) {
			return table;
		}
		String uniform = uniform(table);
		return names.stream().filter((name) -> uniform.equals(uniform(name))).findFirst().orElse(DEFAULT);
	}

	private static String uniform(String name) {
		return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
	}

}
