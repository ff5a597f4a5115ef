package dev.idspring.autoconfigure.web;

import java.util.Set;

import dev.idspring.autoconfigure.persistence.IdFormat;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;

/**
 * Converts between ids and their text form, both ways. Ids carry
 * {@link dev.idspring.annotation.IdAsString @IdAsString}, or their type does.
 */
final class IdTextConverter implements ConditionalGenericConverter {

	/**
	 * The general pairs, and those for which converters of numbers would otherwise be
	 * preferred.
	 */
	private static final Set<ConvertiblePair> PAIRS = Set.of(new ConvertiblePair(String.class, Object.class),
			new ConvertiblePair(String.class, Long.class), new ConvertiblePair(String.class, String.class),
			new ConvertiblePair(Object.class, String.class), new ConvertiblePair(Long.class, String.class));

	private final WebIds ids;

	/**
	 * Create a converter.
	 * @param formats finds the text form of ids
	 */
	IdTextConverter(IdFormats formats) {
		this.ids = new WebIds(formats);
	}

	@Override
	public Set<ConvertiblePair> getConvertibleTypes() {
		return PAIRS;
	}

	@Override
	public boolean matches(TypeDescriptor source, TypeDescriptor target) {
		return (isText(source) && this.ids.find(target) != null) || (isText(target) && this.ids.find(source) != null);
	}

	@Override
	public @Nullable Object convert(@Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
		if (source == null) {
			return null;
		}
		IdFormat parsed = isText(sourceType) ? this.ids.find(targetType) : null;
		if (parsed != null) {
			return parsed.parse((String) source);
		}
		IdFormat formatted = this.ids.find(sourceType);
		return (formatted != null) ? formatted.format(source) : source;
	}

	private static boolean isText(TypeDescriptor type) {
		return type.getType() == String.class;
	}

}
