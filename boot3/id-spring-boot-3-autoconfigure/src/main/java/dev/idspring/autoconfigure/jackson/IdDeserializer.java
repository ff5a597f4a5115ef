package dev.idspring.autoconfigure.jackson;

import java.io.IOException;
import java.util.stream.LongStream;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import org.jspecify.annotations.Nullable;

/**
 * Reads an id from a JSON string, or a {@code long} array from an array of strings.
 * Rejects JSON numbers, because clients may have rounded them.
 */
final class IdDeserializer extends StdScalarDeserializer<Object> {

	private static final long serialVersionUID = 1L;

	private final transient IdFormat format;

	IdDeserializer(IdFormat format, Class<?> type) {
		super(type);
		this.format = format;
	}

	@Override
	public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
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

	private Object id(JsonParser parser, DeserializationContext context) throws IOException {
		if (!parser.hasToken(JsonToken.VALUE_STRING)) {
			return context.reportInputMismatch(this, "%s", this.format.mismatchMessage(String.valueOf(parser.currentToken())));
		}
		return parse(this.format, parser.getText(), handledType(), context);
	}

	static Object parse(IdFormat format, String text, Class<?> type, DeserializationContext context)
			throws JsonMappingException {
		try {
			return format.parse(text);
		}
		catch (IllegalArgumentException ex) {
			return context.reportInputMismatch(type, "%s", ex.getMessage());
		}
	}

	@Override
	public @Nullable Object getNullValue(DeserializationContext context) throws JsonMappingException {
		if (!handledType().isPrimitive()) {
			return null;
		}
		if (context.isEnabled(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)) {
			return context.reportInputMismatch(this, "%s", this.format.mismatchMessage("null"));
		}
		return 0L;
	}

}
