package dev.idspring.autoconfigure.persistence;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Finds the text form of ids in JSON and in requests. It looks generators up when the
 * first format is requested: JSON mappers and converters are created before them.
 *
 * @since 0.1.0
 */
public final class IdFormats {

	private final Supplier<IdGenerators> generators;

	private final ConcurrentMap<Class<?>, TypedId> types = new ConcurrentHashMap<>();

	/**
	 * Create the formats.
	 * @param generators supplies the generators
	 */
	public IdFormats(Supplier<IdGenerators> generators) {
		this.generators = generators;
	}

	/**
	 * Return the name of the generator whose ids a property or a parameter holds: the
	 * name in {@link IdAsString @IdAsString}, else the one in
	 * {@link GeneratedId @GeneratedId}.
	 * @param annotations the annotations of the property or the parameter
	 * @return the name, empty for the default generator; {@code null} if neither
	 * annotation is present
	 */
	public static @Nullable String generatorName(Collection<? extends Annotation> annotations) {
		AnnotatedElement element = AnnotatedElementUtils.forAnnotations(annotations.toArray(Annotation[]::new));
		IdAsString shown = AnnotatedElementUtils.findMergedAnnotation(element, IdAsString.class);
		if (shown != null && !shown.value().isEmpty()) {
			return shown.value();
		}
		GeneratedId generated = AnnotatedElementUtils.findMergedAnnotation(element, GeneratedId.class);
		if (generated != null) {
			return generated.value();
		}
		return (shown != null) ? "" : null;
	}

	/**
	 * Return the text form of a type that is annotated itself.
	 * @param type any type
	 * @return its text form, or {@code null} if the type is not annotated
	 * @throws IllegalArgumentException if the generator does not exist, or the type does
	 * not hold a single value
	 */
	public @Nullable IdFormat ofType(Class<?> type) {
		IdAsString annotation = type.getAnnotation(IdAsString.class);
		if (annotation == null) {
			return null;
		}
		String description = "@IdAsString " + type.getTypeName();
		return typed(generator(annotation.value(), description), type, description);
	}

	/**
	 * Return the text form of the ids that a property or a parameter holds.
	 * @param generator the name of the generator, empty for the default one
	 * @param type the type of the ids: of the property itself, or of the elements of a
	 * container
	 * @param description how messages name the property or the parameter
	 * @return their text form
	 * @throws IllegalArgumentException if the generator does not exist, or the type
	 * cannot hold ids; the message names the property and the remedy
	 */
	public IdFormat of(String generator, Class<?> type, String description) {
		IdFormat own = ofType(type);
		if (own == null) {
			IdGenerator found = generator(generator, description);
			return TypedId.isValue(type) ? new IdFormat(found, type) : typed(found, type, description);
		}
		if (!generator.isEmpty() && !generator.equals(own.generatorName())) {
			throw new IllegalArgumentException(
					description + " names the generator '" + generator + "', but its type " + type.getTypeName()
							+ " is an id of '" + own.generatorName() + "': remove one of the two annotations.");
		}
		return own;
	}

	private IdFormat typed(IdGenerator generator, Class<?> type, String description) {
		return new IdFormat(generator, this.types.computeIfAbsent(type, (key) -> TypedId.of(key, description)));
	}

	private IdGenerator generator(String name, String description) {
		IdGenerators generators = this.generators.get();
		try {
			return generators.get(name.isEmpty() ? "default" : name);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(description + ": " + ex.getMessage(), ex);
		}
	}

}
