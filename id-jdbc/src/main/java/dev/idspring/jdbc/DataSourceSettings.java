package dev.idspring.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.BeansException;

/**
 * The connection settings of a DataSource, read from the bean properties that common
 * pools and drivers have.
 *
 * @param server the host and port, or a comma-separated list of them, as written in the
 * URL; empty if unknown or if there are several URLs with different servers
 * @param timeout how long the pool waits for a connection, empty if unknown
 */
record DataSourceSettings(Optional<String> server, Optional<Duration> timeout) {

	private static final List<String> URL_PROPERTIES = List.of("jdbcUrl", "url", "URL");

	/** HikariCP's property for the connection timeout in milliseconds. */
	private static final List<String> TIMEOUT_PROPERTIES = List.of("connectionTimeout");

	static DataSourceSettings of(@Nullable DataSource dataSource) {
		if (dataSource == null) {
			return new DataSourceSettings(Optional.empty(), Optional.empty());
		}
		List<String> servers = values(dataSource, URL_PROPERTIES, String.class)
			.flatMap((url) -> DatabaseAddress.server(url).stream())
			.distinct()
			.toList();
		return new DataSourceSettings(servers.stream().filter((server) -> servers.size() == 1).findFirst(),
				values(dataSource, TIMEOUT_PROPERTIES, Long.class).map(Duration::ofMillis).findFirst());
	}

	private static <T> Stream<T> values(DataSource dataSource, List<String> properties, Class<T> type) {
		return DataSourceRelation.targets(dataSource)
			.stream()
			.map(BeanWrapperImpl::new)
			.flatMap((bean) -> properties.stream()
				.filter(bean::isReadableProperty)
				.map((property) -> value(bean, property))
				.filter(type::isInstance)
				.map(type::cast));
	}

	private static @Nullable Object value(BeanWrapper bean, String property) {
		try {
			return bean.getPropertyValue(property);
		}
		catch (BeansException ex) {
			return null;
		}
	}

}
