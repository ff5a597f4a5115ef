package dev.idspring.data;

import dev.idspring.IdGenerator;
import dev.idspring.entity.IdRepresentation;
import org.springframework.data.mapping.PersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * A property that gets ids.
 *
 * @param property the property
 * @param generator where its ids come from
 * @param form how it keeps them
 */
record GeneratedProperty(RelationalPersistentProperty property, IdGenerator generator, IdRepresentation form) {

	/**
	 * Whether an entity has no id there yet.
	 */
	boolean isMissing(PersistentEntity<?, ?> entity, Object bean) {
		return IdRepresentation.isMissing(entity.getPropertyAccessor(bean).getProperty(this.property),
				this.property.getType());
	}

	/**
	 * Draw the next id. The number 0 is left out: Spring Data would take it for none, and
	 * leave it to the database to assign one.
	 */
	Object next() {
		return this.form.nextNonZero(this.generator);
	}

}
