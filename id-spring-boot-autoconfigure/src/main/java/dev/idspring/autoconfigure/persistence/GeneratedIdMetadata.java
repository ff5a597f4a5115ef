package dev.idspring.autoconfigure.persistence;

import java.util.List;

import dev.idspring.annotation.IdSource;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * The properties of an entity type that concern ids.
 *
 * @param context the mapping context of the type
 * @param entity the type
 * @param generated the properties that get ids
 * @param nested the properties that hold entities, in which or below which there are more
 */
record GeneratedIdMetadata(RelationalMappingContext context, RelationalPersistentEntity<?> entity,
		List<Generated> generated, List<RelationalPersistentProperty> nested) {

	boolean isEmpty() {
		return this.generated.isEmpty() && this.nested.isEmpty();
	}

	/**
	 * A property that gets ids.
	 *
	 * @param property the property
	 * @param source supplies its ids
	 */
	record Generated(RelationalPersistentProperty property, IdSource source) {

	}

}
