package dev.idspring.autoconfigure.web;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.persistence.IdFormats;
import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.util.CollectionUtils;
import org.springframework.util.ObjectUtils;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.invoker.CookieValueArgumentResolver;
import org.springframework.web.service.invoker.HttpRequestValues;
import org.springframework.web.service.invoker.HttpServiceArgumentResolver;
import org.springframework.web.service.invoker.PathVariableArgumentResolver;
import org.springframework.web.service.invoker.RequestHeaderArgumentResolver;
import org.springframework.web.service.invoker.RequestParamArgumentResolver;

/**
 * Sends ids in their text form if they are path variables, request parameters, headers or
 * cookies of an HTTP service client. This resolver leaves all other arguments to the
 * resolvers after it.
 * <p>
 * The auto-configuration adds this resolver to all groups of HTTP services. If the
 * application creates an {@code HttpServiceProxyFactory} itself, it must register this
 * resolver as the first custom argument resolver.
 *
 * @since 0.1.0
 */
public final class IdArgumentResolver implements HttpServiceArgumentResolver {

	private final IdTextConverter converter;

	private final Map<Class<? extends Annotation>, HttpServiceArgumentResolver> resolvers;

	/**
	 * Create a resolver.
	 * @param formats finds the text form of ids
	 */
	public IdArgumentResolver(IdFormats formats) {
		this.converter = new IdTextConverter(formats);
		// if a map or a collection contains ids and other values, this service converts
		// the other values
		ConversionService conversions = new DefaultFormattingConversionService();
		this.resolvers = Map.of(PathVariable.class, new PathVariableArgumentResolver(conversions), RequestParam.class,
				new RequestParamArgumentResolver(conversions), RequestHeader.class,
				new RequestHeaderArgumentResolver(conversions), CookieValue.class,
				new CookieValueArgumentResolver(conversions));
	}

	/**
	 * {@inheritDoc}
	 * @throws IllegalArgumentException if a number or a UUID is not an id of the
	 * generator, or if a record contains no id
	 * @throws IdSetupException if {@link IdAsString @IdAsString} is on a request body or
	 * on an unsuitable type, or names a generator that does not exist
	 */
	@Override
	public boolean resolve(@Nullable Object argument, MethodParameter parameter,
			HttpRequestValues.Builder requestValues) {
		IdBinding.rejectBody(parameter);
		if (this.resolvers.keySet().stream().noneMatch(parameter::hasParameterAnnotation)) {
			return false;
		}
		TypeDescriptor type = new TypeDescriptor(parameter);
		if (!IdTextConverter.isAnnotated(type)
				&& values(argument).noneMatch((value) -> value.getClass().isAnnotationPresent(IdAsString.class))) {
			return false;
		}
		return this.resolvers.entrySet()
			.stream()
			.anyMatch((resolver) -> parameter.hasParameterAnnotation(resolver.getKey())
					&& resolver.getValue().resolve(textOf(argument, type), parameter, requestValues));
	}

	/**
	 * Return the values that an argument contains at any depth, or the argument itself if
	 * it is not a container. The keys of a map are not values.
	 */
	private static Stream<?> values(@Nullable Object argument) {
		Object value = normalize(argument);
		if (value instanceof Map<?, ?> map) {
			return map.values().stream().flatMap(IdArgumentResolver::values);
		}
		return (value instanceof Collection<?> elements) ? elements.stream().flatMap(IdArgumentResolver::values)
				: Stream.ofNullable(value);
	}

	private static @Nullable Object normalize(@Nullable Object argument) {
		Object value = ObjectUtils.unwrapOptional(argument);
		return ObjectUtils.isArray(value) ? CollectionUtils.arrayToList(value) : value;
	}

	/**
	 * Replace an id, or each id in a container, with its text form. Other values remain
	 * unchanged. The actual type of a value determines the text form, because the
	 * declared type of the parameter may be a type variable.
	 */
	private @Nullable Object textOf(@Nullable Object argument, TypeDescriptor parameter) {
		Object value = normalize(argument);
		if (value instanceof Map<?, ?> map) {
			Map<Object, @Nullable Object> texts = new LinkedHashMap<>();
			map.forEach((key, element) -> texts.put(key, textOf(element, parameter)));
			return texts;
		}
		if (value instanceof Collection<?> elements) {
			List<@Nullable Object> texts = new ArrayList<>();
			elements.forEach((element) -> texts.add(textOf(element, parameter)));
			return texts;
		}
		if (value == null) {
			return null;
		}
		IdFormat format = this.converter.find(
				new TypeDescriptor(ResolvableType.forClass(value.getClass()), null, parameter.getAnnotations()),
				parameter);
		try {
			return (format != null) ? format.format(value) : value;
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(IdTextConverter.describe(parameter) + ": " + ex.getMessage(), ex);
		}
	}

}
