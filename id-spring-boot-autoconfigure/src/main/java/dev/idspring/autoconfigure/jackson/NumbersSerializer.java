package dev.idspring.autoconfigure.jackson;

import dev.idspring.autoconfigure.persistence.IdFormat;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Writes an array of numbers, for which Jackson uses no serializer of elements.
 */
final class NumbersSerializer extends StdSerializer<long[]> {

	private final IdFormat format;

	NumbersSerializer(IdFormat format) {
		super(long[].class);
		this.format = format;
	}

	@Override
	public void serialize(long[] ids, JsonGenerator generator, SerializationContext context) {
		generator.writeStartArray(ids, ids.length);
		for (long id : ids) {
			generator.writeString(this.format.format(id));
		}
		generator.writeEndArray();
	}

}
