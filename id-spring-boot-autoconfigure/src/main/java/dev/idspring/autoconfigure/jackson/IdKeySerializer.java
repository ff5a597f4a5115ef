package dev.idspring.autoconfigure.jackson;

import dev.idspring.autoconfigure.persistence.IdFormat;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Writes an id as the name of a property.
 */
final class IdKeySerializer extends StdSerializer<Object> {

	private final IdFormat format;

	IdKeySerializer(IdFormat format, Class<?> type) {
		super(type);
		this.format = format;
	}

	@Override
	public void serialize(Object id, JsonGenerator generator, SerializationContext context) {
		generator.writeName(this.format.format(id));
	}

}
