package dev.idspring.data;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * Where ids belong in the entities of a type.
 *
 * @param entity the type
 * @param generated the properties that get ids
 * @param nested the properties below which there are more of these: children, and what is
 * embedded
 */
record GeneratedIdMetadata(RelationalPersistentEntity<?> entity, List<GeneratedProperty> generated,
		List<Nested> nested) {

	/**
	 * A property that holds entities.
	 *
	 * @param property the property
	 * @param place what it holds
	 */
	record Nested(RelationalPersistentProperty property, Place place) {

	}

	/**
	 * A type of entities in a table. What is embedded is in the table of its owner.
	 *
	 * @param context knows the type
	 * @param entity the type
	 * @param owner the type that has the table
	 */
	record Place(RelationalMappingContext context, RelationalPersistentEntity<?> entity,
			RelationalPersistentEntity<?> owner) {

		static Place ofTable(RelationalMappingContext context, RelationalPersistentEntity<?> entity) {
			return new Place(context, entity, entity);
		}

		/**
		 * Return the place of something that is there. It may be of a subtype of what was
		 * declared, and Spring Data inserts it as that.
		 */
		Place of(Class<?> type) {
			RelationalPersistentEntity<?> actual = (type != this.entity.getType())
					? this.context.getPersistentEntity(type) : null;
			if (actual == null) {
				return this;
			}
			return (this.owner == this.entity) ? ofTable(this.context, actual)
					: new Place(this.context, actual, this.owner);
		}

		/**
		 * Return the table. Its name may be an expression, which cannot be evaluated at
		 * any time: ask only if it matters.
		 */
		String table() {
			return this.owner.getTableName().getReference();
		}

		/**
		 * Return the place that a property leads to, {@code null} if it holds no
		 * entities.
		 */
		@Nullable Place of(RelationalPersistentProperty property) {
			if (property.isTransient() || !property.isEntity()) {
				return null;
			}
			RelationalPersistentEntity<?> target = this.context.getPersistentEntity(property);
			if (target == null) {
				return null;
			}
			return property.isEmbedded() ? new Place(this.context, target, this.owner) : ofTable(this.context, target);
		}

		@Override
		public String toString() {
			return this.entity.getName() + ((this.owner != this.entity) ? " in " + this.owner.getName() : "");
		}

	}

}
