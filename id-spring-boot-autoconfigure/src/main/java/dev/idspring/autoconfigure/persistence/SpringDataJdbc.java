package dev.idspring.autoconfigure.persistence;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.core.convert.JdbcCustomConversions;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.jdbc.core.JdbcOperations;

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
		return JdbcCustomConversions.of((JdbcDialect) dialect, converters);
	}

	/**
	 * Return the JDBC operations that a template uses, or {@code null} if they are
	 * unknown. In this version of Spring Data, they are always known.
	 */
	static @Nullable JdbcOperations jdbcOperations(JdbcAggregateOperations template) {
		return template.getDataAccessStrategy().getJdbcOperations().getJdbcOperations();
	}

}
