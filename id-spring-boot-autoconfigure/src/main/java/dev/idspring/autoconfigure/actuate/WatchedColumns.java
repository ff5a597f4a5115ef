package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.util.Map;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint and the health of the generators show of the keys of tables that
 * others number, if the tools watch them.
 *
 * @since 0.1.0
 */
public interface WatchedColumns {

	/**
	 * Describe the columns, for the endpoint.
	 * @param timeout how long they may be read
	 * @return the answer of the endpoint
	 */
	OperationResponseBody describe(Duration timeout);

	/**
	 * Return what is known of the columns, for the health. Reads nothing itself.
	 * @return the details
	 */
	Map<String, Object> health();

}
