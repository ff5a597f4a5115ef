package dev.idspring.neighbours.datarest;

import java.io.Serializable;
import java.util.Objects;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import dev.idspring.autoconfigure.web.IdEntityConverter;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.data.rest.webmvc.ResourceNotFoundException;
import org.springframework.data.rest.webmvc.spi.BackendIdConverter;

/**
 * Writes and reads the ids in the URLs of Spring Data REST. This converter supports the
 * entities that {@link IdEntityConverter} converts. Text that is not an id is treated as
 * the id of an entity that does not exist.
 */
final class IdRestConverter implements BackendIdConverter {

	private final IdEntityConverter entities;

	/**
	 * Create a converter.
	 * @param entities finds the ids of entities
	 */
	IdRestConverter(IdEntityConverter entities) {
		this.entities = entities;
	}

	@Override
	public boolean supports(Class<?> entityType) {
		return find(entityType) != null;
	}

	@Override
	public Serializable fromRequestId(String id, Class<?> entityType) {
		Object parsed;
		try {
			parsed = parse(format(entityType), id, entityType);
		}
		catch (IllegalArgumentException ex) {
			throw new ResourceNotFoundException(ex.getMessage(), ex);
		}
		if (parsed instanceof Serializable serializable) {
			return serializable;
		}
		throw new IdSetupException(
				"The id of " + entityType.getName() + " is a " + parsed.getClass().getName()
						+ ", which is not Serializable. Spring Data REST requires Serializable ids.",
				"Make the class of the id implement Serializable.");
	}

	/**
	 * Parse an id. A key that the generator did not create is accepted only if a row with
	 * this key exists. Otherwise, a PUT request could create such a row.
	 */
	private Object parse(IdFormat format, String id, Class<?> entityType) {
		try {
			return format.parse(id);
		}
		catch (IllegalArgumentException ex) {
			Object key = format.parseKey(id);
			if (this.entities.read(key, entityType) == null) {
				throw ex;
			}
			return key;
		}
	}

	/**
	 * {@inheritDoc}
	 *
	 * A {@code String} is returned unchanged, because {@link IdEntityLookup} has already
	 * converted it.
	 */
	@Override
	public String toRequestId(Serializable id, Class<?> entityType) {
		return (id instanceof String text) ? text
				: format(entityType).formatKey((id instanceof Integer number) ? number.longValue() : id);
	}

	/**
	 * Return the text form of an entity's id.
	 */
	String textOf(Object entity, Class<?> entityType) {
		Object id = this.entities.idOf(entity, entityType);
		if (id == null) {
			throw new IllegalArgumentException("This entity of type " + entityType.getName() + " has no id yet");
		}
		return format(entityType).formatKey(id);
	}

	@Nullable IdFormat find(Class<?> entityType) {
		return this.entities.find(TypeDescriptor.valueOf(entityType));
	}

	private IdFormat format(Class<?> entityType) {
		return Objects.requireNonNull(find(entityType),
				() -> "The ids of " + entityType.getName() + " are not converted");
	}

}
