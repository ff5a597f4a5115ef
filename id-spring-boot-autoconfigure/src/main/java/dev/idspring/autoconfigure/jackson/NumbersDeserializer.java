package dev.idspring.autoconfigure.jackson;

import java.util.stream.LongStream;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/**
 * Reads an array of numbers, for which Jackson uses no deserializer of elements.
 */
final class NumbersDeserializer extends StdDeserializer<long[]> {

	private final IdDeserializer element;

	NumbersDeserializer(IdDeserializer element) {
		super(long[].class);
		this.element = element;
	}

	@Override
	public long[] deserialize(JsonParser parser, DeserializationContext context) {
		if (!parser.isExpectedStartArrayToken()) {
			return (long[]) context.handleUnexpectedToken(getValueType(context), parser);
		}
		LongStream.Builder ids = LongStream.builder();
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			// null is refused like everything else that is not a string
			ids.add((Long) this.element.deserialize(parser, context));
		}
		return ids.build().toArray();
	}

}
