package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.util.Map;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The key columns of the tables in the application's schema, including those whose
 * numbers the database assigns. The endpoint and the health show them if
 * {@code id-spring-boot-tools} watches them.
 *
 * @since 0.1.0
 */
public interface WatchedColumns {

	/**
	 * Describe the columns for the endpoint.
	 * @param timeout how long to wait for the database
	 * @return the response of the endpoint
	 */
	OperationResponseBody describe(Duration timeout);

	/**
	 * Return the last known state of the columns for the health. Does not wait for the
	 * database.
	 * @return the details of the health
	 */
	Map<String, Object> health();

}
