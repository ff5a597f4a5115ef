package dev.idspring.entity;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.idspring.IdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the text form of what carries {@link IdAsString @IdAsString}. The generators are
 * asked for when the first place is looked at, not before.
 *
 * @since 0.1.0
 */
public final class IdFormats {

	private final Supplier<EntityIds> ids;

	private final Iterable<EntityTables> tables;

	private final ConcurrentMap<Class<?>, TypedId> types = new ConcurrentHashMap<>();

	/**
	 * Create it.
	 * @param ids where the generators come from
	 * @param tables know the tables of entities, none if there are no entities
	 */
	public IdFormats(Supplier<EntityIds> ids, Iterable<EntityTables> tables) {
		this.ids = ids;
		this.tables = tables;
	}

	/**
	 * Return the text form of a type that is annotated itself.
	 * @param type any type
	 * @return its text form, or {@code null} if the type is not annotated
	 * @throws IllegalArgumentException if there is no generator of that name, or the type
	 * is none of one value
	 */
	public @Nullable IdFormat ofType(Class<?> type) {
		IdAsString annotation = type.getAnnotation(IdAsString.class);
		if (annotation == null) {
			return null;
		}
		String description = "@IdAsString " + type.getTypeName();
		return typed(generator(annotation.value(), null, description), type, description);
	}

	/**
	 * Return the text form of the ids at a place.
	 * @param place the annotated place
	 * @param type the type of the ids there: of the place itself, or of the elements of a
	 * container
	 * @return their text form
	 * @throws IllegalArgumentException if there is no generator of that name, or ids are
	 * not kept in such a type; the message names the place and the remedy
	 */
	public IdFormat of(IdLocation place, Class<?> type) {
		IdFormat own = ofType(type);
		if (own == null) {
			return text(generator(place), type, place.description());
		}
		String name = place.annotation().value();
		if (!name.isEmpty() && !name.equals(own.generatorName())) {
			throw new IllegalArgumentException(
					place.description() + " names the generator '" + name + "', but its type " + type.getTypeName()
							+ " is an id of '" + own.generatorName() + "': remove one of the two annotations.");
		}
		return own;
	}

	/**
	 * Return the text form of the ids of an entity.
	 * @param entity the entity's class
	 * @param generator the name that {@code @GeneratedId} gives, empty if the table
	 * decides
	 * @param type the type of the id: {@code long}, {@code Long} or {@code String}
	 * @param description how messages name the id
	 * @return their text form
	 * @throws IllegalArgumentException if there is no generator of that name, or ids are
	 * not kept in such a type
	 */
	public IdFormat ofEntity(Class<?> entity, String generator, Class<?> type, String description) {
		return text(generated(generator, table((tables) -> tables.tableOfId(entity)), description), type, description);
	}

	private IdFormat text(IdGenerator generator, Class<?> type, String description) {
		return TypedId.isValue(type) ? new IdFormat(generator, TypedId.formOf(type), null)
				: typed(generator, type, description);
	}

	private IdFormat typed(IdGenerator generator, Class<?> type, String description) {
		TypedId typed = this.types.computeIfAbsent(type, (key) -> TypedId.of(key, description));
		return new IdFormat(generator, typed.form(), typed);
	}

	private IdGenerator generator(IdLocation place) {
		String name = place.annotation().value();
		String generated = name.isEmpty() ? IdLocation.generatedFrom(place.all()) : null;
		if (generated == null) {
			return generator(name, null, place.description());
		}
		Class<?> owner = place.owner();
		return generated(generated, (owner != null) ? table((tables) -> tables.tableOf(owner)) : null,
				place.description());
	}

	private IdGenerator generated(String name, @Nullable String table, String description) {
		if (name.isEmpty() && table == null && this.ids.get().isAmbiguous()) {
			throw new IllegalArgumentException(description
					+ " is an id from the generator of the entity's table, but which table that is cannot be told here:"
					+ " name the generator, as in @GeneratedId(\"orders\") or @IdAsString(\"orders\").");
		}
		return generator(name, table, description);
	}

	private @Nullable String table(Function<EntityTables, @Nullable String> find) {
		for (EntityTables known : this.tables) {
			String table = find.apply(known);
			if (table != null) {
				return table;
			}
		}
		return null;
	}

	private IdGenerator generator(String name, @Nullable String table, String description) {
		try {
			return this.ids.get().generator(name, table);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(description + ": " + ex.getMessage(), ex);
		}
	}

}
