package dev.idspring.web;

import java.util.Set;

import dev.idspring.entity.IdFormat;
import dev.idspring.entity.IdFormats;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;

/**
 * Converts between ids and their text form, both ways. Ids are what carries
 * {@link dev.idspring.entity.IdAsString @IdAsString}, or is of a type that does.
 *
 * @since 0.1.0
 */
public final class IdTextConverter implements ConditionalGenericConverter {

	/**
	 * Besides the general ones those that would otherwise lose against converters of
	 * numbers.
	 */
	private static final Set<ConvertiblePair> PAIRS = Set.of(new ConvertiblePair(String.class, Object.class),
			new ConvertiblePair(String.class, Long.class), new ConvertiblePair(String.class, String.class),
			new ConvertiblePair(Object.class, String.class), new ConvertiblePair(Long.class, String.class));

	private final WebIds ids;

	/**
	 * Create a converter.
	 * @param texts finds the text form of what is annotated
	 */
	public IdTextConverter(IdFormats texts) {
		this.ids = new WebIds(texts);
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
