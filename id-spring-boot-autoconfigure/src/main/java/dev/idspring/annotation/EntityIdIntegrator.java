package dev.idspring.annotation;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.EmbeddableMappingType;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * Makes Hibernate fill all properties that are annotated with
 * {@link GeneratedId @GeneratedId}, except the key, before it validates an entity. By
 * default, Hibernate validates first, so {@code @NotBlank} on such a property would
 * reject every entity in which the property has no value yet. Hibernate discovers this
 * class through {@link java.util.ServiceLoader}.
 * <p>
 * When Hibernate inserts the row, it runs the generators again. They do not replace the
 * values that are already present.
 *
 * @since 0.1.0
 */
public final class EntityIdIntegrator implements Integrator {

	@Override
	public void integrate(Metadata metadata, BootstrapContext bootstrapContext,
			SessionFactoryImplementor sessionFactory) {
		sessionFactory.getEventEngine().getListenerRegistry().prependListeners(EventType.PRE_INSERT, new Filler());
	}

	@Override
	public void disintegrate(SessionFactoryImplementor sessionFactory, SessionFactoryServiceRegistry serviceRegistry) {
		// nothing to release
	}

	/**
	 * Fills the properties of entities that are about to be inserted.
	 */
	private static final class Filler implements PreInsertEventListener {

		private final Map<EntityPersister, List<AttributeMapping>> attributes = new ConcurrentHashMap<>();

		/**
		 * Called by reflection, because Hibernate 7.1 changed the return type.
		 */
		private final Method sessionGetter;

		private Filler() {
			try {
				this.sessionGetter = PreInsertEvent.class.getMethod("getSession");
			}
			catch (NoSuchMethodException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public boolean onPreInsert(PreInsertEvent event) {
			EntityPersister persister = event.getPersister();
			for (AttributeMapping attribute : this.attributes.computeIfAbsent(persister, Filler::generatedAttributes)) {
				int position = attribute.getStateArrayPosition();
				Object value = ((BeforeExecutionGenerator) attribute.getGenerator()).generate(session(event),
						event.getEntity(), event.getState()[position], org.hibernate.generator.EventType.INSERT);
				event.getState()[position] = value;
				persister.setValue(event.getEntity(), position, value);
			}
			return false;
		}

		private static List<AttributeMapping> generatedAttributes(EntityPersister persister) {
			return IntStream.range(0, persister.getNumberOfAttributeMappings())
				.mapToObj(persister::getAttributeMapping)
				.filter(Filler::isGenerated)
				.toList();
		}

		/**
		 * Return whether an attribute contains generated ids. For an embeddable, the
		 * annotations of its properties decide, because Hibernate combines the generators
		 * of all columns into one.
		 */
		private static boolean isGenerated(AttributeMapping attribute) {
			return attribute.getGenerator() instanceof EntityIdGenerator
					|| (attribute.getGenerator() instanceof BeforeExecutionGenerator
							&& attribute.isEmbeddedAttributeMapping()
							&& hasGeneratedIds(attribute.asEmbeddedAttributeMapping().getEmbeddableTypeDescriptor()));
		}

		private static boolean hasGeneratedIds(EmbeddableMappingType type) {
			return IntStream.range(0, type.getNumberOfAttributeMappings())
				.mapToObj((index) -> type.getAttributeMapping(index).getPropertyAccess().getGetter().getMember())
				.anyMatch((member) -> member instanceof AnnotatedElement annotated
						&& annotated.isAnnotationPresent(GeneratedId.class));
		}

		private SharedSessionContractImplementor session(PreInsertEvent event) {
			try {
				return (SharedSessionContractImplementor) this.sessionGetter.invoke(event);
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
