package dev.idspring.annotation;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedIds.IdProperty;
import dev.idspring.annotation.GeneratedIds.IdSource;
import jakarta.persistence.GeneratedValue;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.PrimaryKey;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.Value;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Generates the values of one property for Hibernate. Hibernate gets each value before it
 * executes the insert statement, so it can batch inserts.
 *
 * @since 0.1.0
 */
public final class EntityIdGenerator extends GeneratedIdInitializer implements BeforeExecutionGenerator {

	private static final long serialVersionUID = 1L;

	private transient @Nullable IdSource source;

	/**
	 * The {@code DataSource} through which the rows are inserted. It is {@code null} if
	 * unknown, or if a transaction may span several data sources.
	 */
	private transient @Nullable DataSource dataSource;

	private transient boolean acceptsAssignedIds;

	/**
	 * Create a generator. Hibernate calls this constructor. Older versions of Hibernate
	 * require it to be public.
	 */
	public EntityIdGenerator() {
	}

	@Override
	void initializeProperty(GeneratedId annotation, @Nullable Member member, GeneratorCreationContext context) {
		Value value = value(member, context);
		if (value != null && !(value instanceof BasicValue) && !isTypedId(value)) {
			throw new IdSetupException(
					context.getPersistentClass().getEntityName() + "." + context.getProperty().getName()
							+ " is annotated with @GeneratedId but is an embeddable, a relation or a collection.",
					"Annotate a long, Long, int, Integer, String or UUID, or an @EmbeddedId that is a record with one"
							+ " of these. In any other embeddable, annotate a property of the embeddable class.");
		}
		initializeValue(annotation,
				(member != null) ? member
						: context.getProperty().getGetter(context.getPersistentClass().getMappedClass()).getMember(),
				value, context);
	}

	/**
	 * Return how the annotated property is mapped to columns. Up to version 7.1,
	 * Hibernate provides this mapping only through the {@code Property}. For a part of a
	 * composite key, Hibernate 6 provides either no {@code Property}, or only that of the
	 * whole key. In both cases, the result is {@code null}.
	 */
	private static @Nullable Value value(@Nullable Member member, GeneratorCreationContext context) {
		Property property = context.getProperty();
		Value value = (property != null) ? property.getValue() : null;
		boolean wholeKey = member != null && value instanceof Component key
				&& member.getDeclaringClass() == key.getComponentClass();
		return wholeKey ? null : value;
	}

	private void initializeValue(GeneratedId annotation, Member member, @Nullable Value value,
			GeneratorCreationContext context) {
		String property = property(member, context);
		if (((AnnotatedElement) member).isAnnotationPresent(GeneratedValue.class)) {
			throw GeneratedIds.generatedTwice(property, "GeneratedValue");
		}
		rejectUnlessStorable(property, member, value, context);
		ServiceRegistry services = context.getServiceRegistry();
		if (!(services.requireService(ConfigurationService.class)
			.getSettings()
			.get(GeneratedIds.HIBERNATE_SETTING) instanceof GeneratedIds ids)) {
			throw GeneratedIds.unmanaged(property, GeneratedIds.NO_GENERATORS);
		}
		boolean wholeKey = isIdentifier(value, context);
		this.acceptsAssignedIds = !wholeKey || hasNullableVersion(context.getPersistentClass().getRootClass());
		DataSource dataSource = MappedColumns.dataSource(services);
		// a JTA transaction may span several data sources
		this.dataSource = services.requireService(TransactionCoordinatorBuilder.class).isJta() ? null : dataSource;
		this.source = ids.add(annotation,
				new IdProperty(property, type(member, value), wholeKey, dataSource,
						(dataSource != null && value != null) ? MappedColumns.of(context, value) : List.of()),
				this.dataSource);
	}

	/**
	 * Return whether a mapped value is the whole primary key of its entity.
	 */
	private static boolean isIdentifier(@Nullable Value value, GeneratorCreationContext context) {
		PersistentClass entity = context.getPersistentClass();
		return entity != null && value != null && value == entity.getRootClass().getIdentifier();
	}

	/**
	 * Return whether a value is an embeddable record that wraps an id.
	 */
	private static boolean isTypedId(Value value) {
		return value instanceof Component key && IdType.of(key.getComponentClass()).isPresent();
	}

	/**
	 * Reject a property whose generated ids Hibernate would never insert.
	 */
	private static void rejectUnlessStorable(String property, Member member, @Nullable Value value,
			GeneratorCreationContext context) {
		PersistentClass entity = context.getPersistentClass();
		String reason = null;
		if (entity != null && value != null && context.getProperty() == entity.getRootClass().getVersion()) {
			reason = "is also annotated with @Version, whose values Hibernate assigns";
		}
		else if (value != null && !value.hasAnyInsertableColumns() && !isPartOfKey(value, entity == null)) {
			reason = "its column is not insertable";
		}
		else if (member.getDeclaringClass().isRecord()) {
			reason = "is a component of a record, which Hibernate cannot change";
		}
		if (reason != null) {
			throw GeneratedIds.notStorable(property, reason);
		}
	}

	/**
	 * Return whether a value is a part of a composite key or of an {@code @IdClass},
	 * whose columns Hibernate always inserts.
	 * @param inComponent whether the value belongs to an embeddable, not to the entity
	 * itself
	 */
	private static boolean isPartOfKey(Value value, boolean inComponent) {
		PrimaryKey key = value.getTable().getPrimaryKey();
		return key != null && (inComponent || key.getColumns().size() > 1)
				&& value.getColumns().stream().anyMatch(key::containsColumn);
	}

	/**
	 * Return the name of a property, qualified with its entity or its embeddable.
	 */
	private static String property(Member member, GeneratorCreationContext context) {
		PersistentClass entity = context.getPersistentClass();
		Class<?> declaring = member.getDeclaringClass();
		boolean inEntity = entity != null && declaring.isAssignableFrom(entity.getMappedClass());
		return (inEntity ? entity.getEntityName() : declaring.getName()) + "." + GeneratedIds.propertyName(member);
	}

	/**
	 * Return the type of a property according to Hibernate, which resolves type
	 * variables. Return the declared type if the mapping is unknown, or if the declared
	 * type is primitive, because Hibernate returns the wrapper.
	 */
	private static Class<?> type(Member member, @Nullable Value value) {
		Class<?> declared = (member instanceof Method method) ? method.getReturnType() : ((Field) member).getType();
		return (declared.isPrimitive() || value == null) ? declared : value.getType().getReturnedClass();
	}

	/**
	 * Return whether the version of a new entity is {@code null}. If so, Hibernate
	 * recognizes a new entity even if it already has an id. Without such a version, this
	 * generator must not accept assigned ids. Otherwise, Hibernate would have to select
	 * the row of every detached entity to which a new entity refers.
	 * <p>
	 * This check is needed only if the property is the whole key. In a composite key, the
	 * application assigns the other parts in any case. A property of an embeddable does
	 * not belong to a single entity.
	 */
	private static boolean hasNullableVersion(RootClass root) {
		Property version = root.getVersion();
		return version != null && !version.getGetter(root.getMappedClass()).getReturnTypeClass().isPrimitive();
	}

	@Override
	public Object generate(SharedSessionContractImplementor session, Object owner, @Nullable Object currentValue,
			EventType eventType) {
		IdSource source = Objects.requireNonNull(this.source, "Not initialized by Hibernate");
		return (currentValue != null && !source.isMissing(currentValue)) ? currentValue : source.next(this.dataSource,
				() -> session.getJdbcCoordinator().getLogicalConnection().getPhysicalConnection());
	}

	@Override
	public EnumSet<EventType> getEventTypes() {
		return EventTypeSets.INSERT_ONLY;
	}

	@Override
	public boolean allowAssignedIdentifiers() {
		return this.acceptsAssignedIds;
	}

}
