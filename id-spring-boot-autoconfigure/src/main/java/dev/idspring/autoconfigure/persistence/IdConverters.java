package dev.idspring.autoconfigure.persistence;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.annotation.IdType;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.convert.WritingConverter;
import org.springframework.util.ClassUtils;

/**
 * Converts typed ids, which are records of one component, to the values of columns and
 * back, for Spring Data JDBC and R2DBC. Where Spring Boot configures their conversions,
 * the records in the packages of entities that are annotated with
 * {@link dev.idspring.annotation.IdAsString @IdAsString} are converted without further
 * ado. Conversions of the application's own need these converters.
 *
 * @since 0.1.0
 */
public final class IdConverters {

	private IdConverters() {
	}

	/**
	 * Return converters.
	 * @param types typed ids
	 * @return two converters for each type
	 * @throws IllegalArgumentException if a type is no record with one {@code long},
	 * {@code Long}, {@code int}, {@code Integer}, {@code String} or {@code UUID}
	 */
	public static List<GenericConverter> of(Class<?>... types) {
		return of(List.of(types));
	}

	static List<GenericConverter> of(Collection<Class<?>> types) {
		return types.stream().flatMap((type) -> {
			IdType id = IdType.of(type)
				.filter(IdType::isRecord)
				.orElseThrow(() -> new IllegalArgumentException(type.getTypeName()
						+ " is no typed id: that is a record with one long, Long, int, Integer, String or UUID."));
			return Stream.<GenericConverter>of(new Writer(type, id), new Reader(type, id));
		}).toList();
	}

	/**
	 * Writes the value of a typed id.
	 */
	@WritingConverter
	private record Writer(Class<?> type, IdType id) implements GenericConverter {

		@Override
		public Set<ConvertiblePair> getConvertibleTypes() {
			return Set.of(new ConvertiblePair(this.type, ClassUtils.resolvePrimitiveIfNecessary(this.id.value())));
		}

		@Override
		public @Nullable Object convert(@Nullable Object source, TypeDescriptor from, TypeDescriptor to) {
			return (source != null) ? this.id.unwrap(source) : null;
		}

	}

	/**
	 * Makes a typed id of what a driver reads.
	 */
	@ReadingConverter
	private record Reader(Class<?> type, IdType id) implements GenericConverter {

		@Override
		public Set<ConvertiblePair> getConvertibleTypes() {
			Set<Class<?>> read = new LinkedHashSet<>();
			Class<?> value = ClassUtils.resolvePrimitiveIfNecessary(this.id.value());
			read.add(value);
			if (value == UUID.class) {
				read.add(String.class);
			}
			else if (value != String.class) {
				read.addAll(List.of(Long.class, Integer.class));
			}
			return read.stream().map((source) -> new ConvertiblePair(source, this.type)).collect(Collectors.toSet());
		}

		@Override
		public @Nullable Object convert(@Nullable Object source, TypeDescriptor from, TypeDescriptor to) {
			return (source != null) ? this.id.wrap(value(source)) : null;
		}

		private Object value(Object source) {
			Class<?> value = ClassUtils.resolvePrimitiveIfNecessary(this.id.value());
			if (source instanceof Number number) {
				return (value == Long.class) ? (Object) number.longValue() : Math.toIntExact(number.longValue());
			}
			return (value == UUID.class && source instanceof String text) ? UUID.fromString(text) : source;
		}

	}

}
