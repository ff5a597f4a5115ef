package dev.idspring.entity;

import org.jspecify.annotations.Nullable;

/**
 * Knows in which tables entities are kept. Each library that maps entities has one.
 *
 * @since 0.1.0
 */
public interface EntityTables {

	/**
	 * Return the table of the properties that an entity declares.
	 * @param entity the entity's class
	 * @return the table's name, without schema and quotes, or {@code null} if this is no
	 * entity of the library, or its class alone does not tell: it is embedded in others,
	 * has several tables, or is mapped several times and has a different one each time
	 */
	@Nullable String tableOf(Class<?> entity);

	/**
	 * Return the table that an entity's id is generated for, which is another one where a
	 * superclass is kept in a table of its own.
	 * @param entity the entity's class
	 * @return the table's name, without schema and quotes, or {@code null} if this is no
	 * entity of the library, or is mapped several times and has a different one each time
	 */
	default @Nullable String tableOfId(Class<?> entity) {
		return tableOf(entity);
	}

}
