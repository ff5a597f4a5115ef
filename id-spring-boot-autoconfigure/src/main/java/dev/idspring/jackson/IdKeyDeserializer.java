package dev.idspring.jackson;

import dev.idspring.entity.IdFormat;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;

/**
 * Reads an id from the name of a property.
 */
final class IdKeyDeserializer extends KeyDeserializer {

	private final IdFormat text;

	private final Class<?> type;

	IdKeyDeserializer(IdFormat text, Class<?> type) {
		this.text = text;
		this.type = type;
	}

	@Override
	public Object deserializeKey(String key, DeserializationContext context) {
		try {
			return this.text.parse(key);
		}
		catch (IllegalArgumentException ex) {
			return context.reportInputMismatch(this.type, "%s", ex.getMessage());
		}
	}

}
