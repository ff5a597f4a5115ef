package dev.idspring.annotation;

import java.lang.reflect.Member;

import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.BasicValue;
import org.jspecify.annotations.Nullable;

/**
 * Receives the annotated property from Hibernate. The version of Hibernate determines
 * which {@code initialize} method is called.
 */
abstract class GeneratedIdInitializer implements AnnotationBasedGenerator<GeneratedId> {

	/**
	 * Initialize the generator of a property.
	 * @param member the annotated field or method, or {@code null} if Hibernate does not
	 * provide it
	 */
	abstract void initializeProperty(GeneratedId annotation, @Nullable Member member, GeneratorCreationContext context);

	/**
	 * {@inheritDoc}
	 *
	 * Called by Hibernate 7.3 and later. The inherited implementation finds the member
	 * only if its type is basic.
	 */
	@Override
	public final void initialize(GeneratedId annotation, GeneratorCreationContext context) {
		if (context.getProperty().getValue() instanceof BasicValue) {
			AnnotationBasedGenerator.super.initialize(annotation, context);
		}
		else {
			initializeProperty(annotation, null, context);
		}
	}

	/**
	 * {@inheritDoc}
	 *
	 * Called by earlier versions of Hibernate and, for a property of a basic type, by the
	 * inherited implementation of the other method.
	 */
	@Override
	@SuppressWarnings("removal")
	public final void initialize(GeneratedId annotation, Member member, GeneratorCreationContext context) {
		initializeProperty(annotation, member, context);
	}

}
