package dev.idspring.jackson;

import dev.idspring.entity.IdFormat;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/**
 * Writes an id as a string.
 */
final class IdSerializer extends StdScalarSerializer<Object> {

	private final IdFormat text;

	IdSerializer(IdFormat text, Class<?> type) {
		super(type, false);
		this.text = text;
	}

	@Override
	public void serialize(Object id, JsonGenerator generator, SerializationContext context) {
		generator.writeString(this.text.format(id));
	}

	@Override
	public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type) {
		visitStringFormat(visitor, type);
	}

}
