package dev.idspring.annotation;

import java.lang.reflect.Member;

import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.GeneratorCreationContext;
import org.jspecify.annotations.Nullable;

/**
 * Receives the annotated property from Hibernate. The starter for Spring Boot 3.5 has its
 * own copy of this class, because Hibernate 6 has only one {@code initialize} method.
 */
abstract class GeneratedIdInitializer implements AnnotationBasedGenerator<GeneratedId> {

	/**
	 * Initialize the generator of a property.
	 * @param member the annotated field or method, or {@code null} if Hibernate does not
	 * provide it
	 */
	abstract void initializeProperty(GeneratedId annotation, @Nullable Member member, GeneratorCreationContext context);

	@Override
	public final void initialize(GeneratedId annotation, Member member, GeneratorCreationContext context) {
		initializeProperty(annotation, member, context);
	}

}
