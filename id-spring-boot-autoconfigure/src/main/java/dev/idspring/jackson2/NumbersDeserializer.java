package dev.idspring.jackson2;

import java.io.IOException;
import java.util.stream.LongStream;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;

/**
 * Reads an array of numbers, which Jackson does not ask a deserializer of elements for.
 */
final class NumbersDeserializer extends StdDeserializer<long[]> {

	private final IdDeserializer element;

	NumbersDeserializer(IdDeserializer element) {
		super(long[].class);
		this.element = element;
	}

	@Override
	public long[] deserialize(JsonParser parser, DeserializationContext context) throws IOException {
		if (!parser.isExpectedStartArrayToken()) {
			return (long[]) context.handleUnexpectedToken(getValueType(context), parser);
		}
		LongStream.Builder ids = LongStream.builder();
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			// null has no place among numbers and is refused like all that is no string
			ids.add((Long) this.element.deserialize(parser, context));
		}
		return ids.build().toArray();
	}

}
