package dev.idspring.autoconfigure.web;

import java.lang.annotation.Annotation;

import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.format.AnnotationFormatterFactory;
import org.springframework.format.support.FormattingConversionService;
import org.springframework.util.StringValueResolver;

/**
 * Makes a refused id final. When a conversion fails, data binding tries a property editor
 * instead; the one for numbers would read {@code 42} as the number 42 although that is
 * not the text of an id. So the failure here is one that data binding does not recover
 * from.
 * <p>
 * Everything else is delegated. The type is that of the delegate because applications may
 * add converters to the conversion service of their data binders: all ways to add one end
 * in the methods overridden here.
 */
final class StrictConversionService extends FormattingConversionService {

	private final FormattingConversionService delegate;

	private final WebIds ids;

	StrictConversionService(FormattingConversionService delegate, WebIds ids) {
		this.delegate = delegate;
		this.ids = ids;
	}

	@Override
	public @Nullable Object convert(@Nullable Object source, @Nullable TypeDescriptor sourceType,
			TypeDescriptor targetType) {
		if (!WebIds.isAnnotated(targetType)) {
			return this.delegate.convert(source, sourceType, targetType);
		}
		this.ids.check(targetType);
		try {
			return this.delegate.convert(source, sourceType, targetType);
		}
		catch (ConversionFailedException ex) {
			throw new IllegalArgumentException(ex.getMessage(), ex);
		}
	}

	@Override
	public boolean canConvert(@Nullable TypeDescriptor sourceType, TypeDescriptor targetType) {
		return this.delegate.canConvert(sourceType, targetType);
	}

	@Override
	public boolean canBypassConvert(@Nullable TypeDescriptor sourceType, TypeDescriptor targetType) {
		return this.delegate.canBypassConvert(sourceType, targetType);
	}

	@Override
	public void addConverter(GenericConverter converter) {
		this.delegate.addConverter(converter);
	}

	@Override
	public void removeConvertible(Class<?> sourceType, Class<?> targetType) {
		this.delegate.removeConvertible(sourceType, targetType);
	}

	@Override
	public void setEmbeddedValueResolver(StringValueResolver resolver) {
		this.delegate.setEmbeddedValueResolver(resolver);
	}

	@Override
	public void addFormatterForFieldAnnotation(AnnotationFormatterFactory<? extends Annotation> factory) {
		this.delegate.addFormatterForFieldAnnotation(factory);
	}

	@Override
	public String toString() {
		return this.delegate.toString();
	}

}
