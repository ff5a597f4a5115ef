package dev.idspring.autoconfigure.persistence;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdSource;
import dev.idspring.autoconfigure.persistence.GeneratedIdMetadata.Generated;
import org.jspecify.annotations.Nullable;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Determines once for each entity type which of its properties get ids. Mapping contexts
 * and generators are looked up late, because templates request the callbacks that use
 * this before either exists.
 */
final class GeneratedIdMetadataResolver {

	private final Supplier<IdGenerators> generators;

	private final SingletonSupplier<List<? extends RelationalMappingContext>> contexts;

	private final Map<RelationalPersistentEntity<?>, GeneratedIdMetadata> known = new ConcurrentHashMap<>();

	GeneratedIdMetadataResolver(Supplier<IdGenerators> generators,
			Supplier<? extends List<? extends RelationalMappingContext>> contexts) {
		this.generators = generators;
		this.contexts = SingletonSupplier.of(contexts::get);
	}

	/**
	 * Return the metadata of the root of an aggregate.
	 * @param type the class of the root
	 * @return the metadata, {@code null} if this is not an entity type
	 * @throws IdSetupException if a property cannot have ids
	 */
	@Nullable GeneratedIdMetadata of(Class<?> type) {
		RelationalMappingContext context = contextOf(type);
		return (context != null) ? of(context, context.getPersistentEntity(type)) : null;
	}

	/**
	 * Return the metadata of an entity within an aggregate. The entity may be of a
	 * subtype of the declared type: Spring Data inserts it as such.
	 */
	@Nullable GeneratedIdMetadata of(RelationalMappingContext context, Class<?> type) {
		return of(context, context.getPersistentEntity(type));
	}

	/**
	 * Return the mapping context of a type. If several know it, any of them will do:
	 * their properties carry the same annotations. If none does, because the template
	 * that saves has a context that is not a bean, take the first.
	 */
	private @Nullable RelationalMappingContext contextOf(Class<?> type) {
		List<? extends RelationalMappingContext> contexts = this.contexts.obtain();
		for (RelationalMappingContext context : contexts) {
			if (context.hasPersistentEntityFor(type)) {
				return context;
			}
		}
		return contexts.isEmpty() ? null : contexts.get(0);
	}

	private @Nullable GeneratedIdMetadata of(RelationalMappingContext context,
			@Nullable RelationalPersistentEntity<?> entity) {
		if (entity == null) {
			return null;
		}
		GeneratedIdMetadata known = this.known.get(entity);
		if (known == null) {
			known = inspect(context, entity);
			this.known.put(entity, known);
		}
		return known;
	}

	/**
	 * Check all entities that the mapping contexts know by now, and look up their
	 * generators.
	 * @throws IdSetupException if a property cannot have ids
	 */
	void check() {
		for (RelationalMappingContext context : this.contexts.obtain()) {
			// a copy: an inspection may add entities
			for (RelationalPersistentEntity<?> entity : List.copyOf(context.getPersistentEntities())) {
				GeneratedIdMetadata metadata = of(context, entity);
				if (metadata != null) {
					metadata.generated().forEach((generated) -> generated.source().resolve());
				}
			}
		}
	}

	private GeneratedIdMetadata inspect(RelationalMappingContext context, RelationalPersistentEntity<?> entity) {
		List<Generated> generated = new ArrayList<>();
		List<RelationalPersistentProperty> nested = new ArrayList<>();
		for (RelationalPersistentProperty property : entity) {
			GeneratedId annotation = property.findAnnotation(GeneratedId.class);
			if (annotation != null) {
				generated.add(generated(entity, property, annotation));
			}
			else if (leadsToIds(context, property, new HashSet<>())) {
				nested.add(property);
			}
		}
		return new GeneratedIdMetadata(context, entity, List.copyOf(generated), List.copyOf(nested));
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

	private Generated generated(RelationalPersistentEntity<?> entity, RelationalPersistentProperty property,
			GeneratedId annotation) {
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
		return new Generated(property, new IdSource(annotation, property.getType(), description, this.generators));
	}

}
