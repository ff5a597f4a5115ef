package dev.idspring.jackson;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.idspring.jackson2.IdJackson2Module;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link IdJackson2Module}.
 */
class IdJackson2ModuleTests extends AbstractIdJsonTests {

	private ObjectMapper mapper;

	@Override
	void prepare(AnnotationConfigApplicationContext context) {
		this.mapper = JsonMapper.builder().addModule(context.getBean(IdJackson2Module.class)).build();
	}

	@Override
	String write(Object value) throws Exception {
		return this.mapper.writeValueAsString(value);
	}

	@Override
	<T> T read(String json, Class<T> type) throws Exception {
		return this.mapper.readValue(json, type);
	}

	@Override
	Class<? extends Exception> mismatch() {
		return MismatchedInputException.class;
	}

	@Override
	Class<? extends Exception> badDefinition() {
		return JsonMappingException.class;
	}

	@Test
	void nullIsNoNumberUnlessJacksonMaySayZero() throws Exception {
		assertThat(this.mapper.readValue("{\"id\":null,\"count\":1}", View.class).id()).isZero();
		ObjectMapper strict = this.mapper.copy().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
		assertThatExceptionOfType(MismatchedInputException.class)
			.isThrownBy(() -> strict.readValue("{\"id\":null,\"count\":1}", View.class));
	}

	@Test
	void whatIsWronglyAnnotatedIsABadDefinition() {
		assertThatExceptionOfType(InvalidDefinitionException.class)
			.isThrownBy(() -> this.mapper.writeValueAsString(new WrongNumber(1)));
	}

}
