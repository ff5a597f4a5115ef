package dev.idspring.data;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.idspring.IdSetupException;
import dev.idspring.data.GeneratedIdMetadata.Nested;
import dev.idspring.data.GeneratedIdMetadata.Place;
import dev.idspring.entity.EntityIds;
import dev.idspring.entity.IdRepresentation;
import org.jspecify.annotations.Nullable;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Finds out once for each type where its ids belong. Generators and mapping contexts are
 * looked up as late as possible: those who save ask for this long before the generators
 * are there.
 * <p>
 * Types may be those of proxies: mapping contexts take them for what they stand for.
 */
final class GeneratedIdMetadataResolver {

	private final Supplier<EntityIds> ids;

	private final SingletonSupplier<List<? extends RelationalMappingContext>> contexts;

	private final Map<Class<?>, Root> roots = new ConcurrentHashMap<>();

	private final Map<Place, GeneratedIdMetadata> plans = new ConcurrentHashMap<>();

	GeneratedIdMetadataResolver(Supplier<EntityIds> ids,
			Supplier<? extends List<? extends RelationalMappingContext>> contexts) {
		this.ids = ids;
		this.contexts = SingletonSupplier.of(contexts::get);
	}

	/**
	 * Whether the plan for what is saved has been made.
	 */
	boolean isKnown(Class<?> type) {
		return root(type) != null;
	}

	/**
	 * Return the plan for what is saved.
	 * @return the plan, or nothing if there is no place for ids
	 * @throws IdSetupException if a property cannot have ids
	 */
	Optional<GeneratedIdMetadata> of(Class<?> type) {
		Root known = root(type);
		if (known == null) {
			List<RelationalMappingContext> knowing = knowing(type);
			known = new Root(knowing, plan(type, knowing));
			this.roots.put(type, known);
		}
		return known.plan();
	}

	/**
	 * Return the plan for what is below the root of an aggregate.
	 * @throws IdSetupException if a property cannot have ids
	 */
	GeneratedIdMetadata of(Place declared, Object bean) {
		return of(declared.of(bean.getClass()));
	}

	private GeneratedIdMetadata of(Place place) {
		GeneratedIdMetadata known = this.plans.get(place);
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
		for (RelationalMappingContext context : this.contexts.obtain()) {
			// asking adds more
			for (RelationalPersistentEntity<?> entity : List.copyOf(context.getPersistentEntities())) {
				if (entity.hasIdProperty() && isReady(Place.ofTable(context, entity))) {
					check(Place.ofTable(context, entity), new HashSet<>());
					List<Place> places = places(entity.getType(), knowing(entity.getType()));
					if (!places.isEmpty() && places.stream().allMatch(GeneratedIdMetadataResolver::isReady)) {
						of(entity.getType());
					}
				}
			}
		}
	}

	private static boolean isReady(Place root) {
		return !leadsToIds(root, new HashSet<>()) || isTableKnown(root);
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
	 * Return what is known of a type, {@code null} if that is nothing, or if another
	 * context has come to know it since.
	 */
	private @Nullable Root root(Class<?> type) {
		Root known = this.roots.get(type);
		return (known != null && (this.contexts.obtain().size() < 2 || known.contexts().equals(knowing(type)))) ? known
				: null;
	}

	/**
	 * Return the contexts that know a type. That of whoever saves is among them: it has
	 * just been asked.
	 */
	private List<RelationalMappingContext> knowing(Class<?> type) {
		return this.contexts.obtain()
			.stream()
			.filter((context) -> context.hasPersistentEntityFor(type))
			.<RelationalMappingContext>map((context) -> context)
			.toList();
	}

	private static List<Place> places(Class<?> type, List<RelationalMappingContext> contexts) {
		return contexts.stream()
			.map((context) -> Place.ofTable(context, context.getRequiredPersistentEntity(type)))
			.toList();
	}

	/**
	 * Make a plan for what is saved. A template may have a context that is no bean: that
	 * is none of our business as long as no ids are wanted.
	 */
	private Optional<GeneratedIdMetadata> plan(Class<?> type, List<RelationalMappingContext> contexts) {
		List<Place> places = places(type, contexts);
		if (!places.isEmpty()) {
			if (places.size() > 1) {
				checkSame(type, places);
			}
			return Optional.of(of(places.get(0)));
		}
		if (!AnnotatedTypes.wantIds(type)) {
			return Optional.empty();
		}
		throw new IdSetupException(
				"There is no mapping context among the beans that knows " + type.getName()
						+ ", in which @GeneratedId is used.",
				"Make the mapping context of the template that saves it a bean.");
	}

	/**
	 * Which of several templates saves is not known: it must make no difference.
	 */
	private void checkSame(Class<?> type, List<Place> places) {
		Set<Set<String>> sources = new LinkedHashSet<>();
		for (Place place : places) {
			Set<String> ofPlace = new TreeSet<>();
			addSources(place, ofPlace, new HashSet<>());
			sources.add(ofPlace);
		}
		if (sources.size() > 1) {
			throw new IdSetupException(
					type.getName()
							+ " is known to several mapping contexts, in which its ids come from different generators: "
							+ sources.stream().map(Set::toString).collect(Collectors.joining(" and ")) + ".",
					"Name the generators in the annotations, as in @GeneratedId(\"orders\").");
		}
	}

	private void addSources(Place place, Set<String> sources, Set<Place> seen) {
		if (!seen.add(place)) {
			return;
		}
		GeneratedIdMetadata plan = of(place);
		plan.generated()
			.forEach((generated) -> sources.add("'%s' of %s from '%s'".formatted(generated.property().getName(), place,
					generated.generator().name())));
		plan.nested().forEach((nested) -> addSources(nested.place(), sources, seen));
	}

	private GeneratedIdMetadata plan(Place place) {
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
		return new GeneratedIdMetadata(place.entity(), List.copyOf(generated), List.copyOf(nested));
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
			IdRepresentation form = IdRepresentation.of(property.getType(), "it");
			return new GeneratedProperty(property,
					this.ids.get().generator(name, name.isEmpty() ? place.table() : null), form);
		}
		catch (IllegalArgumentException ex) {
			throw new IdSetupException(described + " cannot have ids: " + ex.getMessage(),
					"Correct the annotation or its property, or add the generator under ids.generators.", ex);
		}
	}

	/**
	 * A plan for what is saved.
	 *
	 * @param contexts those that knew the type when it was made
	 * @param plan the plan, or nothing if there is no place for ids
	 */
	private record Root(List<RelationalMappingContext> contexts, Optional<GeneratedIdMetadata> plan) {

	}

}
