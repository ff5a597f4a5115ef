package dev.idspring.jackson2;

import java.io.IOException;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import dev.idspring.entity.IdText;
import org.jspecify.annotations.Nullable;

/**
 * Reads an id from a string, and from nothing else.
 */
final class IdDeserializer extends StdScalarDeserializer<Object> {

	private final IdText text;

	private final boolean primitive;

	IdDeserializer(IdText text, Class<?> type) {
		super(type);
		this.text = text;
		this.primitive = type.isPrimitive();
	}

	@Override
	public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
		if (!parser.hasToken(JsonToken.VALUE_STRING)) {
			return context.reportInputMismatch(this, "%s", this.text.refusal(String.valueOf(parser.currentToken())));
		}
		try {
			return this.text.parse(parser.getText());
		}
		catch (IllegalArgumentException ex) {
			return context.reportInputMismatch(this, "%s", ex.getMessage());
		}
	}

	@Override
	public @Nullable Object getNullValue(DeserializationContext context) throws JsonMappingException {
		if (!this.primitive) {
			return null;
		}
		if (context.isEnabled(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)) {
			return context.reportInputMismatch(this, "%s", this.text.refusal("null"));
		}
		return 0L;
	}

}
