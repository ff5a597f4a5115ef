package dev.idspring.autoconfigure.jackson;

import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/**
 * Writes an id as a JSON string or as a property name. Writes a {@code long} array as an
 * array of strings.
 */
final class IdSerializer extends StdScalarSerializer<Object> {

	private final IdFormat format;

	private final boolean asPropertyName;

	private IdSerializer(IdFormat format, Class<?> type, boolean asPropertyName) {
		super(type, false);
		this.format = format;
		this.asPropertyName = asPropertyName;
	}

	static IdSerializer ofValues(IdFormat format, Class<?> type) {
		return new IdSerializer(format, type, false);
	}

	static IdSerializer ofKeys(IdFormat format, Class<?> type) {
		return new IdSerializer(format, type, true);
	}

	@Override
	public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
		if (this.asPropertyName) {
			generator.writeName(this.format.format(value));
		}
		else if (value instanceof long[] ids) {
			generator.writeStartArray(ids, ids.length);
			for (long id : ids) {
				generator.writeString(this.format.format(id));
			}
			generator.writeEndArray();
		}
		else {
			generator.writeString(this.format.format(value));
		}
	}

}
