package dev.idspring.autoconfigure.jackson;

import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.ser.std.StdScalarSerializer;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Writes an id as a string, or an array of {@code long} as an array of strings.
 */
final class IdSerializer extends StdScalarSerializer<Object> {

	private final IdFormat format;

	IdSerializer(IdFormat format, Class<?> type) {
		super(type, false);
		this.format = format;
	}

	@Override
	public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
		if (!(value instanceof long[] ids)) {
			generator.writeString(this.format.format(value));
			return;
		}
		generator.writeStartArray(ids, ids.length);
		for (long id : ids) {
			generator.writeString(this.format.format(id));
		}
		generator.writeEndArray();
	}

	@Override
	public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type) {
		visitStringFormat(visitor, type);
	}

	/**
	 * Writes an id as the name of a property.
	 */
	static final class OfKeys extends StdSerializer<Object> {

		private final IdFormat format;

		OfKeys(IdFormat format, Class<?> type) {
			super(type);
			this.format = format;
		}

		@Override
		public void serialize(Object id, JsonGenerator generator, SerializationContext context) {
			generator.writeName(this.format.format(id));
		}

	}

}
