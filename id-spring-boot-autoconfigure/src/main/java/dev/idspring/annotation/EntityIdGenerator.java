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
 * Generates the values of one property for Hibernate, before the insert statement rather
 * than in it, so that Hibernate can batch inserts.
 *
 * @since 0.1.0
 */
public final class EntityIdGenerator extends GeneratedIdInitializer implements BeforeExecutionGenerator {

	private static final long serialVersionUID = 1L;

	private transient @Nullable IdSource source;

	/**
	 * The {@code DataSource} through which the rows are inserted. It is {@code null} if
	 * unknown, or if other data sources may take part in the same transactions.
	 */
	private transient @Nullable DataSource dataSource;

	private transient boolean acceptsAssignedIds;

	/**
	 * Create a generator. Hibernate calls this constructor. Older versions of Hibernate
	 * require a public one.
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
					"Annotate a long, Long, int, Integer, String or UUID, or an @EmbeddedId that is a record with one of these;"
							+ " in any other embeddable, annotate a property of its class.");
		}
		initializeValue(annotation,
				(member != null) ? member
						: context.getProperty().getGetter(context.getPersistentClass().getMappedClass()).getMember(),
				value, context);
	}

	/**
	 * Return how the annotated property is mapped to columns. Hibernate 7.1 provides this
	 * mapping only through the {@code Property}. On Hibernate 6, the result is
	 * {@code null} for a part of a composite key, because that version provides no
	 * {@code Property}, or only the one of the whole key.
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
		// other DataSources may take part in a JTA transaction
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
	 * Return whether a key is a record that wraps an id.
	 */
	private static boolean isTypedId(Value value) {
		return value instanceof Component key && IdType.of(key.getComponentClass()).isPresent();
	}

	/**
	 * Reject a property for which Hibernate would draw an id but never insert it.
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
			reason = "is a component of a record, which Hibernate cannot change afterwards";
		}
		if (reason != null) {
			throw GeneratedIds.notStorable(property, reason);
		}
	}

	/**
	 * Return whether a value is a part of a composite key or of an {@code @IdClass},
	 * whose columns Hibernate always inserts.
	 * @param inComponent whether the value does not belong to the entity itself
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
	 * recognizes a new entity even if it already has an id. If this generator accepted
	 * assigned ids without such a version, Hibernate would have to select the row of
	 * every detached entity to which a new entity refers.
	 * <p>
	 * Only the whole key needs this check. The application assigns the other parts of a
	 * composite key in any case, and parts of embeddables do not belong to a single
	 * entity.
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
