package dev.idspring.autoconfigure.actuate;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.idspring.IdDescription;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What an id says about itself. Ids are strings, since JavaScript cannot hold all longs.
 *
 * @param id the numeric form
 * @param text the text form
 * @param ordinal the place in the order of the key space (block strategies)
 * @param reserved whether the id is reserved already (block strategies), absent if the
 * store does not answer
 * @param time the instant the id carries (time strategies)
 * @param node the node that made the id (time strategies)
 * @param tail what tells ids of the same node and instant apart (time strategies)
 * @since 0.1.0
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record IdDescriptor(String id, String text, @Nullable Long ordinal, @Nullable Boolean reserved,
		@Nullable Instant time, @Nullable Long node, @Nullable Long tail) implements OperationResponseBody {

	static IdDescriptor of(IdDescription description) {
		return new IdDescriptor(Long.toUnsignedString(description.id()), description.text(), description.ordinal(),
				description.reserved(), description.time(), description.node(), description.tail());
	}

}
