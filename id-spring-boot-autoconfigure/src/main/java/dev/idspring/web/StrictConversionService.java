package dev.idspring.web;

import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;

/**
 * Has the last word on ids. When a conversion fails, data binding tries a property editor
 * instead, and that of numbers would read {@code 42} as the number 42 although it is not
 * the text of an id: so the failure is one that data binding does not try to mend.
 */
final class StrictConversionService implements ConversionService {

	private final ConversionService delegate;

	private final WebIds ids;

	StrictConversionService(ConversionService delegate, WebIds ids) {
		this.delegate = delegate;
		this.ids = ids;
	}

	@Override
	public boolean canConvert(@Nullable Class<?> sourceType, Class<?> targetType) {
		return this.delegate.canConvert(sourceType, targetType);
	}

	@Override
	public boolean canConvert(@Nullable TypeDescriptor sourceType, TypeDescriptor targetType) {
		return this.delegate.canConvert(sourceType, targetType);
	}

	@Override
	public <T> @Nullable T convert(@Nullable Object source, Class<T> targetType) {
		return this.delegate.convert(source, targetType);
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

}
