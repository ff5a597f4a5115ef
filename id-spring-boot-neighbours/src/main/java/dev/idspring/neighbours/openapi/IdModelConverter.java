package dev.idspring.neighbours.openapi;

import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.Iterator;
import java.util.UUID;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.type.TypeFactory;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.persistence.IdFormats;
import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import dev.idspring.monitor.ManagedIdGenerator;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.oas.models.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Describes ids in JSON and in requests as strings, with an example and the pattern of
 * their generator. A {@code UUID} without {@code @IdAsString} gets no pattern. The
 * example is the last id of the key space. The generator issues this id only when the key
 * space is used up, so no row has this id before then.
 * <p>
 * A {@code @Schema} annotation takes precedence.
 */
final class IdModelConverter implements ModelConverter {

	private final IdFormats formats;

	/**
	 * Create a converter.
	 * @param formats finds the text form of ids
	 */
	IdModelConverter(IdFormats formats) {
		this.formats = formats;
	}

	@Override
	public @Nullable Schema<?> resolve(AnnotatedType type, ModelConverterContext context,
			Iterator<ModelConverter> chain) {
		JavaType javaType = TypeFactory.defaultInstance().constructType(type.getType());
		Annotation[] annotations = (type.getCtxAnnotations() != null) ? type.getCtxAnnotations() : new Annotation[0];
		if (javaType.isContainerType()) {
			// Swagger passes the annotations of a container to its elements. In a map
			// with Long keys, the keys are the ids, so the values must not get
			// @IdAsString
			return next((javaType.isMapLikeType() && javaType.getKeyType().hasRawClass(Long.class)) ? withoutIds(type)
					: type, context, chain);
		}
		Class<?> raw = javaType.getRawClass();
		boolean asString = isAnnotated(annotations) || raw.isAnnotationPresent(IdAsString.class);
		IdFormat format = asString ? annotatedFormat(type, raw, annotations) : generatedFormat(raw, annotations);
		if (format == null) {
			return next(type, context, chain);
		}
		boolean asUuid = raw == UUID.class && !asString;
		Schema<?> schema = next(copy(type).type(asUuid ? UUID.class : String.class).ctxAnnotations(annotations),
				context, chain);
		if (schema != null && format.generator() instanceof ManagedIdGenerator generator) {
			complete(schema, asUuid ? null : generator.textPattern(), example(generator, asUuid));
		}
		return schema;
	}

	private static @Nullable Schema<?> next(AnnotatedType type, ModelConverterContext context,
			Iterator<ModelConverter> chain) {
		return chain.hasNext() ? chain.next().resolve(type, context, chain) : null;
	}

	private static boolean isAnnotated(Annotation[] annotations) {
		return Arrays.stream(annotations).anyMatch(IdAsString.class::isInstance);
	}

	private @Nullable IdFormat annotatedFormat(AnnotatedType type, Class<?> raw, Annotation[] annotations) {
		if (!isAnnotated(annotations)) {
			return this.formats.ofType(raw);
		}
		String generator = IdFormats.generatorName(Arrays.asList(annotations));
		return this.formats.of((generator != null) ? generator : "", raw,
				"@IdAsString " + ((type.getPropertyName() != null) ? type.getPropertyName() : raw.getTypeName()));
	}

	/**
	 * Return the text form of a property with {@code @GeneratedId} but without
	 * {@code @IdAsString}. The result is {@code null} unless the property is a
	 * {@code String} or a {@code UUID}, because JSON contains only these types as
	 * strings.
	 */
	private @Nullable IdFormat generatedFormat(Class<?> raw, Annotation[] annotations) {
		String generator = (raw == String.class || raw == UUID.class)
				? IdFormats.generatorName(Arrays.asList(annotations)) : null;
		try {
			return (generator != null) ? this.formats.of(generator, raw, "@GeneratedId") : null;
		}
		catch (IllegalArgumentException ex) {
			// the generator has scopes, each with its own text form, or does not exist
			return null;
		}
	}

	private static void complete(Schema<?> schema, @Nullable String pattern, @Nullable String example) {
		if (schema.getPattern() == null) {
			schema.setPattern(pattern);
		}
		if (schema.getExample() == null && example != null) {
			schema.setExample(example);
		}
	}

	private static @Nullable String example(ManagedIdGenerator generator, boolean asUuid) {
		try {
			return asUuid ? generator.toUuid(generator.lastId()).toString() : generator.format(generator.lastId());
		}
		catch (IllegalArgumentException ex) {
			// the last id contains a time that is too late for a UUID
			return null;
		}
	}

	private static AnnotatedType withoutIds(AnnotatedType type) {
		return copy(type).ctxAnnotations(Arrays.stream(type.getCtxAnnotations())
			.filter((annotation) -> !(annotation instanceof IdAsString))
			.toArray(Annotation[]::new));
	}

	private static AnnotatedType copy(AnnotatedType type) {
		return new AnnotatedType(type.getType()).name(type.getName())
			.parent(type.getParent())
			.jsonUnwrappedHandler(type.getJsonUnwrappedHandler())
			.skipOverride(type.isSkipOverride())
			.schemaProperty(type.isSchemaProperty())
			.ctxAnnotations(type.getCtxAnnotations())
			.resolveAsRef(type.isResolveAsRef())
			.jsonViewAnnotation(type.getJsonViewAnnotation())
			.skipSchemaName(type.isSkipSchemaName())
			.propertyName(type.getPropertyName())
			.components(type.getComponents())
			.subtype(type.isSubtype());
	}

}
