package dev.idspring.autoconfigure.persistence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import javax.sql.DataSource;

import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.annotation.GeneratedIds.IdProperty;
import dev.idspring.annotation.GeneratedIds.IdSource;
import dev.idspring.annotation.IdAsString;
import dev.idspring.annotation.IdType;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CollectionFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.data.mapping.PersistentProperty;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.AggregatePath;
import org.springframework.data.relational.core.mapping.Column;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Assigns ids to the aggregates that Spring Data JDBC saves, both to the roots and to
 * their children. Spring Data determines whether an aggregate is new before it calls this
 * callback, so Spring Data still inserts an aggregate that gets its id here.
 * <p>
 * Spring Data's property accessors set the ids, and copy immutable entities. If a child
 * in a collection is copied, a new collection replaces the old one.
 */
final class GeneratedIdCallback implements BeforeConvertCallback<Object>, Ordered {

	/**
	 * The order of this callback. The callback runs after auditing, because auditing
	 * treats an entity as new only if the entity has no id. It runs before callbacks of
	 * the application without an order, because they may need the id.
	 */
	static final int ORDER = 200;

	private static final String EXPRESSION_START = "#{";

	private static final String JPA_ID = "jakarta.persistence.Id";

	private static final String JPA_GENERATED_VALUE = "jakarta.persistence.GeneratedValue";

	private final GeneratedIds ids;

	private final Function<SqlIdentifier, @Nullable String> toSql;

	private final Supplier<@Nullable DataSource> dataSource;

	private final SingletonSupplier<List<? extends RelationalMappingContext>> contexts;

	private final Map<RelationalPersistentEntity<?>, Metadata> metadata = new ConcurrentHashMap<>();

	/** The data sources of repositories, by the types of their aggregates. */
	private final Map<Class<?>, Set<DataSource>> dataSourcesByType = new ConcurrentHashMap<>();

	/**
	 * Create a callback without calling the suppliers, because templates request the
	 * callback before generators and mapping contexts exist.
	 * @param generators supplies the generators; called whenever a generator is looked up
	 * @param contexts supplies the mapping contexts of the templates that call this
	 * callback
	 * @param check verifies each property, at the latest before its first id is drawn
	 * @param toSql returns an identifier as written in SQL, or {@code null} if that form
	 * is unknown
	 * @param dataSource supplies the {@code DataSource} of the entities, or {@code null}
	 * if it is not known
	 */
	GeneratedIdCallback(Supplier<IdGenerators> generators,
			Supplier<? extends List<? extends RelationalMappingContext>> contexts, GeneratedIds.Check check,
			Function<SqlIdentifier, @Nullable String> toSql, Supplier<@Nullable DataSource> dataSource) {
		this.ids = new GeneratedIds(generators, check);
		this.toSql = toSql;
		this.dataSource = dataSource;
		this.contexts = SingletonSupplier.of(contexts::get);
	}

	/**
	 * Check all entities that the mapping contexts know so far, and look up their
	 * generators.
	 * @throws IdSetupException if a property names a generator that does not exist, if
	 * the property cannot hold the ids, or if the rows are not inserted in the
	 * transactions that draw the ids
	 */
	void check() {
		for (RelationalMappingContext context : this.contexts.obtain()) {
			// copy the entities, because inspecting one of them may add others
			List.copyOf(context.getPersistentEntities()).forEach((entity) -> metadata(context, entity));
		}
		this.ids.resolve();
		this.dataSourcesByType.forEach((type, dataSources) -> sources(type, new HashSet<>())
			.forEach((source) -> source.verifyInserts(dataSources)));
	}

	/**
	 * Add a repository that inserts aggregates.
	 * @param type the type of the aggregates
	 * @param dataSource the {@code DataSource} through which their rows are inserted
	 */
	void addRepository(Class<?> type, DataSource dataSource) {
		this.dataSourcesByType.computeIfAbsent(type, (key) -> ConcurrentHashMap.newKeySet()).add(dataSource);
	}

	private Stream<IdSource> sources(Class<?> type, Set<Class<?>> seen) {
		RelationalMappingContext context = contextOf(type);
		RelationalPersistentEntity<?> entity = (context != null) ? context.getPersistentEntity(type) : null;
		if (context == null || entity == null || !seen.add(type)) {
			return Stream.empty();
		}
		Metadata metadata = metadata(context, entity);
		return Stream.concat(metadata.generated().stream().map(GeneratedProperty::source),
				metadata.nested().stream().flatMap((property) -> sources(property.getActualType(), seen)));
	}

	/**
	 * Return a mapping context that knows the type. If there are several, any of them is
	 * suitable, because their properties have the same annotations. If there is none,
	 * because the mapping context of the saving template is not a bean, return the first
	 * context.
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

	private Metadata metadata(RelationalMappingContext context, RelationalPersistentEntity<?> entity) {
		Metadata metadata = this.metadata.get(entity);
		if (metadata == null) {
			metadata = inspect(context, entity);
			this.metadata.put(entity, metadata);
		}
		return metadata;
	}

	@Override
	public Object onBeforeConvert(Object aggregate) {
		return assign(aggregate, IdSource::next);
	}

	/**
	 * Return a callback for a template with a known {@code DataSource}. The returned
	 * callback runs before this one, which then finds no missing ids.
	 */
	BeforeConvertCallback<Object> forDataSource(DataSource dataSource) {
		return new DataSourceCallback(dataSource);
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	/**
	 * Assign all missing ids of an aggregate.
	 * @param aggregate the aggregate to save
	 * @param draw draws the next id of a property, or returns {@code null} to leave the
	 * property unchanged
	 * @return the aggregate, or a copy if entities in it are immutable
	 */
	Object assign(Object aggregate, Function<IdSource, @Nullable Object> draw) {
		RelationalMappingContext context = contextOf(aggregate.getClass());
		return (context != null) ? new Traversal(context, draw).assignIn(aggregate) : aggregate;
	}

	/**
	 * Return whether ids are missing in an aggregate, without changing the aggregate.
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
	 * Assigns ids to aggregates that are inserted through a known {@code DataSource}.
	 */
	private final class DataSourceCallback implements BeforeConvertCallback<Object>, Ordered {

		private final DataSource dataSource;

		private DataSourceCallback(DataSource dataSource) {
			this.dataSource = dataSource;
		}

		@Override
		public Object onBeforeConvert(Object aggregate) {
			return assign(aggregate, (source) -> source.next(this.dataSource, () -> null));
		}

		@Override
		public int getOrder() {
			return ORDER - 1;
		}

	}

	/**
	 * Traverses an aggregate and assigns ids to its entities.
	 */
	private final class Traversal {

		private final RelationalMappingContext context;

		private final Function<IdSource, @Nullable Object> draw;

		/**
		 * The entities from the root to the current one, to detect cycles of references.
		 */
		private final Set<Object> path = Collections.newSetFromMap(new IdentityHashMap<>());

		private Traversal(RelationalMappingContext context, Function<IdSource, @Nullable Object> draw) {
			this.context = context;
			this.draw = draw;
		}

		/**
		 * Assign the ids of an entity and of its children. The class of the object
		 * determines the properties, not the declared type, because Spring Data inserts
		 * an instance of a subtype as that subtype.
		 */
		private Object assignIn(Object bean) {
			RelationalPersistentEntity<?> entity = this.context.getPersistentEntity(bean.getClass());
			if (entity == null) {
				return bean;
			}
			Metadata metadata = metadata(this.context, entity);
			if (!this.path.add(bean)) {
				return bean;
			}
			Object result = bean;
			for (GeneratedProperty generated : metadata.generated()) {
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
				Object newValue = (value != null) ? replaceContent(property, value, this::assignIn) : null;
				if (newValue != value) {
					result = set(entity, result, property, newValue);
				}
			}
			this.path.remove(bean);
			return result;
		}

	}

	/**
	 * Set a property, on a copy if the entity is immutable. If Spring Data creates the
	 * copy with a constructor, the copy has only the values of the constructor's
	 * parameters. This copy is inserted, so copy the other persistent properties as well.
	 */
	private static Object set(RelationalPersistentEntity<?> entity, Object bean, RelationalPersistentProperty property,
			@Nullable Object value) {
		PersistentPropertyAccessor<Object> accessor = entity.getPropertyAccessor(bean);
		accessor.setProperty(property, value);
		Object result = accessor.getBean();
		if (result != bean && property.getWither() == null) {
			PersistentPropertyAccessor<Object> original = entity.getPropertyAccessor(bean);
			for (RelationalPersistentProperty other : entity) {
				Object originalValue = original.getProperty(other);
				if (other != property && !entity.isCreatorArgument(other)
						&& !Objects.deepEquals(originalValue, accessor.getProperty(other))) {
					accessor.setProperty(other, originalValue);
				}
			}
		}
		return result;
	}

	private static Object replaceContent(RelationalPersistentProperty property, Object value,
			UnaryOperator<Object> replacer) {
		if (property.isMap()) {
			return replaceValues(property, (Map<?, ?>) value, replacer);
		}
		if (!property.isCollectionLike()) {
			return replacer.apply(value);
		}
		if (value instanceof Collection<?> collection) {
			return replaceElements(property, value, collection, replacer);
		}
		if (value instanceof Object[] array) {
			return replaceElements(property, value, Arrays.asList(array), replacer);
		}
		throw cannotReplace(property, value);
	}

	private static Object replaceValues(RelationalPersistentProperty property, Map<?, ?> map,
			UnaryOperator<Object> replacer) {
		Map<Object, Object> result = CollectionFactory.createApproximateMap(map, map.size());
		map.forEach((key, child) -> result.put(key, replacer.apply(child)));
		boolean replaced = map.entrySet().stream().anyMatch((entry) -> result.get(entry.getKey()) != entry.getValue());
		return replaced ? requireAssignable(property, map, result) : map;
	}

	private static Object replaceElements(RelationalPersistentProperty property, Object container,
			Collection<?> elements, UnaryOperator<Object> replacer) {
		List<Object> children = new ArrayList<>();
		boolean replaced = false;
		for (Object element : elements) {
			Object child = replacer.apply(element);
			replaced |= child != element;
			children.add(child);
		}
		// rebuild a set if an id has changed the hash code of an element
		if (!replaced && !(container instanceof Set && !elements.containsAll(children))) {
			return container;
		}
		if (container instanceof Object[] array) {
			return children.toArray(array.clone());
		}
		Collection<Object> result = (container instanceof Set || container instanceof List)
				? CollectionFactory.createApproximateCollection(container, children.size()) : new ArrayList<>();
		result.addAll(children);
		return requireAssignable(property, container, result);
	}

	private static Object requireAssignable(RelationalPersistentProperty property, Object content, Object result) {
		if (!property.getType().isInstance(result)) {
			throw cannotReplace(property, content);
		}
		return result;
	}

	private static IdSetupException cannotReplace(RelationalPersistentProperty property, Object content) {
		return new IdSetupException(
				"The entities in " + property.getOwner().getName() + "." + property.getName()
						+ " get ids, but their container, a " + content.getClass().getName() + ", cannot be copied.",
				"Declare the property as a Collection, List, Set, Map or array.");
	}

	/**
	 * Inspect an entity type.
	 * @throws IdSetupException if a property cannot hold ids
	 */
	private Metadata inspect(RelationalMappingContext context, RelationalPersistentEntity<?> entity) {
		List<GeneratedProperty> generated = new ArrayList<>();
		List<RelationalPersistentProperty> nested = new ArrayList<>();
		for (RelationalPersistentProperty property : entity) {
			GeneratedId annotation = property.findAnnotation(GeneratedId.class);
			if (annotation != null) {
				generated.add(generated(context, entity, property, annotation));
			}
			else if (containsGeneratedIds(context, property, new HashSet<>())) {
				nested.add(property);
			}
		}
		this.ids.verifyAdded(entity.getType());
		return new Metadata(List.copyOf(generated), List.copyOf(nested));
	}

	private static boolean containsGeneratedIds(RelationalMappingContext context, RelationalPersistentProperty property,
			Set<RelationalPersistentEntity<?>> seen) {
		RelationalPersistentEntity<?> target = (!property.isTransient() && property.isEntity())
				? context.getPersistentEntity(property) : null;
		if (target == null || !seen.add(target)) {
			return false;
		}
		for (RelationalPersistentProperty child : target) {
			if (child.isAnnotationPresent(GeneratedId.class) || containsGeneratedIds(context, child, seen)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return the columns of a property. A property of an embedded entity has a column in
	 * the table of each embedding entity. The name of the column begins with the prefix
	 * of the embedding property.
	 */
	private List<IdProperty.Column> columns(RelationalMappingContext context, RelationalPersistentEntity<?> entity,
			RelationalPersistentProperty property) {
		List<RelationalPersistentEntity<?>> entities = List.copyOf(context.getPersistentEntities());
		Set<Class<?>> embeddedTypes = entities.stream()
			.flatMap((known) -> StreamSupport.stream(known.spliterator(), false))
			.filter(RelationalPersistentProperty::isEmbedded)
			.<Class<?>>map(PersistentProperty::getActualType)
			.collect(Collectors.toSet());
		Stream<RelationalPersistentEntity<?>> tables = embeddedTypes.contains(entity.getType())
				? entities.stream()
					.filter((known) -> known.getIdProperty() != null || !embeddedTypes.contains(known.getType()))
				: Stream.of(entity);
		return tables.filter((table) -> !hasExpression(table.findAnnotation(Table.class)))
			.flatMap((table) -> paths(context.getAggregatePath(table), entity.getType()))
			.map((path) -> column(path, property))
			.flatMap(Optional::stream)
			.toList();
	}

	/**
	 * Return the paths from the root entity of a table to an entity, which is either that
	 * root or embedded in it.
	 */
	private static Stream<AggregatePath> paths(AggregatePath path, Class<?> entityType) {
		RelationalPersistentEntity<?> entity = path.getRequiredLeafEntity();
		return (entity.getType() == entityType) ? Stream.of(path)
				: StreamSupport.stream(entity.spliterator(), false)
					.filter(RelationalPersistentProperty::isEmbedded)
					.flatMap((property) -> paths(path.append(property), entityType));
	}

	private Optional<IdProperty.Column> column(AggregatePath path, RelationalPersistentProperty property) {
		Column annotation = property.findAnnotation(Column.class);
		if (annotation != null && annotation.value().contains(EXPRESSION_START)) {
			return Optional.empty();
		}
		try {
			AggregatePath leaf = path
				.append(path.getRequiredLeafEntity().getRequiredPersistentProperty(property.getName()));
			String table = this.toSql.apply(leaf.getTableInfo().qualifiedTableName());
			String column = this.toSql.apply(leaf.getColumnInfo().name());
			return (table != null && column != null)
					? Optional.of(new IdProperty.Column(table, column, property.isIdProperty())) : Optional.empty();
		}
		catch (RuntimeException ex) {
			// thrown by a naming strategy that needs a request, for example to find the
			// tenant
			return Optional.empty();
		}
	}

	/**
	 * Return whether the name or the schema of a table contains an expression, for
	 * example for the tenant.
	 */
	private static boolean hasExpression(@Nullable Table table) {
		return table != null && (table.value() + table.schema()).contains(EXPRESSION_START);
	}

	private GeneratedProperty generated(RelationalMappingContext context, RelationalPersistentEntity<?> entity,
			RelationalPersistentProperty property, GeneratedId annotation) {
		String description = entity.getName() + "." + property.getName();
		if (isAnnotated(property, JPA_GENERATED_VALUE)) {
			throw GeneratedIds.generatedTwice(description, "GeneratedValue");
		}
		if (property.hasSequence()) {
			throw GeneratedIds.generatedTwice(description, "Sequence");
		}
		if (property.isImmutable() && property.getWither() == null && !entity.isCreatorArgument(property)) {
			throw new IdSetupException(
					description
							+ " is annotated with @GeneratedId but is final, has no wither, and is not a parameter of"
							+ " the constructor that Spring Data uses.",
					"Make the property a parameter of that constructor (if there are several, the one with"
							+ " @PersistenceCreator), add a method with" + StringUtils.capitalize(property.getName())
							+ "(…) that returns a copy, or make the property non-final.");
		}
		if (property.isEntity() && IdType.of(property.getType()).isPresent()) {
			String type = property.getType().getSimpleName();
			throw new IdSetupException(
					description + " is annotated with @GeneratedId but is of type " + property.getType().getTypeName()
							+ ", which Spring Data treats as an entity with columns of its own.",
					property.getType().isAnnotationPresent(IdAsString.class)
							? "Move " + type + " to a package that is scanned for entities, or add IdConverters.of("
									+ type + ".class) to custom conversions that you define yourself."
							: "Annotate " + type + " with @IdAsString. If you define the custom conversions yourself,"
									+ " add IdConverters.of(" + type + ".class) to them.");
		}
		if (property.isVersionProperty() || !property.isWritable()) {
			throw GeneratedIds.notStorable(description,
					property.isVersionProperty() ? "is also annotated with @Version, whose values Spring Data assigns"
							: "is also annotated with @ReadOnlyProperty, so it is not inserted");
		}
		if (entity.getIdProperty() == null && isAnnotated(property, JPA_ID)) {
			throw GeneratedIds.unmanaged(description,
					"its @Id is the JPA annotation; Spring Data JDBC and R2DBC need org.springframework.data.annotation.Id");
		}
		return new GeneratedProperty(property, this.ids.add(annotation, new IdProperty(description, property.getType(),
				property.isIdProperty(), this.dataSource.get(), columns(context, entity, property)), null));
	}

	private static boolean isAnnotated(RelationalPersistentProperty property, String annotation) {
		return Stream.of(property.getField(), property.getGetter(), property.getSetter())
			.anyMatch((member) -> member != null && MergedAnnotations.from(member).isPresent(annotation));
	}

	/**
	 * The properties of an entity type that are relevant for ids.
	 *
	 * @param generated the properties that get ids
	 * @param nested the properties that contain entities with such properties, at any
	 * depth
	 */
	private record Metadata(List<GeneratedProperty> generated, List<RelationalPersistentProperty> nested) {

	}

	/**
	 * A property that gets ids.
	 *
	 * @param property the property
	 * @param source supplies its ids
	 */
	private record GeneratedProperty(RelationalPersistentProperty property, IdSource source) {

	}

}
