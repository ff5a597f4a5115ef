package dev.idspring.autoconfigure.jackson;

import dev.idspring.autoconfigure.persistence.IdFormat;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;

/**
 * Reads an id from the name of a property.
 */
final class IdKeyDeserializer extends KeyDeserializer {

	private final IdFormat format;

	private final Class<?> type;

	IdKeyDeserializer(IdFormat format, Class<?> type) {
		this.format = format;
		this.type = type;
	}

	@Override
	public Object deserializeKey(String key, DeserializationContext context) {
		try {
			return this.format.parse(key);
		}
		catch (IllegalArgumentException ex) {
			return context.reportInputMismatch(this.type, "%s", ex.getMessage());
		}
	}

}
