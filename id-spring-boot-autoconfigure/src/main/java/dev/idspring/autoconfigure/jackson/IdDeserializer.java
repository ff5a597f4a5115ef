package dev.idspring.autoconfigure.jackson;

import java.util.stream.LongStream;

import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/**
 * Reads an id from a JSON string, or a {@code long} array from an array of strings.
 * Rejects JSON numbers, because clients may have rounded them.
 */
final class IdDeserializer extends StdScalarDeserializer<Object> {

	private final IdFormat format;

	IdDeserializer(IdFormat format, Class<?> type) {
		super(type);
		this.format = format;
	}

	@Override
	public Object deserialize(JsonParser parser, DeserializationContext context) {
		if (handledType() != long[].class) {
			return id(parser, context);
		}
		if (!parser.isExpectedStartArrayToken()) {
			return context.handleUnexpectedToken(getValueType(context), parser);
		}
		LongStream.Builder ids = LongStream.builder();
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			// null is rejected, like everything else that is not a string
			ids.add((Long) id(parser, context));
		}
		return ids.build().toArray();
	}

	private Object id(JsonParser parser, DeserializationContext context) {
		if (!parser.hasToken(JsonToken.VALUE_STRING)) {
			return context.reportInputMismatch(this, "%s",
					this.format.mismatchMessage(String.valueOf(parser.currentToken())));
		}
		return parse(this.format, parser.getString(), handledType(), context);
	}

	static Object parse(IdFormat format, String text, Class<?> type, DeserializationContext context) {
		try {
			return format.parse(text);
		}
		catch (IllegalArgumentException ex) {
			return context.reportInputMismatch(type, "%s", ex.getMessage());
		}
	}

	@Override
	public @Nullable Object getNullValue(DeserializationContext context) {
		if (!handledType().isPrimitive()) {
			return null;
		}
		if (context.isEnabled(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)) {
			return context.reportInputMismatch(this, "%s", this.format.mismatchMessage("null"));
		}
		return 0L;
	}

}
