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
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.Value;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Generates the values of one property for Hibernate. It runs before the insert statement
 * rather than as part of it, so that Hibernate can batch inserts.
 */
final class EntityIdGenerator implements BeforeExecutionGenerator, AnnotationBasedGenerator<GeneratedId> {

	private static final long serialVersionUID = 1L;

	private final transient @Nullable GeneratedIds ids;

	private transient @Nullable IdSource source;

	/**
	 * The {@code DataSource} through which all rows are inserted, or {@code null} if it
	 * is not certain.
	 */
	private transient @Nullable DataSource dataSource;

	private transient boolean assignedAccepted;

	/**
	 * Create a generator. Hibernate requests instances from Spring, which calls this
	 * constructor because it is the only public one.
	 */
	public EntityIdGenerator(@Nullable GeneratedIds ids) {
		this.ids = ids;
	}

	/**
	 * Create a generator that cannot draw ids. Hibernate calls this constructor if it has
	 * no bean container, or if the container does not provide an instance.
	 */
	EntityIdGenerator() {
		this(null);
	}

	/**
	 * {@inheritDoc}
	 *
	 * Hibernate 7.1 does not have this method. Later versions provide no member if the
	 * annotated property does not consist of a single value.
	 */
	@Override
	public void initialize(GeneratedId annotation, GeneratorCreationContext context) {
		Value value = value(context);
		if (!(value instanceof BasicValue) && !isTypedId(value)) {
			throw new IdSetupException(
					context.getPersistentClass().getEntityName() + "." + context.getProperty().getName()
							+ " is annotated with @GeneratedId but is an embeddable, a relation or a collection.",
					"Annotate a long, Long, int, Integer, String or UUID, or an @EmbeddedId that is a record with one of these;"
							+ " of another embeddable, a property of its class.");
		}
		if (value instanceof Component) {
			// Hibernate provides no member for a property with several columns
			initialize(annotation,
					context.getProperty().getGetter(context.getPersistentClass().getMappedClass()).getMember(),
					context);
		}
		else {
			AnnotationBasedGenerator.super.initialize(annotation, context);
		}
	}

	/**
	 * {@inheritDoc}
	 *
	 * Hibernate 7.3 replaces this method with one that does not exist in earlier
	 * versions.
	 */
	@Override
	@SuppressWarnings("removal")
	public void initialize(GeneratedId annotation, Member member, GeneratorCreationContext context) {
		String property = property(member, context);
		if (((AnnotatedElement) member).isAnnotationPresent(GeneratedValue.class)) {
			throw GeneratedIds.generatedTwice(property, "GeneratedValue");
		}
		rejectNotStorable(property, member, context);
		GeneratedIds ids = this.ids;
		if (ids == null) {
			throw GeneratedIds.unmanaged(property, GeneratedIds.NO_GENERATORS);
		}
		this.assignedAccepted = isAssignedAccepted(context);
		Value value = value(context);
		boolean key = context.getPersistentClass() != null && value == context.getRootClass().getIdentifier();
		ServiceRegistry services = context.getServiceRegistry();
		DataSource dataSource = MappedColumns.dataSource(services);
		// in a JTA transaction, rows may also be inserted through other DataSources
		this.dataSource = services.requireService(TransactionCoordinatorBuilder.class).isJta() ? null : dataSource;
		this.source = ids.add(annotation, new IdProperty(property, type(member, context), key, dataSource,
				(dataSource != null) ? MappedColumns.of(context, value) : List.of()), this.dataSource);
	}

	/**
	 * Return the mapped value. In Hibernate 7.1, it is accessible only through the
	 * property.
	 */
	private static Value value(GeneratorCreationContext context) {
		return context.getProperty().getValue();
	}

	/**
	 * Return whether a key is a record that wraps an id.
	 */
	private static boolean isTypedId(Value value) {
		return value instanceof Component key && IdType.of(key.getComponentClass()).isPresent();
	}

	/**
	 * Reject properties for which Hibernate would draw an id but never insert it.
	 */
	private static void rejectNotStorable(String property, Member member, GeneratorCreationContext context) {
		PersistentClass entity = context.getPersistentClass();
		String reason = null;
		if (entity != null && context.getProperty() == context.getRootClass().getVersion()) {
			reason = "is also annotated with @Version, which Hibernate counts";
		}
		// the parts of a composite id are inserted as columns of the id class
		else if (entity != null && !value(context).hasAnyInsertableColumns()
				&& !(context.getRootClass().getIdentifier() instanceof Component)) {
			reason = "its column is not insertable";
		}
		else if (member.getDeclaringClass().isRecord()) {
			reason = "is a component of a record, which Hibernate cannot set afterwards";
		}
		if (reason != null) {
			throw GeneratedIds.notStorable(property, reason);
		}
	}

	private static String property(Member member, GeneratorCreationContext context) {
		PersistentClass entity = context.getPersistentClass();
		return ((entity != null) ? entity.getEntityName() : member.getDeclaringClass().getName()) + "."
				+ context.getProperty().getName();
	}

	/**
	 * Return the type of a property. For a primitive type, this is the declared type,
	 * because Hibernate does not distinguish primitive types from wrappers. Otherwise it
	 * is the type from Hibernate, which resolves type variables.
	 */
	private static Class<?> type(Member member, GeneratorCreationContext context) {
		Class<?> declared = (member instanceof Method method) ? method.getReturnType() : ((Field) member).getType();
		return declared.isPrimitive() ? declared : value(context).getType().getReturnedClass();
	}

	/**
	 * Return whether an entity that already has an id may be new. Hibernate can recognize
	 * such an entity only by a version that is {@code null}. Without a version, Hibernate
	 * would have to select the row of every detached entity to which a new entity refers.
	 * <p>
	 * This restriction applies only if the property is the whole identifier. The other
	 * parts of a composite id are assigned in any case, and parts of embeddables do not
	 * belong to a single entity.
	 */
	private static boolean isAssignedAccepted(GeneratorCreationContext context) {
		if (context.getPersistentClass() == null || value(context) != context.getRootClass().getIdentifier()) {
			return true;
		}
		RootClass root = context.getRootClass();
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
		return this.assignedAccepted;
	}

}
