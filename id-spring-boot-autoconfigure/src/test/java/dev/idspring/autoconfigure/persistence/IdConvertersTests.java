package dev.idspring.autoconfigure.persistence;

import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.springframework.core.convert.support.GenericConversionService;
import org.springframework.data.convert.CustomConversions;
import org.springframework.data.convert.CustomConversions.StoreConversions;
import org.springframework.data.mapping.model.SimpleTypeHolder;

import static org.assertj.core.api.Assertions.assertThat;
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
	void otherTypesThatDriversReadAreConverted() {
		UUID uuid = UUID.randomUUID();
		assertThat(this.service.convert(7, OrderId.class)).isEqualTo(new OrderId(7));
		assertThat(this.service.convert(3L, Small.class)).isEqualTo(new Small(3));
		assertThat(this.service.convert(uuid.toString(), Key.class)).isEqualTo(new Key(uuid));
	}

	@Test
	void otherTypesAreRefused() {
		for (Class<?> type : List.of(String.class, Object.class, Pair.class)) {
			assertThatIllegalArgumentException().isThrownBy(() -> IdConverters.of(type))
				.withMessageContainingAll(type.getTypeName(), "is no typed id");
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
