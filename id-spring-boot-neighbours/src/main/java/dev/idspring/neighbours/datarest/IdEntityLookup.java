package dev.idspring.neighbours.datarest;

import java.util.Optional;

import dev.idspring.autoconfigure.web.IdEntityConverter;
import org.springframework.data.rest.core.support.EntityLookup;
import org.springframework.data.rest.webmvc.ResourceNotFoundException;

/**
 * Finds the entities of one type to which links in request bodies refer. Spring Data REST
 * does not call the {@link IdRestConverter} for these links. Without this lookup, Spring
 * Data REST would read the text form of an id as a number.
 *
 * @param type the type of the entities
 * @param ids converts the ids of the entities
 * @param entities finds entities by their ids
 */
record IdEntityLookup(Class<?> type, IdRestConverter ids, IdEntityConverter entities) implements EntityLookup<Object> {

	@Override
	public boolean supports(Class<?> entityType) {
		return this.type.isAssignableFrom(entityType);
	}

	@Override
	public Object getResourceIdentifier(Object entity) {
		return this.ids.textOf(entity, this.type);
	}

	@Override
	public Optional<Object> lookupEntity(Object id) {
		try {
			Object parsed = (id instanceof String text) ? this.ids.fromRequestId(text, this.type) : id;
			return Optional.ofNullable(this.entities.read(parsed, this.type));
		}
		catch (ResourceNotFoundException ex) {
			return Optional.empty();
		}
	}

	@Override
	public Optional<String> getLookupProperty() {
		return Optional.empty();
	}

}
