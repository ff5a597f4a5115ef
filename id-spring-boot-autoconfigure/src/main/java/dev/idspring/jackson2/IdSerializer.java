package dev.idspring.jackson2;

import java.io.IOException;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import dev.idspring.entity.IdText;

/**
 * Writes an id as a string.
 */
final class IdSerializer extends StdScalarSerializer<Object> {

	private final IdText text;

	IdSerializer(IdText text, Class<?> type) {
		super(type, false);
		this.text = text;
	}

	@Override
	public void serialize(Object id, JsonGenerator generator, SerializerProvider context) throws IOException {
		generator.writeString(this.text.format(id));
	}

	@Override
	public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type) throws JsonMappingException {
		visitStringFormat(visitor, type);
	}

}
