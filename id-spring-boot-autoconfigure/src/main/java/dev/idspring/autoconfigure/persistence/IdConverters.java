package dev.idspring.autoconfigure.persistence;

import java.math.BigDecimal;
import java.math.BigInteger;
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
 * Creates the converters between typed ids and column values for Spring Data JDBC and
 * R2DBC. A typed id is a record with one component.
 * <p>
 * The auto-configuration adds converters for all records that are annotated with
 * {@link dev.idspring.annotation.IdAsString @IdAsString} in the packages that are scanned
 * for entities. An application that defines its own custom conversions must add the
 * converters to them.
 *
 * @since 0.1.0
 */
public final class IdConverters {

	private IdConverters() {
	}

	/**
	 * Return the converters for typed ids of the given types.
	 * @param types the types of the ids
	 * @return two converters for each type
	 * @throws IllegalArgumentException if a type is not a record with one {@code long},
	 * {@code Long}, {@code int}, {@code Integer}, {@code String} or {@code UUID}
	 */
	public static List<GenericConverter> of(Class<?>... types) {
		return of(requireTypes(types), UUID.class);
	}

	/**
	 * Return the converters for a database without a UUID type, such as MySQL. They write
	 * all UUIDs, including those in typed ids, as 16 bytes with the most significant byte
	 * first.
	 * @param types the types of the ids
	 * @return two converters for each type, and two for {@code UUID}
	 * @throws IllegalArgumentException if a type is not a typed id, as described in
	 * {@link #of}
	 */
	public static List<GenericConverter> withBinaryUuids(Class<?>... types) {
		return withBinaryUuids(requireTypes(types));
	}

	private static List<Class<?>> requireTypes(Class<?>[] types) {
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
	 * Return the converters for typed ids of the given types.
	 * @param types the types of the ids
	 * @param uuidType the type to which UUIDs in typed ids are converted for writing
	 */
	static List<GenericConverter> of(Collection<Class<?>> types, Class<?> uuidType) {
		return types.stream().flatMap((type) -> {
			IdType id = IdType.of(type)
				.filter(IdType::isRecord)
				.orElseThrow(() -> new IllegalArgumentException(type.getTypeName()
						+ " is not a typed id: a typed id is a record with one long, Long, int, Integer, String or UUID."));
			return converters(type, id, uuidType);
		}).toList();
	}

	private static Stream<GenericConverter> converters(Class<?> type, IdType id, Class<?> uuidType) {
		Class<?> value = ClassUtils.resolvePrimitiveIfNecessary(id.value());
		return Stream.of(new Writer(type, id, (value == UUID.class) ? uuidType : value), new Reader(type, id));
	}

	/**
	 * Writes the value of a typed id.
	 */
	@WritingConverter
	private record Writer(Class<?> type, IdType id, Class<?> columnType) implements GenericConverter {

		@Override
		public Set<ConvertiblePair> getConvertibleTypes() {
			return Set.of(new ConvertiblePair(this.type, this.columnType));
		}

		@Override
		public @Nullable Object convert(@Nullable Object source, TypeDescriptor from, TypeDescriptor to) {
			Object value = (source != null) ? this.id.unwrap(source) : null;
			return (value instanceof UUID uuid && this.columnType == byte[].class) ? ByteBuffer.allocate(2 * Long.BYTES)
				.putLong(uuid.getMostSignificantBits())
				.putLong(uuid.getLeastSignificantBits())
				.array() : value;
		}

	}

	/**
	 * Creates a typed id from the value that a driver returns.
	 */
	@ReadingConverter
	private record Reader(Class<?> type, IdType id) implements GenericConverter {

		@Override
		public Set<ConvertiblePair> getConvertibleTypes() {
			Set<Class<?>> sources = new LinkedHashSet<>();
			Class<?> value = ClassUtils.resolvePrimitiveIfNecessary(this.id.value());
			sources.add(value);
			if (value == UUID.class) {
				sources.addAll(List.of(String.class, byte[].class));
			}
			else if (value != String.class) {
				// drivers return BigInteger or BigDecimal for unsigned and decimal
				// columns
				sources.addAll(List.of(Long.class, Integer.class, Short.class, BigInteger.class, BigDecimal.class));
			}
			// a UUID needs no conversion to itself
			sources.remove(this.type);
			return sources.stream().map((source) -> new ConvertiblePair(source, this.type)).collect(Collectors.toSet());
		}

		@Override
		public @Nullable Object convert(@Nullable Object source, TypeDescriptor from, TypeDescriptor to) {
			return (source != null) ? this.id.wrap(value(source)) : null;
		}

		private Object value(Object source) {
			Class<?> value = ClassUtils.resolvePrimitiveIfNecessary(this.id.value());
			if (source instanceof Number number) {
				long id = (number instanceof BigDecimal decimal) ? decimal.longValueExact()
						: (number instanceof BigInteger integer) ? integer.longValueExact() : number.longValue();
				return (value == Long.class) ? (Object) id : Math.toIntExact(id);
			}
			if (source instanceof byte[] bytes) {
				ByteBuffer halves = ByteBuffer.wrap(bytes);
				return new UUID(halves.getLong(), halves.getLong());
			}
			return (value == UUID.class && source instanceof String text) ? UUID.fromString(text) : source;
		}

	}

}
