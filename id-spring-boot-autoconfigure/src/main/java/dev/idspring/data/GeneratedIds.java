package dev.idspring.data;

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
import java.util.function.UnaryOperator;

import dev.idspring.IdSetupException;
import dev.idspring.data.GeneratedIdMetadata.Nested;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CollectionFactory;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * Walks through an aggregate and gives ids to what has none. Children that are changed by
 * making copies end up in new collections, and their parents get these.
 */
final class GeneratedIds {

	private final GeneratedIdMetadataResolver plans;

	private final Changes changes = new Changes();

	GeneratedIds(GeneratedIdMetadataResolver plans) {
		this.plans = plans;
	}

	/**
	 * Whether it is known by now where ids belong in an aggregate. Finding out asks for
	 * generators, which may have to be made.
	 */
	boolean isPlanned(Object aggregate) {
		return this.plans.isKnown(aggregate.getClass());
	}

	/**
	 * Give ids to all that have none.
	 * @param aggregate what is saved
	 * @param ids supplies the next id of a property
	 * @return the aggregate, or a copy
	 */
	Object assign(Object aggregate, Function<GeneratedProperty, Object> ids) {
		return walk(aggregate, ids);
	}

	/**
	 * Find all that have no id, and change nothing.
	 * @param aggregate what is saved
	 * @return a property for each id that is needed
	 */
	List<GeneratedProperty> missing(Object aggregate) {
		List<GeneratedProperty> missing = new ArrayList<>();
		walk(aggregate, (property) -> {
			missing.add(property);
			return null;
		});
		return missing;
	}

	private Object walk(Object aggregate, Function<GeneratedProperty, @Nullable Object> ids) {
		return this.plans.of(aggregate.getClass())
			.map((plan) -> new Walk(ids).through(plan, aggregate))
			.orElse(aggregate);
	}

	/**
	 * A walk through an aggregate.
	 */
	private final class Walk {

		/** Supplies the next id of a property, or nothing to leave it as it is. */
		private final Function<GeneratedProperty, @Nullable Object> ids;

		/**
		 * What the walk is inside of: it would have no end in entities that refer to each
		 * other.
		 */
		private final Set<Object> path = Collections.newSetFromMap(new IdentityHashMap<>());

		private Walk(Function<GeneratedProperty, @Nullable Object> ids) {
			this.ids = ids;
		}

		private Object through(GeneratedIdMetadata plan, Object bean) {
			if (!this.path.add(bean)) {
				return bean;
			}
			Object result = bean;
			for (GeneratedProperty generated : plan.generated()) {
				Object id = generated.isMissing(plan.entity(), result) ? this.ids.apply(generated) : null;
				if (id != null) {
					result = GeneratedIds.this.changes.set(plan.entity(), result, generated.property(), id);
				}
			}
			for (Nested nested : plan.nested()) {
				result = throughNested(plan.entity(), result, nested);
			}
			this.path.remove(bean);
			return result;
		}

		private Object throughNested(RelationalPersistentEntity<?> entity, Object bean, Nested nested) {
			Object value = entity.getPropertyAccessor(bean).getProperty(nested.property());
			if (value == null) {
				return bean;
			}
			Object result = throughContent(nested.property(), value,
					(child) -> through(GeneratedIds.this.plans.of(nested.place(), child), child));
			return (result != value) ? GeneratedIds.this.changes.set(entity, bean, nested.property(), result) : bean;
		}

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
		// with its id the place of an element among hash codes may have changed
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
				"The entities in property '" + property.getName() + "' of " + property.getOwner().getName()
						+ " get ids, but a " + content.getClass().getName() + " of them cannot be made anew.",
				"Declare the property as Collection, List, Set, Map or array.");
	}

}
