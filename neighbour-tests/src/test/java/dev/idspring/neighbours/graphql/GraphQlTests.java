package dev.idspring.neighbours.graphql;

import java.util.Map;

import dev.idspring.IdGenerators;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.graphql.ExecutionGraphQlService;
import org.springframework.graphql.test.tester.ExecutionGraphQlServiceTester;
import org.springframework.graphql.test.tester.GraphQlTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests {@link IdScalars} with Spring GraphQL.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		properties = { "spring.graphql.schema.locations=classpath:helpdesk/", "ids.store=memory",
				"spring.datasource.url=jdbc:h2:mem:graphql", "ids.generators.tickets.text.prefix=tkt_",
				"ids.generators.customers.coprime.length=10" })
@Tag("wide")
class GraphQlTests {

	private final IdGenerators ids;

	private final IdScalars scalars;

	private final GraphQlTester graphql;

	private String customerId;

	GraphQlTests(@Autowired IdGenerators ids, @Autowired IdScalars scalars,
			@Autowired ExecutionGraphQlService service) {
		this.ids = ids;
		this.scalars = scalars;
		this.graphql = ExecutionGraphQlServiceTester.create(service);
	}

	@BeforeEach
	void drawCustomerId() {
		this.customerId = this.ids.get("customers").nextString();
	}

	@Test
	void idsAreWrittenAndReadAsText() {
		String id = open(Map.of("title", "No paper", "customer", this.customerId));
		assertThat(id).startsWith("tkt_").isEqualTo(this.ids.get("tickets").format(this.ids.get("tickets").parse(id)));
		this.graphql.document("{ ticket(id: \"" + id + "\") { title customer } }")
			.execute()
			.path("ticket.title")
			.entity(String.class)
			.isEqualTo("No paper")
			.path("ticket.customer")
			.entity(String.class)
			.isEqualTo(this.customerId);
		this.graphql.document("query ($of: CustomerId!) { tickets(of: $of) { id } }")
			.variable("of", this.customerId)
			.execute()
			.path("tickets[*].id")
			.entityList(String.class)
			.containsExactly(id);
	}

	@Test
	void propertyOfAnInputIsParsedAsText() {
		String id = open(Map.of("title", "No paper"));
		String other = open(Map.of("duplicateOf", id));
		this.graphql.document("query ($id: TicketId!) { ticket(id: $id) { title } }")
			.variable("id", other)
			.execute()
			.path("ticket.title")
			.entity(String.class)
			.isEqualTo("No paper");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", "\"1\"", "\"tkt_\"", "\"000001\"", "true" })
	void invalidIdIsRejected(String literal) {
		this.graphql.document("{ ticket(id: " + literal + ") { title } }").execute().errors().satisfy((errors) -> {
			assertThat(errors).hasSize(1);
			assertThat(errors.get(0).getErrorType().toString()).isEqualTo("ValidationError");
		});
	}

	@Test
	void invalidVariableIsRejected() {
		for (Object wrong : new Object[] { 1, 1L, "1", "tkt_" }) {
			this.graphql.document("query ($id: TicketId!) { ticket(id: $id) { title } }")
				.variable("id", wrong)
				.execute()
				.errors()
				.satisfy((errors) -> assertThat(errors).hasSize(1)
					.allMatch((error) -> error.getErrorType().toString().equals("ValidationError")));
		}
	}

	@Test
	void numberOutsideTheKeySpaceIsAnError() {
		String id = open(Map.of("title", "No paper"));
		this.graphql.document("{ ticket(id: \"" + id + "\") { broken } }")
			.execute()
			.errors()
			.satisfy((errors) -> assertThat(errors).hasSize(1).allMatch((error) -> error.getMessage().contains("-1")));
	}

	@Test
	void typeWithoutAnnotationAndUnknownGeneratorAreRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.scalars.of(Ticket.class))
			.withMessageContaining("is not annotated with @IdAsString");
		assertThatIllegalArgumentException().isThrownBy(() -> this.scalars.of("OrderId", "orders"))
			.withMessageContaining("scalar OrderId");
	}

	private String open(Map<String, Object> ticket) {
		return this.graphql.document("mutation ($ticket: NewTicket!) { open(ticket: $ticket) { id } }")
			.variable("ticket", ticket)
			.execute()
			.path("open.id")
			.entity(String.class)
			.get();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Helpdesk.class, GraphQlConfiguration.class })
	static class Application {

	}

}
