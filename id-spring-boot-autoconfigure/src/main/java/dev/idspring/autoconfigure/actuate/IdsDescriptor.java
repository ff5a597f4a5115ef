package dev.idspring.autoconfigure.actuate;

import java.util.Map;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * All generators and their store.
 *
 * @param store the store
 * @param generators the generators by name
 * @since 0.1.0
 */
public record IdsDescriptor(StoreDescriptor store,
		Map<String, GeneratorDescriptor> generators) implements OperationResponseBody {

}
