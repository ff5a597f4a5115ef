package dev.idspring.autoconfigure.persistence;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.support.GenericConversionService;
import org.springframework.data.convert.CustomConversions;
import org.springframework.data.convert.CustomConversions.StoreConversions;
import org.springframework.data.mapping.model.SimpleTypeHolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link IdConverters}.
 */
class IdConvertersTests {

	private final GenericConversionService service = new GenericConversionService();

	private final CustomConversions conversions = new CustomConversions(
			StoreConversions.of(new SimpleTypeHolder(Set.of(UUID.class), true)),
			IdConverters.of(OrderId.class, Code.class, Small.class, Key.class));

	IdConvertersTests() {
		this.conversions.registerConvertersIn(this.service);
	}

	@Test
	void valuesAreWrittenAndReadBack() {
		UUID uuid = UUID.randomUUID();
		assertConverted(new OrderId(7), Long.class, 7L);
		assertConverted(new Code("a"), String.class, "a");
		assertConverted(new Small(3), Integer.class, 3);
		assertConverted(new Key(uuid), UUID.class, uuid);
	}

	private void assertConverted(Object id, Class<?> column, Object value) {
		assertThat(this.conversions.getCustomWriteTarget(id.getClass())).contains(column);
		assertThat(this.conversions.isSimpleType(id.getClass())).isTrue();
		assertThat((Object) this.service.convert(id, column)).isEqualTo(value);
		assertThat((Object) this.service.convert(value, id.getClass())).isEqualTo(id);
	}

	@Test
	void valuesOfOtherTypesThatDriversReturnAreConverted() {
		UUID uuid = UUID.randomUUID();
		assertThat(this.service.convert(7, OrderId.class)).isEqualTo(new OrderId(7));
		assertThat(this.service.convert(3L, Small.class)).isEqualTo(new Small(3));
		assertThat(this.service.convert((short) 3, Small.class)).isEqualTo(new Small(3));
		assertThat(this.service.convert(BigInteger.valueOf(7), OrderId.class)).isEqualTo(new OrderId(7));
		assertThat(this.service.convert(new BigDecimal("7"), OrderId.class)).isEqualTo(new OrderId(7));
		assertThatExceptionOfType(ConversionFailedException.class)
			.isThrownBy(() -> this.service.convert(new BigDecimal("7.5"), OrderId.class));
		assertThat(this.service.convert(uuid.toString(), Key.class)).isEqualTo(new Key(uuid));
	}

	@Test
	void binaryUuidsHaveSixteenBytesInBigEndianOrder() {
		UUID uuid = UUID.fromString("00112233-4455-8677-8899-aabbccddeeff");
		GenericConversionService binary = new GenericConversionService();
		IdConverters.withBinaryUuids(Key.class, OrderId.class).forEach(binary::addConverter);
		byte[] bytes = binary.convert(uuid, byte[].class);
		assertThat(bytes).hasSize(16).startsWith(0, 0x11, 0x22).endsWith(0xDD, 0xEE, 0xFF);
		assertThat(binary.convert(new Key(uuid), byte[].class)).isEqualTo(bytes);
		assertThat(binary.convert(bytes, UUID.class)).isEqualTo(uuid);
		assertThat(binary.convert(bytes, Key.class)).isEqualTo(new Key(uuid));
		assertThat(binary.convert(uuid.toString(), UUID.class)).isEqualTo(uuid);
		assertThat(binary.convert(new OrderId(7), Long.class)).isEqualTo(7);
	}

	@Test
	void unsupportedTypesAreRejected() {
		for (Class<?> type : List.of(String.class, Object.class, Pair.class)) {
			assertThatIllegalArgumentException().isThrownBy(() -> IdConverters.of(type))
				.withMessageContainingAll(type.getTypeName(), "is not a typed id");
		}
	}

	record OrderId(long value) {

	}

	record Code(String value) {

	}

	record Small(int value) {

	}

	record Key(UUID value) {

	}

	record Pair(long first, long second) {

	}

}
