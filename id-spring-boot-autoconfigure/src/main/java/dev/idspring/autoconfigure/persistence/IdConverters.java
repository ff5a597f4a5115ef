package dev.idspring.autoconfigure.persistence;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.InvalidSettingException;
import dev.idspring.annotation.IdType;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.convert.WritingConverter;
import org.springframework.util.ClassUtils;

/**
 * Converts typed ids, which are records with one component, to column values and back,
 * for Spring Data JDBC and R2DBC. If Spring Boot configures their conversions, it
 * converts all records in the packages of entities that are annotated with
 * {@link dev.idspring.annotation.IdAsString @IdAsString}. An application with its own
 * conversions must add these converters.
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
	 * @throws IllegalArgumentException if a type is not a record with one {@code long},
	 * {@code Long}, {@code int}, {@code Integer}, {@code String} or {@code UUID}
	 */
	public static List<GenericConverter> of(Class<?>... types) {
		return of(given(types), UUID.class);
	}

	/**
	 * Return converters for a database without a type for UUIDs, such as MySQL. They
	 * write UUIDs, also those in typed ids, as 16 bytes, most significant first.
	 * @param types typed ids
	 * @return two converters for each type, and for {@code UUID}
	 * @throws IllegalArgumentException as {@link #of} does
	 */
	public static List<GenericConverter> withBinaryUuids(Class<?>... types) {
		return withBinaryUuids(given(types));
	}

	private static List<Class<?>> given(Class<?>[] types) {
		List<Class<?>> given = Arrays.asList(InvalidSettingException.requireGiven(IdConverters.class, "types", types));
		return InvalidSettingException.requireElements(IdConverters.class, "types", given);
	}

	static List<GenericConverter> withBinaryUuids(Collection<Class<?>> types) {
		return Stream
			.concat(of(types, byte[].class).stream(),
					IdType.of(UUID.class).stream().flatMap((id) -> converters(UUID.class, id, byte[].class)))
			.toList();
	}

	/**
	 * Return converters.
	 * @param types typed ids
	 * @param uuids the type that UUIDs are written as
	 */
	static List<GenericConverter> of(Collection<Class<?>> types, Class<?> uuids) {
		return types.stream().flatMap((type) -> {
			IdType id = IdType.of(type)
				.filter(IdType::isRecord)
				.orElseThrow(() -> new IllegalArgumentException(type.getTypeName()
						+ " is no typed id: that is a record with one long, Long, int, Integer, String or UUID."));
			return converters(type, id, uuids);
		}).toList();
	}

	private static Stream<GenericConverter> converters(Class<?> type, IdType id, Class<?> uuids) {
		Class<?> value = ClassUtils.resolvePrimitiveIfNecessary(id.value());
		return Stream.of(new Writer(type, id, (value == UUID.class) ? uuids : value), new Reader(type, id));
	}

	/**
	 * Writes the value of a typed id.
	 */
	@WritingConverter
	private record Writer(Class<?> type, IdType id, Class<?> column) implements GenericConverter {

		@Override
		public Set<ConvertiblePair> getConvertibleTypes() {
			return Set.of(new ConvertiblePair(this.type, this.column));
		}

		@Override
		public @Nullable Object convert(@Nullable Object source, TypeDescriptor from, TypeDescriptor to) {
			Object value = (source != null) ? this.id.unwrap(source) : null;
			return (value instanceof UUID uuid && this.column == byte[].class) ? ByteBuffer.allocate(2 * Long.BYTES)
				.putLong(uuid.getMostSignificantBits())
				.putLong(uuid.getLeastSignificantBits())
				.array() : value;
		}

	}

	/**
	 * Makes a typed id from the value that a driver reads.
	 */
	@ReadingConverter
	private record Reader(Class<?> type, IdType id) implements GenericConverter {

		@Override
		public Set<ConvertiblePair> getConvertibleTypes() {
			Set<Class<?>> read = new LinkedHashSet<>();
			Class<?> value = ClassUtils.resolvePrimitiveIfNecessary(this.id.value());
			read.add(value);
			if (value == UUID.class) {
				read.addAll(List.of(String.class, byte[].class));
			}
			else if (value != String.class) {
				read.addAll(List.of(Long.class, Integer.class));
			}
			// a UUID needs no conversion to itself
			read.remove(this.type);
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
			if (source instanceof byte[] bytes) {
				ByteBuffer halves = ByteBuffer.wrap(bytes);
				return new UUID(halves.getLong(), halves.getLong());
			}
			return (value == UUID.class && source instanceof String text) ? UUID.fromString(text) : source;
		}

	}

}
