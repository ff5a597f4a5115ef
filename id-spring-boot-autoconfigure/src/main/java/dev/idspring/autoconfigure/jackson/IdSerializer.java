package dev.idspring.autoconfigure.jackson;

import dev.idspring.autoconfigure.persistence.IdFormat;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/**
 * Writes an id as a string.
 */
final class IdSerializer extends StdScalarSerializer<Object> {

	private final IdFormat format;

	IdSerializer(IdFormat format, Class<?> type) {
		super(type, false);
		this.format = format;
	}

	@Override
	public void serialize(Object id, JsonGenerator generator, SerializationContext context) {
		generator.writeString(this.format.format(id));
	}

	@Override
	public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type) {
		visitStringFormat(visitor, type);
	}

}
