package dev.idspring.autoconfigure.persistence;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.annotation.GeneratedIds.IdSource;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.util.StringUtils;

/**
 * The properties of an entity type that concern ids.
 *
 * @param generated the properties that get ids
 * @param nested the properties that hold entities, in which or below which there are more
 */
record GeneratedIdMetadata(List<Generated> generated, List<RelationalPersistentProperty> nested) {

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

	/**
	 * Inspect an entity type.
	 * @throws IdSetupException if a property cannot have ids
	 */
	static GeneratedIdMetadata of(RelationalMappingContext context, RelationalPersistentEntity<?> entity,
			GeneratedIds ids) {
		List<Generated> generated = new ArrayList<>();
		List<RelationalPersistentProperty> nested = new ArrayList<>();
		for (RelationalPersistentProperty property : entity) {
			GeneratedId annotation = property.findAnnotation(GeneratedId.class);
			if (annotation != null) {
				generated.add(generated(entity, property, annotation, ids));
			}
			else if (leadsToIds(context, property, new HashSet<>())) {
				nested.add(property);
			}
		}
		return new GeneratedIdMetadata(List.copyOf(generated), List.copyOf(nested));
	}

	private static boolean leadsToIds(RelationalMappingContext context, RelationalPersistentProperty property,
			Set<RelationalPersistentEntity<?>> seen) {
		RelationalPersistentEntity<?> target = (!property.isTransient() && property.isEntity())
				? context.getPersistentEntity(property) : null;
		if (target == null || !seen.add(target)) {
			return false;
		}
		for (RelationalPersistentProperty below : target) {
			if (below.isAnnotationPresent(GeneratedId.class) || leadsToIds(context, below, seen)) {
				return true;
			}
		}
		return false;
	}

	private static Generated generated(RelationalPersistentEntity<?> entity, RelationalPersistentProperty property,
			GeneratedId annotation, GeneratedIds ids) {
		String description = entity.getName() + "." + property.getName();
		if (property.isImmutable() && property.getWither() == null && !entity.isCreatorArgument(property)) {
			throw new IdSetupException(
					description
							+ " is annotated with @GeneratedId but is final, has no wither, and is not a parameter of"
							+ " the constructor that Spring Data uses.",
					"Make it a parameter of that constructor, which @PersistenceCreator marks where there are several,"
							+ " add a method with" + StringUtils.capitalize(property.getName())
							+ "(…) that returns a copy, or make it not final.");
		}
		return new Generated(property, ids.add(annotation, property.getType(), description));
	}

}
