package dev.idspring.hibernate;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.EnumSet;

import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.entity.EntityIds;
import dev.idspring.entity.IdRepresentation;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.jspecify.annotations.Nullable;

/**
 * Makes the values of one property. It runs before the insert, not with it, so that
 * Hibernate may batch inserts.
 */
final class EntityIdGenerator implements BeforeExecutionGenerator, AnnotationBasedGenerator<GeneratedId> {

	private static final long serialVersionUID = 1L;

	private transient @Nullable GeneratedIds ids;

	private transient @Nullable Mapping mapping;

	private transient volatile @Nullable IdGenerator generator;

	/**
	 * For Spring, where Hibernate asks it for an instance: the only public one is taken.
	 */
	public EntityIdGenerator(GeneratedIds ids) {
		this.ids = ids;
	}

	/**
	 * For Hibernate, where it has no container or that has no such bean.
	 */
	EntityIdGenerator() {
	}

	/**
	 * {@inheritDoc}
	 *
	 * Hibernate 7.3 has another method in place of this one, which earlier ones do not
	 * know.
	 */
	@Override
	@SuppressWarnings("removal")
	public void initialize(GeneratedId annotation, Member member, GeneratorCreationContext context) {
		String property = property(member, context);
		Class<?> type = type(member, context);
		Mapping mapping = new Mapping(annotation.value(), context.getValue().getTable().getName(), property,
				form(type, property), type, isGivenAccepted(context));
		GeneratedIds ids = (this.ids != null) ? this.ids : fromSettings(context, property);
		this.mapping = mapping;
		this.ids = ids;
		ids.add(this);
	}

	private static String property(Member member, GeneratorCreationContext context) {
		PersistentClass entity = context.getPersistentClass();
		Property property = context.getProperty();
		return ((entity != null) ? entity.getEntityName() : member.getDeclaringClass().getName()) + "."
				+ ((property != null) ? property.getName() : member.getName());
	}

	/**
	 * What a type variable stands for is known to Hibernate, primitive types are not.
	 */
	private static Class<?> type(Member member, GeneratorCreationContext context) {
		Class<?> declared = (member instanceof Method method) ? method.getReturnType() : ((Field) member).getType();
		return declared.isPrimitive() ? declared : context.getValue().getType().getReturnedClass();
	}

	/**
	 * Whether an entity may be new although it has an id. Only a version that is
	 * {@code null} tells that. Without one, Hibernate would have to look for the row of
	 * every detached entity that a new one refers to. Of an id with several parts the
	 * others are given in any case, and parts of embeddables know no entity.
	 */
	private static boolean isGivenAccepted(GeneratorCreationContext context) {
		if (context.getPersistentClass() == null || context.getValue() != context.getRootClass().getIdentifier()) {
			return true;
		}
		RootClass root = context.getRootClass();
		Property version = root.getVersion();
		return version != null && !version.getGetter(root.getMappedClass()).getReturnTypeClass().isPrimitive();
	}

	private static IdRepresentation form(Class<?> type, String property) {
		try {
			return IdRepresentation.of(type, property);
		}
		catch (IllegalArgumentException ex) {
			throw new IdSetupException(String.valueOf(ex.getMessage()), "In the latter case remove @GeneratedId.", ex);
		}
	}

	private static GeneratedIds fromSettings(GeneratorCreationContext context, String property) {
		Object found = context.getServiceRegistry()
			.requireService(ConfigurationService.class)
			.getSettings()
			.get(GeneratedIds.SETTING);
		if (found instanceof GeneratedIds ids) {
			return ids;
		}
		throw new IdSetupException(
				property + " is annotated with @GeneratedId, but its session factory knows no id generators.",
				"Let Spring Boot configure the EntityManagerFactory, with ids.enabled not set to false, or put the"
						+ " GeneratedIds bean into its JPA properties as '" + GeneratedIds.SETTING
						+ "'. A test of a slice, such as @DataJpaTest, needs @AutoConfigureTestIds.");
	}

	/**
	 * Look up the generator, unless that was done.
	 */
	IdGenerator resolve(EntityIds ids) {
		IdGenerator generator = this.generator;
		if (generator == null) {
			generator = mapping().generator(ids);
			this.generator = generator;
		}
		return generator;
	}

	@Override
	public Object generate(SharedSessionContractImplementor session, Object owner, @Nullable Object currentValue,
			EventType eventType) {
		Mapping mapping = mapping();
		if (currentValue != null && !IdRepresentation.isMissing(currentValue, mapping.type())) {
			return currentValue;
		}
		IdGenerator generator = this.generator;
		if (generator == null) {
			generator = resolve(ids().ids());
		}
		return mapping.type().isPrimitive() ? mapping.form().nextNonZero(generator) : mapping.form().next(generator);
	}

	@Override
	public EnumSet<EventType> getEventTypes() {
		return EventTypeSets.INSERT_ONLY;
	}

	@Override
	public boolean allowAssignedIdentifiers() {
		return mapping().given();
	}

	private Mapping mapping() {
		return initialized(this.mapping);
	}

	private GeneratedIds ids() {
		return initialized(this.ids);
	}

	private static <T> T initialized(@Nullable T value) {
		if (value == null) {
			throw new IllegalStateException("Not initialized by Hibernate");
		}
		return value;
	}

	/**
	 * What the property says of itself.
	 *
	 * @param name the name of the generator, may be empty
	 * @param table where the column is, {@code null} if that has no name
	 * @param property the entity and the property
	 * @param form what it keeps
	 * @param type its type: zero is no id if that is primitive
	 * @param given whether an entity with an id may be new
	 */
	private record Mapping(String name, @Nullable String table, String property, IdRepresentation form, Class<?> type,
			boolean given) {

		IdGenerator generator(EntityIds ids) {
			try {
				return ids.generator(this.name, this.table);
			}
			catch (IllegalArgumentException ex) {
				throw new IdSetupException(
						this.property + " is annotated with @GeneratedId(\"" + this.name + "\"). " + ex.getMessage(),
						"Configure a generator of that name, or name another one in the annotation.", ex);
			}
		}

	}

}
