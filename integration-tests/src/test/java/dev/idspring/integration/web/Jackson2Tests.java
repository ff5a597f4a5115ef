package dev.idspring.integration.web;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.idspring.entity.IdAsString;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ids in the JSON of an application that uses Jackson 2.
 */
class Jackson2Tests {

	@Test
	void bodiesHaveTheText() throws Exception {
		try (ConfigurableApplicationContext context = WebApplication.start(WebApplicationType.SERVLET,
				SpringMvcTests.Controllers.class, "spring.http.converters.preferred-json-mapper=jackson2")) {
			String body = "{\"id\":\"0000000010\",\"customer\":\"Ada\",\"related\":[\"0000000001\"]}";
			WebApplication.client(context)
				.post()
				.uri("/views")
				.header("Content-Type", "application/json")
				.bodyValue(body)
				.exchange()
				.expectStatus()
				.isOk()
				.expectBody(String.class)
				.isEqualTo(body);
			WebApplication.client(context)
				.post()
				.uri("/views")
				.header("Content-Type", "application/json")
				.bodyValue(body.replace("\"0000000010\"", "62"))
				.exchange()
				.expectStatus()
				.isBadRequest();
			ObjectMapper mapper = context.getBean(ObjectMapper.class);
			Perhaps perhaps = new Perhaps(Optional.of(62L), Optional.empty(), List.of(Optional.of(new OrderId(1))));
			String json = "{\"some\":\"0000000010\",\"none\":null,\"typed\":[\"0000000001\"]}";
			assertThat(mapper.readTree(mapper.writeValueAsString(perhaps))).isEqualTo(mapper.readTree(json));
			assertThat(mapper.readValue(json, Perhaps.class)).isEqualTo(perhaps);
		}
	}

	record Perhaps(@IdAsString("orders") Optional<Long> some, @IdAsString("orders") Optional<Long> none,
			List<Optional<OrderId>> typed) {

	}

}
