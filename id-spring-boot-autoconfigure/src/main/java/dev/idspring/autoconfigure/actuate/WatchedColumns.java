package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.util.Map;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The key columns of tables that other code numbers, as the endpoint and the health of
 * the generators show them if the tools watch them.
 *
 * @since 0.1.0
 */
public interface WatchedColumns {

	/**
	 * Describe the columns, for the endpoint.
	 * @param timeout the time limit for reading them
	 * @return the answer of the endpoint
	 */
	OperationResponseBody describe(Duration timeout);

	/**
	 * Return the known state of the columns, for the health. Reads nothing itself.
	 * @return the details
	 */
	Map<String, Object> health();

}
