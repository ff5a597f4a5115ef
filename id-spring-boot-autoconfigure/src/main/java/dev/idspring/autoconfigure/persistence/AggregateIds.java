package dev.idspring.autoconfigure.persistence;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.IdSource;
import dev.idspring.autoconfigure.persistence.GeneratedIdMetadata.Generated;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CollectionFactory;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * Walks through an aggregate and assigns ids that are missing. Properties are set by
 * Spring Data's accessors, which copy immutable entities. Collections of copied children
 * are replaced by new ones.
 */
final class AggregateIds {

	private final GeneratedIdMetadataResolver resolver;

	/**
	 * Create it.
	 * @param generators supplies the generators; called when the first id is needed
	 * @param contexts supplies the mapping contexts of the templates
	 */
	AggregateIds(Supplier<IdGenerators> generators,
			Supplier<? extends List<? extends RelationalMappingContext>> contexts) {
		this.resolver = new GeneratedIdMetadataResolver(generators, contexts);
	}

	/**
	 * Check the entities that are known by now.
	 * @throws IdSetupException if an annotated property cannot have ids
	 */
	void check() {
		this.resolver.check();
	}

	/**
	 * Assign all ids that are missing.
	 * @param aggregate what is saved
	 * @param draw draws the next id of a property, or returns {@code null} to leave it as
	 * it is
	 * @return the aggregate, or a copy
	 */
	Object assign(Object aggregate, Function<IdSource, @Nullable Object> draw) {
		GeneratedIdMetadata metadata = this.resolver.of(aggregate.getClass());
		return (metadata != null) ? new Walk(draw).through(metadata, aggregate) : aggregate;
	}

	/**
	 * Return whether ids are missing in an aggregate, and change nothing.
	 */
	boolean isIncomplete(Object aggregate) {
		List<IdSource> missing = new ArrayList<>();
		assign(aggregate, (source) -> {
			missing.add(source);
			return null;
		});
		return !missing.isEmpty();
	}

	/**
	 * A walk through an aggregate.
	 */
	private final class Walk {

		private final Function<IdSource, @Nullable Object> draw;

		/** The entities around the current one: entities that refer to each other. */
		private final Set<Object> path = Collections.newSetFromMap(new IdentityHashMap<>());

		private Walk(Function<IdSource, @Nullable Object> draw) {
			this.draw = draw;
		}

		private Object through(GeneratedIdMetadata metadata, Object bean) {
			if (metadata.isEmpty() || !this.path.add(bean)) {
				return bean;
			}
			RelationalPersistentEntity<?> entity = metadata.entity();
			Object result = bean;
			for (Generated generated : metadata.generated()) {
				RelationalPersistentProperty property = generated.property();
				boolean missing = generated.source()
					.isMissing(entity.getPropertyAccessor(result).getProperty(property));
				Object id = missing ? this.draw.apply(generated.source()) : null;
				if (id != null) {
					result = set(entity, result, property, id);
				}
			}
			for (RelationalPersistentProperty property : metadata.nested()) {
				Object value = entity.getPropertyAccessor(result).getProperty(property);
				Object changed = (value != null)
						? throughContent(property, value, (child) -> throughChild(metadata, child)) : null;
				if (changed != value) {
					result = set(entity, result, property, changed);
				}
			}
			this.path.remove(bean);
			return result;
		}

		private Object throughChild(GeneratedIdMetadata parent, Object child) {
			GeneratedIdMetadata metadata = AggregateIds.this.resolver.of(parent.context(), child.getClass());
			return (metadata != null) ? through(metadata, child) : child;
		}

	}

	/**
	 * Set a property, of a copy if it is immutable. A copy by the constructor has its
	 * parameters only. Spring Data makes one after the insert; this one is inserted, so
	 * it needs the other persistent properties as well.
	 */
	private static Object set(RelationalPersistentEntity<?> entity, Object bean, RelationalPersistentProperty property,
			@Nullable Object value) {
		PersistentPropertyAccessor<Object> accessor = entity.getPropertyAccessor(bean);
		accessor.setProperty(property, value);
		Object result = accessor.getBean();
		if (result != bean && property.getWither() == null) {
			PersistentPropertyAccessor<Object> original = entity.getPropertyAccessor(bean);
			for (RelationalPersistentProperty other : entity) {
				Object kept = original.getProperty(other);
				if (other != property && !entity.isCreatorArgument(other)
						&& !Objects.deepEquals(kept, accessor.getProperty(other))) {
					accessor.setProperty(other, kept);
				}
			}
		}
		return result;
	}

	private static Object throughContent(RelationalPersistentProperty property, Object value,
			UnaryOperator<Object> change) {
		if (property.isMap()) {
			return throughMap(property, (Map<?, ?>) value, change);
		}
		if (!property.isCollectionLike()) {
			return change.apply(value);
		}
		if (value instanceof Collection<?> collection) {
			return throughCollection(property, collection, change);
		}
		if (value instanceof Object[] array) {
			return throughArray(array, change);
		}
		throw irreplaceable(property, value);
	}

	private static Object throughMap(RelationalPersistentProperty property, Map<?, ?> map,
			UnaryOperator<Object> change) {
		Map<Object, Object> result = CollectionFactory.createApproximateMap(map, map.size());
		boolean replaced = false;
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			Object child = change.apply(Objects.requireNonNull(entry.getValue()));
			replaced |= child != entry.getValue();
			result.put(entry.getKey(), child);
		}
		return replaced ? replacement(property, map, result) : map;
	}

	private static Object throughCollection(RelationalPersistentProperty property, Collection<?> collection,
			UnaryOperator<Object> change) {
		Collection<Object> result = (collection instanceof Set || collection instanceof List)
				? CollectionFactory.createApproximateCollection(collection, collection.size()) : new ArrayList<>();
		List<Object> children = new ArrayList<>();
		boolean replaced = false;
		for (Object element : collection) {
			Object child = change.apply(element);
			replaced |= child != element;
			children.add(child);
		}
		result.addAll(children);
		// an id may have changed the hash code of an element
		boolean misplaced = !replaced && collection instanceof Set && !collection.containsAll(children);
		return (replaced || misplaced) ? replacement(property, collection, result) : collection;
	}

	private static Object throughArray(Object[] array, UnaryOperator<Object> change) {
		Object[] result = (Object[]) Array.newInstance(array.getClass().getComponentType(), array.length);
		boolean replaced = false;
		for (int i = 0; i < array.length; i++) {
			result[i] = change.apply(array[i]);
			replaced |= result[i] != array[i];
		}
		return replaced ? result : array;
	}

	private static Object replacement(RelationalPersistentProperty property, Object content, Object result) {
		if (!property.getType().isInstance(result)) {
			throw irreplaceable(property, content);
		}
		return result;
	}

	private static IdSetupException irreplaceable(RelationalPersistentProperty property, Object content) {
		return new IdSetupException(
				"The entities in " + property.getOwner().getName() + "." + property.getName()
						+ " get ids, but their container, a " + content.getClass().getName() + ", cannot be copied.",
				"Declare the property as Collection, List, Set, Map or array.");
	}

}
