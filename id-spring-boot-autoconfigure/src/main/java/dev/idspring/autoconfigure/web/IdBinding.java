package dev.idspring.autoconfigure.web;

import java.util.function.Function;

import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.format.support.FormattingConversionService;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.bind.support.WebBindingInitializer;
import org.springframework.web.method.HandlerMethod;

/**
 * Makes Spring's data binding convert ids that are annotated with
 * {@link IdAsString @IdAsString}, and checks the annotated parameters at startup.
 */
final class IdBinding {

	private final IdTextConverter converter;

	/**
	 * Create a binding. It requests the generators only when it needs the first text
	 * form, because they may not exist yet.
	 */
	IdBinding(ObjectProvider<IdGenerators> generators) {
		this.converter = new IdTextConverter(new IdFormats(generators::getObject));
	}

	/**
	 * Return a post-processor that calls {@link #applyTo} for all beans of a type.
	 * @param initializerOf returns the initializer of a bean's data binding, or
	 * {@code null} if the bean has none
	 */
	static <T> BeanPostProcessor postProcessor(Class<T> type, ObjectProvider<IdGenerators> generators,
			Function<T, @Nullable WebBindingInitializer> initializerOf) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String beanName) {
				if (type.isInstance(bean)) {
					new IdBinding(generators).applyTo(initializerOf.apply(type.cast(bean)));
				}
				return bean;
			}

		};
	}

	/**
	 * Register the converter of ids, and make data binding fail if the converter rejects
	 * a string.
	 * @param initializer the initializer; it remains unchanged unless it is configurable
	 * and has a {@link FormattingConversionService}
	 */
	void applyTo(@Nullable WebBindingInitializer initializer) {
		if (initializer instanceof ConfigurableWebBindingInitializer configurable
				&& configurable.getConversionService() instanceof FormattingConversionService conversions) {
			conversions.addConverter(this.converter);
			configurable.setConversionService(new StrictConversionService(conversions, this.converter));
		}
	}

	/**
	 * Check all parameters that are annotated, or whose type is annotated, with
	 * {@link IdAsString @IdAsString}.
	 * @param methods the methods whose parameters are checked
	 * @throws IdSetupException if a parameter has an unsuitable type or names an unknown
	 * generator, or if a request body or a return value is annotated
	 */
	void check(Iterable<HandlerMethod> methods) {
		for (HandlerMethod method : methods) {
			if (method.hasMethodAnnotation(IdAsString.class)) {
				throw withoutEffect("the return value of " + ClassUtils.getQualifiedMethodName(method.getMethod())
						+ " is not converted by Spring's data binding.");
			}
			for (MethodParameter parameter : method.getMethodParameters()) {
				check(parameter);
			}
		}
	}

	private void check(MethodParameter parameter) {
		rejectBody(parameter);
		this.converter.check(new TypeDescriptor(parameter));
	}

	/**
	 * Reject annotated parameters of HTTP service clients that do not use an
	 * {@link IdArgumentResolver}, because these clients would send the ids as numbers.
	 * @param methods the methods of these clients
	 * @throws IdSetupException if a parameter is annotated and is not a request attribute
	 */
	void rejectUnresolved(Iterable<HandlerMethod> methods) {
		for (HandlerMethod method : methods) {
			for (MethodParameter parameter : method.getMethodParameters()) {
				if (IdTextConverter.isAnnotated(new TypeDescriptor(parameter))
						&& !parameter.hasParameterAnnotation(RequestAttribute.class)) {
					throw new IdSetupException(
							"@IdAsString has no effect here: the client sends " + IdTextConverter.describe(parameter)
									+ " as a number, which may be the text form of another id.",
							"Pass the IdArgumentResolver bean to customArgumentResolver(…) of the HttpServiceProxyFactory that"
									+ " creates the client, or import the client with @ImportHttpServices.");
				}
			}
		}
	}

	/**
	 * Reject {@code @IdAsString} on a request body, or on a part of a multipart request.
	 */
	static void rejectBody(MethodParameter parameter) {
		if (parameter.hasParameterAnnotation(IdAsString.class) && (parameter.hasParameterAnnotation(RequestBody.class)
				|| parameter.hasParameterAnnotation(RequestPart.class))) {
			throw withoutEffect(IdTextConverter.describe(parameter)
					+ " is a body, which is not converted by Spring's data binding.");
		}
	}

	/**
	 * Return the exception for an annotation that would have no effect.
	 */
	private static IdSetupException withoutEffect(String reason) {
		return new IdSetupException("@IdAsString has no effect here: " + reason,
				"Annotate the properties of the object that is read or written, or use an annotated record with a"
						+ " single component, as in @IdAsString(\"orders\") record OrderId(long value) {}.");
	}

	/**
	 * Makes data binding fail if the converter rejects a string. After a
	 * {@link ConversionFailedException}, data binding would fall back to a property
	 * editor. The editor reads {@code 42} as the number 42, but the text form of the id
	 * 42 may be different. After an {@link IllegalArgumentException}, data binding does
	 * not fall back.
	 * <p>
	 * This class extends {@link FormattingConversionService}, because applications may
	 * add converters to the conversion service of their data binders. All methods that
	 * add a converter call {@link #addConverter(GenericConverter)}, which adds it to the
	 * delegate.
	 */
	private static final class StrictConversionService extends FormattingConversionService {

		private final FormattingConversionService delegate;

		private final IdTextConverter converter;

		private StrictConversionService(FormattingConversionService delegate, IdTextConverter converter) {
			this.delegate = delegate;
			this.converter = converter;
		}

		@Override
		public @Nullable Object convert(@Nullable Object source, @Nullable TypeDescriptor sourceType,
				TypeDescriptor targetType) {
			rejectComponent(targetType);
			if (!IdTextConverter.isAnnotated(targetType)) {
				return this.delegate.convert(source, sourceType, targetType);
			}
			this.converter.check(targetType);
			try {
				return this.delegate.convert(source, sourceType, targetType);
			}
			catch (ConversionFailedException ex) {
				throw new IllegalArgumentException(ex.getMessage(), ex);
			}
		}

		/**
		 * Reject a request parameter for the component of a typed id, such as
		 * {@code id.value}. Otherwise, Spring would create the id from a plain number,
		 * and clients could bypass the secret of a generator.
		 */
		private static void rejectComponent(TypeDescriptor type) {
			if (type.getSource() instanceof MethodParameter parameter && parameter.getConstructor() != null
					&& parameter.getDeclaringClass().isAnnotationPresent(IdAsString.class)) {
				throw new IllegalArgumentException("An id of the type " + parameter.getDeclaringClass().getTypeName()
						+ " must be given in its text form");
			}
		}

		@Override
		public boolean canConvert(@Nullable TypeDescriptor sourceType, TypeDescriptor targetType) {
			return this.delegate.canConvert(sourceType, targetType);
		}

		@Override
		public void addConverter(GenericConverter converter) {
			this.delegate.addConverter(converter);
		}

		@Override
		public void removeConvertible(Class<?> sourceType, Class<?> targetType) {
			this.delegate.removeConvertible(sourceType, targetType);
		}

	}

}
