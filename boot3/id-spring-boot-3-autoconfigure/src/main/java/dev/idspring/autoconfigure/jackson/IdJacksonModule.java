package dev.idspring.autoconfigure.jackson;

import java.io.IOException;
import java.util.function.BiFunction;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.idspring.InvalidSettingException;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.jspecify.annotations.Nullable;

/**
 * Module for Jackson 2 that writes and reads the text form of ids that are marked with
 * {@link dev.idspring.annotation.IdAsString @IdAsString}. A serializer or deserializer
 * that one of Jackson's own annotations names takes precedence.
 *
 * @since 0.1.0
 */
public final class IdJacksonModule extends SimpleModule {

	private static final long serialVersionUID = 1L;

	private final transient IdFormats formats;

	/**
	 * Create a module.
	 * @param formats finds the text form of ids when a type is first written or read
	 */
	public IdJacksonModule(IdFormats formats) {
		super("ids");
		InvalidSettingException.requireGiven(IdJacksonModule.class, "formats", formats);
		this.formats = formats;
	}

	@Override
	public Object getTypeId() {
		return IdJacksonModule.class.getName();
	}

	@Override
	public void setupModule(SetupContext context) {
		super.setupModule(context);
		context.appendAnnotationIntrospector(new Introspector());
	}

	/**
	 * Selects serializers and deserializers for annotated elements.
	 */
	private final class Introspector extends NopAnnotationIntrospector {

		private static final long serialVersionUID = 1L;

		@Override
		public @Nullable Object findSerializer(Annotated annotated) {
			return find(annotated, IdElement.VALUE, IdSerializer::ofValues);
		}

		@Override
		public @Nullable Object findContentSerializer(Annotated annotated) {
			return ofProperty(annotated, IdElement.CONTENT, IdSerializer::ofValues);
		}

		@Override
		public @Nullable Object findKeySerializer(Annotated annotated) {
			return find(annotated, IdElement.KEY, IdSerializer::ofKeys);
		}

		@Override
		public @Nullable Object findDeserializer(Annotated annotated) {
			return find(annotated, IdElement.VALUE, IdDeserializer::new);
		}

		@Override
		public @Nullable Object findContentDeserializer(Annotated annotated) {
			return ofProperty(annotated, IdElement.CONTENT, IdDeserializer::new);
		}

		@Override
		public @Nullable Object findKeyDeserializer(Annotated annotated) {
			return find(annotated, IdElement.KEY, (format, type) -> new KeyDeserializer() {

				@Override
				public Object deserializeKey(String key, DeserializationContext context) throws IOException {
					return IdDeserializer.parse(format, key, type, context);
				}

			});
		}

		private @Nullable Object find(Annotated annotated, IdElement element,
				BiFunction<IdFormat, Class<?>, Object> factory) {
			if (!(annotated instanceof AnnotatedClass)) {
				return ofProperty(annotated, element, factory);
			}
			IdFormat format = IdJacksonModule.this.formats.ofType(annotated.getRawType());
			return (format != null) ? factory.apply(format, annotated.getRawType()) : null;
		}

		/**
		 * Create a serializer or deserializer if the given part of a property contains
		 * the ids. Reject an unsuitable property regardless of the given part.
		 */
		private @Nullable Object ofProperty(Annotated annotated, IdElement element,
				BiFunction<IdFormat, Class<?>, Object> factory) {
			if (!annotated.hasAnnotation(IdAsString.class) || !(annotated instanceof AnnotatedMember member)) {
				return null;
			}
			String description = "@IdAsString " + describe(member);
			JavaType type = typeOf(member);
			IdElement actual = elementOf(type, description);
			Class<?> idType = switch (actual) {
				case VALUE -> type.hasRawClass(long[].class) ? long.class : type.getRawClass();
				case CONTENT -> type.getContentType().getRawClass();
				case KEY -> type.getKeyType().getRawClass();
			};
			String generator = IdFormats
				.generatorName(StreamSupport.stream(member.annotations().spliterator(), false).toList());
			IdFormat format = IdJacksonModule.this.formats.of((generator != null) ? generator : "", idType,
					description);
			return (actual == element) ? factory.apply(format, (actual == IdElement.VALUE) ? type.getRawClass() : idType)
					: null;
		}

		private static IdElement elementOf(JavaType type, String description) {
			if (type.isMapLikeType()) {
				return IdElement.ofMap(type.getKeyType().getRawClass(), type.getContentType().getRawClass(),
						description);
			}
			boolean isContainer = (type.isContainerType() || type.isReferenceType()) && !type.hasRawClass(long[].class);
			return isContainer ? IdElement.CONTENT : IdElement.VALUE;
		}

		/**
		 * Return the type of a property. For a setter, this is the type of its last
		 * parameter.
		 */
		private static JavaType typeOf(AnnotatedMember member) {
			return (member instanceof AnnotatedMethod method && method.getParameterCount() > 0)
					? method.getParameterType(method.getParameterCount() - 1) : member.getType();
		}

		private static String describe(AnnotatedMember member) {
			String owner = member.getDeclaringClass().getTypeName();
			return (member instanceof AnnotatedParameter parameter)
					? "parameter " + (parameter.getIndex() + 1) + " of a creator of " + owner
					: owner + "." + member.getName();
		}

	}

}
