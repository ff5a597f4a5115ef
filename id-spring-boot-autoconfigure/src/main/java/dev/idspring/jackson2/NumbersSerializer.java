package dev.idspring.jackson2;

import java.io.IOException;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.idspring.entity.IdText;

/**
 * Writes an array of numbers, which Jackson does not ask a serializer of elements for.
 */
final class NumbersSerializer extends StdSerializer<long[]> {

	private final IdText text;

	NumbersSerializer(IdText text) {
		super(long[].class);
		this.text = text;
	}

	@Override
	public void serialize(long[] ids, JsonGenerator generator, SerializerProvider context) throws IOException {
		generator.writeStartArray(ids, ids.length);
		for (long id : ids) {
			generator.writeString(this.text.format(id));
		}
		generator.writeEndArray();
	}

}
