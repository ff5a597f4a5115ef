package dev.idspring.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.util.ClassUtils;

/**
 * The names of all properties, below their prefix, as the records that they are bound to
 * say.
 */
final class PropertyNames {

	private static final String NEEDED_BY_JDBC = "org.springframework.boot.sql.init.DatabaseInitializationMode";

	private final List<String> all = new ArrayList<>();

	private final List<String> ofGenerators = new ArrayList<>();

	PropertyNames() {
		collect(GeneratorProperties.class, "", this.ofGenerators);
		collect(IdsProperties.class, "", this.all);
		if (isJdbcKnown()) {
			collect(IdsJdbcProperties.class, "jdbc.", this.all);
		}
	}

	/**
	 * Return whether the properties below {@code ids.jdbc} can be told at all: they have
	 * types that are only there with JDBC.
	 */
	boolean isJdbcKnown() {
		return ClassUtils.isPresent(NEEDED_BY_JDBC, getClass().getClassLoader());
	}

	/**
	 * Return the properties that may stand below {@code ids}.
	 */
	List<String> all() {
		return this.all;
	}

	/**
	 * Return the properties that may also stand below {@code ids.generators.<name>}.
	 */
	List<String> ofGenerators() {
		return this.ofGenerators;
	}

	private static void collect(Class<?> type, String prefix, List<String> names) {
		for (RecordComponent component : type.getRecordComponents()) {
			String name = prefix + DataObjectPropertyName.toDashedForm(component.getName());
			if (component.getType().isRecord()) {
				collect(component.getType(), name + ".", names);
			}
			else if (component.getType() != Map.class) {
				names.add(name);
			}
		}
	}

}
