package dev.idspring.jackson2;

import java.io.IOException;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.idspring.entity.IdText;

/**
 * Writes an id as the name of a property.
 */
final class IdKeySerializer extends StdSerializer<Object> {

	private final IdText text;

	IdKeySerializer(IdText text, Class<?> type) {
		super(type, false);
		this.text = text;
	}

	@Override
	public void serialize(Object id, JsonGenerator generator, SerializerProvider context) throws IOException {
		generator.writeFieldName(this.text.format(id));
	}

}
