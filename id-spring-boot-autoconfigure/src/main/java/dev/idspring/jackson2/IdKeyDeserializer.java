package dev.idspring.jackson2;

import java.io.IOException;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.KeyDeserializer;
import dev.idspring.entity.IdText;

/**
 * Reads an id from the name of a property.
 */
final class IdKeyDeserializer extends KeyDeserializer {

	private final IdText text;

	private final Class<?> type;

	IdKeyDeserializer(IdText text, Class<?> type) {
		this.text = text;
		this.type = type;
	}

	@Override
	public Object deserializeKey(String key, DeserializationContext context) throws IOException {
		try {
			return this.text.parse(key);
		}
		catch (IllegalArgumentException ex) {
			return context.reportInputMismatch(this.type, "%s", ex.getMessage());
		}
	}

}
