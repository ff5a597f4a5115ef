package dev.idspring.jackson;

import dev.idspring.entity.IdFormat;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Writes an id as the name of a property.
 */
final class IdKeySerializer extends StdSerializer<Object> {

	private final IdFormat text;

	IdKeySerializer(IdFormat text, Class<?> type) {
		super(type);
		this.text = text;
	}

	@Override
	public void serialize(Object id, JsonGenerator generator, SerializationContext context) {
		generator.writeName(this.text.format(id));
	}

}
