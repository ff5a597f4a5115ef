package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.util.Map;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The key columns that the application monitors: the single-column primary keys in its
 * schema, and other columns whose numbers the database generates. The endpoint and the
 * health indicator show them if {@code id-spring-boot-tools} is present and
 * {@code ids.columns.watch} is {@code true}.
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
	 * Return the last known state of the columns for the health indicator, without
	 * waiting for the database.
	 * @return the details to show in the health response
	 */
	Map<String, Object> healthDetails();

}
