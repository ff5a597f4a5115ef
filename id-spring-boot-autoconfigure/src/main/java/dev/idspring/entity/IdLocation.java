package dev.idspring.entity;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * A property or a parameter that carries {@link IdAsString @IdAsString}.
 *
 * @param annotation the annotation
 * @param all all annotations of the place
 * @param owner the class that has the property, {@code null} if there is none
 * @param description how messages name the place
 * @since 0.1.0
 */
public record IdLocation(IdAsString annotation, Iterable<? extends Annotation> all, @Nullable Class<?> owner,
		String description) {

	/**
	 * Return the generator that {@code @GeneratedId} names. There is one for each library
	 * that saves entities, none of which need be there.
	 * @param annotations the annotations of a property
	 * @return its name, empty if the table decides, {@code null} if there is no such
	 * annotation
	 */
	public static @Nullable String generatedFrom(Iterable<? extends Annotation> annotations) {
		for (Annotation annotation : annotations) {
			if (isGeneratedId(annotation)) {
				return valueOf(annotation);
			}
			for (Annotation composed : annotation.annotationType().getAnnotations()) {
				if (isGeneratedId(composed)) {
					return valueOf(composed);
				}
			}
		}
		return null;
	}

	private static boolean isGeneratedId(Annotation annotation) {
		Class<?> type = annotation.annotationType();
		return type.getName().startsWith("dev.idspring.") && type.getSimpleName().equals("GeneratedId");
	}

	private static String valueOf(Annotation annotation) {
		try {
			Method value = annotation.annotationType().getMethod("value");
			value.trySetAccessible();
			return (String) value.invoke(annotation);
		}
		catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException ex) {
			throw new IllegalStateException("@" + annotation.annotationType().getName() + " has no name of a generator",
					ex);
		}
	}

}
