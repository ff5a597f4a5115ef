package dev.idspring.autoconfigure.jackson;

import dev.idspring.autoconfigure.persistence.IdFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/**
 * Reads an id from a string only.
 */
final class IdDeserializer extends StdScalarDeserializer<Object> {

	private final IdFormat format;

	private final boolean primitive;

	IdDeserializer(IdFormat format, Class<?> type) {
		super(type);
		this.format = format;
		this.primitive = type.isPrimitive();
	}

	@Override
	public Object deserialize(JsonParser parser, DeserializationContext context) {
		if (!parser.hasToken(JsonToken.VALUE_STRING)) {
			return context.reportInputMismatch(this, "%s", this.format.refusal(String.valueOf(parser.currentToken())));
		}
		try {
			return this.format.parse(parser.getString());
		}
		catch (IllegalArgumentException ex) {
			return context.reportInputMismatch(this, "%s", ex.getMessage());
		}
	}

	@Override
	public @Nullable Object getNullValue(DeserializationContext context) {
		if (!this.primitive) {
			return null;
		}
		if (context.isEnabled(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)) {
			return context.reportInputMismatch(this, "%s", this.format.refusal("null"));
		}
		return 0L;
	}

}
