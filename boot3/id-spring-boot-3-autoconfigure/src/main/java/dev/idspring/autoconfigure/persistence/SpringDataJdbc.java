package dev.idspring.autoconfigure.persistence;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.convert.CustomConversions.StoreConversions;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.core.convert.JdbcCustomConversions;
import org.springframework.data.jdbc.core.mapping.JdbcSimpleTypes;
import org.springframework.data.mapping.model.SimpleTypeHolder;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;

/**
 * Calls to Spring Data JDBC that differ between its versions.
 */
final class SpringDataJdbc {

	private SpringDataJdbc() {
	}

	/**
	 * Return Spring Data's default conversions, extended by the given converters.
	 */
	static JdbcCustomConversions conversions(Dialect dialect, List<?> converters) {
		List<Object> storeConverters = new ArrayList<>(dialect.getConverters());
		storeConverters.addAll(JdbcCustomConversions.storeConverters());
		SimpleTypeHolder types = new SimpleTypeHolder(dialect.simpleTypes(), JdbcSimpleTypes.HOLDER);
		return new JdbcCustomConversions(StoreConversions.of(types, storeConverters), converters);
	}

	/**
	 * Return the JDBC operations that a template uses, or {@code null} if they are
	 * unknown. They are read from private fields, because this version of Spring Data
	 * does not expose them.
	 */
	static @Nullable JdbcOperations jdbcOperations(JdbcAggregateOperations template) {
		Object strategy = field(template, "accessStrategy");
		Object delegate = field(strategy, "delegate");
		Object operations = field((delegate != null) ? delegate : strategy, "operations");
		return (operations instanceof NamedParameterJdbcOperations named) ? named.getJdbcOperations() : null;
	}

	private static @Nullable Object field(@Nullable Object object, String name) {
		if (object == null) {
			return null;
		}
		DirectFieldAccessor fields = new DirectFieldAccessor(object);
		return fields.isReadableProperty(name) ? fields.getPropertyValue(name) : null;
	}

}
