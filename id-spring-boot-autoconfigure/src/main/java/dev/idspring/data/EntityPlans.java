package dev.idspring.data;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.idspring.IdSetupException;
import dev.idspring.data.EntityPlan.Nested;
import dev.idspring.data.EntityPlan.Place;
import dev.idspring.entity.EntityIds;
import dev.idspring.entity.IdForm;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.util.StringUtils;

/**
 * Finds out once for each type where its ids belong. Generators and mapping contexts are
 * looked up as late as possible: those who save ask for this long before the generators
 * are there.
 */
final class EntityPlans {

	private final Supplier<EntityIds> ids;

	private final Supplier<? extends List<? extends RelationalMappingContext>> contexts;

	private final Map<Class<?>, Optional<EntityPlan>> roots = new ConcurrentHashMap<>();

	private final Map<Place, EntityPlan> plans = new ConcurrentHashMap<>();

	EntityPlans(Supplier<EntityIds> ids, Supplier<? extends List<? extends RelationalMappingContext>> contexts) {
		this.ids = ids;
		this.contexts = contexts;
	}

	/**
	 * Whether the plan for what is saved has been made.
	 */
	boolean isKnown(Class<?> type) {
		return this.roots.containsKey(type);
	}

	/**
	 * Return the plan for what is saved.
	 * @return the plan, or nothing if there is no place for ids
	 * @throws IdSetupException if a property cannot have ids
	 */
	Optional<EntityPlan> of(Class<?> type) {
		Optional<EntityPlan> known = this.roots.get(type);
		if (known == null) {
			known = context(type)
				.map((context) -> of(Place.ofTable(context, context.getRequiredPersistentEntity(type))));
			this.roots.put(type, known);
		}
		return known;
	}

	/**
	 * Return the plan for what is anywhere in an aggregate.
	 * @throws IdSetupException if a property cannot have ids
	 */
	EntityPlan of(Place place) {
		EntityPlan known = this.plans.get(place);
		if (known == null) {
			known = plan(place);
			this.plans.put(place, known);
		}
		return known;
	}

	/**
	 * Make the plans of all aggregates that are known by now.
	 * @throws IdSetupException if a property cannot have ids
	 */
	void check() {
		for (RelationalMappingContext context : this.contexts.get()) {
			// asking adds more
			for (RelationalPersistentEntity<?> entity : List.copyOf(context.getPersistentEntities())) {
				Place root = Place.ofTable(context, entity);
				if (entity.hasIdProperty() && (!leadsToIds(root, new HashSet<>()) || isTableKnown(root))) {
					check(root, new HashSet<>());
					this.roots.putIfAbsent(entity.getType(), Optional.of(of(root)));
				}
			}
		}
	}

	/**
	 * Return whether it can be told by now which table it is: its name may be an
	 * expression that needs a request, or a tenant.
	 */
	private static boolean isTableKnown(Place place) {
		try {
			place.table();
			return true;
		}
		catch (RuntimeException ex) {
			// whoever saves will be told
			return false;
		}
	}

	private void check(Place place, Set<Place> seen) {
		if (seen.add(place)) {
			of(place).nested().forEach((nested) -> check(nested.place(), seen));
		}
	}

	/**
	 * Return the context that whoever saves has just asked about the type. A template may
	 * have one that is no bean: that is none of our business as long as no ids are
	 * wanted.
	 */
	private Optional<RelationalMappingContext> context(Class<?> type) {
		for (RelationalMappingContext context : this.contexts.get()) {
			if (context.hasPersistentEntityFor(type)) {
				return Optional.of(context);
			}
		}
		if (!AnnotatedTypes.wantIds(type)) {
			return Optional.empty();
		}
		throw new IdSetupException(
				"There is no mapping context among the beans that knows " + type.getName()
						+ ", in which @GeneratedId is used.",
				"Make the mapping context of the template that saves it a bean.");
	}

	private EntityPlan plan(Place place) {
		List<GeneratedProperty> generated = new ArrayList<>();
		List<Nested> nested = new ArrayList<>();
		for (RelationalPersistentProperty property : place.entity()) {
			GeneratedId annotation = property.findAnnotation(GeneratedId.class);
			Place target = place.of(property);
			if (annotation != null) {
				generated.add(generated(place, property, annotation.value()));
			}
			else if (target != null && leadsToIds(target, new HashSet<>())) {
				nested.add(new Nested(property, target));
			}
		}
		return new EntityPlan(place.entity(), List.copyOf(generated), List.copyOf(nested));
	}

	private static boolean leadsToIds(Place place, Set<Place> seen) {
		if (!seen.add(place)) {
			return false;
		}
		for (RelationalPersistentProperty property : place.entity()) {
			Place target = place.of(property);
			if (property.isAnnotationPresent(GeneratedId.class) || (target != null && leadsToIds(target, seen))) {
				return true;
			}
		}
		return false;
	}

	private GeneratedProperty generated(Place place, RelationalPersistentProperty property, String name) {
		String described = "@GeneratedId property '" + property.getName() + "' of " + place.entity().getName();
		if (!Changes.isPossible(place.entity(), property)) {
			throw new IdSetupException(
					described + " is final, there is no wither for it, and it is no parameter of the constructor that"
							+ " Spring Data uses.",
					"Make it a parameter of that constructor, which @PersistenceCreator marks where there are several,"
							+ " add a method with" + StringUtils.capitalize(property.getName())
							+ "(…) that returns a copy, or make it not final.");
		}
		try {
			IdForm form = IdForm.of(property.getType(), "it");
			return new GeneratedProperty(property,
					this.ids.get().generator(name, name.isEmpty() ? place.table() : null), form);
		}
		catch (IllegalArgumentException ex) {
			throw new IdSetupException(described + " cannot have ids: " + ex.getMessage(),
					"Correct the annotation or its property, or add the generator under ids.generators.", ex);
		}
	}

}
