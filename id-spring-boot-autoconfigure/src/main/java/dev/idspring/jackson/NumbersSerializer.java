package dev.idspring.jackson;

import dev.idspring.entity.IdFormat;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Writes an array of numbers, which Jackson does not ask a serializer of elements for.
 */
final class NumbersSerializer extends StdSerializer<long[]> {

	private final IdFormat text;

	NumbersSerializer(IdFormat text) {
		super(long[].class);
		this.text = text;
	}

	@Override
	public void serialize(long[] ids, JsonGenerator generator, SerializationContext context) {
		generator.writeStartArray(ids, ids.length);
		for (long id : ids) {
			generator.writeString(this.text.format(id));
		}
		generator.writeEndArray();
	}

}
