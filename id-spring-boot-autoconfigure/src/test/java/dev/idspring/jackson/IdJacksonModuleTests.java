package dev.idspring.jackson;

import java.util.List;
import java.util.Optional;

import dev.idspring.entity.IdAsString;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.ser.std.StdSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link IdJacksonModule}.
 */
class IdJacksonModuleTests extends AbstractIdJsonTests {

	private JsonMapper mapper;

	@Override
	void prepare(AnnotationConfigApplicationContext context) {
		this.mapper = JsonMapper.builder()
			.addModule(context.getBean(IdJacksonModule.class))
			.disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
			.build();
	}

	@Override
	String write(Object value) {
		return this.mapper.writeValueAsString(value);
	}

	@Override
	<T> T read(String json, Class<T> type) {
		return this.mapper.readValue(json, type);
	}

	@Override
	Class<? extends Exception> mismatch() {
		return MismatchedInputException.class;
	}

	@Override
	Class<? extends Exception> badDefinition() {
		return InvalidDefinitionException.class;
	}

	@Test
	void nullIsNoNumberUnlessJacksonMaySayZero() {
		assertThat(this.mapper.readValue("{\"id\":null,\"count\":1}", View.class).id()).isZero();
		JsonMapper strict = this.mapper.rebuild().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES).build();
		assertThatExceptionOfType(MismatchedInputException.class)
			.isThrownBy(() -> strict.readValue("{\"id\":null,\"count\":1}", View.class));
		assertThatExceptionOfType(MismatchedInputException.class)
			.isThrownBy(() -> strict.readValue("{\"count\":1}", View.class));
	}

	@Test
	void optionalIdsAreIds() throws Exception {
		assertRoundTrip(new Perhaps(Optional.of(1L), Optional.empty()), "{\"some\":\"0000000001\",\"none\":null}");
		assertThatExceptionOfType(MismatchedInputException.class)
			.isThrownBy(() -> this.mapper.readValue("{\"some\":1}", Perhaps.class));
	}

	@Test
	void serializersThatAreNamedComeFirst() {
		assertThat(write(new Shouted(1))).isEqualTo("{\"id\":\"NUMBER 1\"}");
	}

	@Test
	void genericTypesAreResolved() throws Exception {
		Concrete value = new Concrete();
		value.ids = List.of(1L);
		assertThat(write(value)).isEqualTo("{\"ids\":[\"0000000001\"]}");
		assertThat(read("{\"ids\":[\"0000000001\"]}", Concrete.class).ids).containsExactly(1L);
	}

	record Perhaps(@IdAsString("orders") Optional<Long> some, @IdAsString("orders") Optional<Long> none) {

	}

	record Shouted(@IdAsString("orders") @JsonSerialize(using = Shouting.class) long id) {

	}

	static class Generic<T> {

		@IdAsString("orders")
		public List<T> ids = List.of();

	}

	static class Concrete extends Generic<Long> {

	}

	static class Shouting extends StdSerializer<Long> {

		Shouting() {
			super(Long.class);
		}

		@Override
		public void serialize(Long id, JsonGenerator generator, SerializationContext context) {
			generator.writeString("NUMBER " + id);
		}

	}

}
