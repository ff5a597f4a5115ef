package dev.idspring.sample;

import java.net.http.HttpResponse;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for orders, invoices, payments and shipments over HTTP.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.datasource.url=jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1", "ids.block.wait-timeout=60s" })
class OrderTests {

	private static final long REFUSED_CENTS = 1_000_001;

	private final JdbcTemplate jdbc;

	private final SampleClient client;

	OrderTests(@Autowired JdbcTemplate jdbc, @Autowired Environment environment) {
		this.jdbc = jdbc;
		this.client = new SampleClient(environment.getRequiredProperty("local.server.port", Integer.class));
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("delete from shipment");
		this.jdbc.update("delete from payment");
		this.jdbc.update("delete from invoice");
		this.jdbc.update("delete from customer_order");
		this.jdbc.update("update ids_gapless set next_value = 1");
	}

	@Test
	void orderIsPlacedAndFound() throws Exception {
		HttpResponse<String> created = place("Ada", 1_999);
		assertThat(created.statusCode()).isEqualTo(201);
		String id = JsonPath.read(created.body(), "$.id");
		assertThat(id).matches("[1-9][0-9]*");
		assertThat(JsonPath.<String>read(created.body(), "$.invoice")).isEqualTo("1");
		assertThat(JsonPath.<String>read(created.body(), "$.payment")).matches("[0-9]{20}");
		assertThat(created.headers().firstValue("Location")).contains("/orders/" + id);
		assertThat(this.client.get("/orders/" + id).body()).isEqualTo(created.body());
	}

	@Test
	void eachTenantHasSeparateDocumentNumbers() throws Exception {
		String year = "-" + LocalDate.now(ZoneId.of("Europe/Berlin")).getYear() + "-0000";
		assertThat(placeAndReadDocument("acme", 5)).isEqualTo("INV-acme" + year + "1");
		assertThat(placeAndReadDocument("globex", 5)).isEqualTo("INV-globex" + year + "1");
		assertThat(placeForTenant("acme", REFUSED_CENTS).statusCode()).isEqualTo(402);
		assertThat(placeAndReadDocument("acme", 5)).isEqualTo("INV-acme" + year + "2");
		assertThat(placeForTenant("acme-2", 5).statusCode()).isEqualTo(400);
		assertThat(this.jdbc.queryForList("select scope_name from ids_gapless where next_value = 3", String.class))
			.containsExactly("acme");
	}

	private String placeAndReadDocument(String tenant, long cents) {
		return JsonPath.read(placeForTenant(tenant, cents).body(), "$.document");
	}

	private HttpResponse<String> placeForTenant(String tenant, long cents) {
		try {
			return this.client.post("/orders", "application/json",
					"{\"customer\": \"Ada\", \"cents\": " + cents + ", \"tenant\": \"" + tenant + "\"}");
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void refusedPaymentStoresNoOrderAndItsInvoiceNumberIsReused() throws Exception {
		HttpResponse<String> refused = place("Bob", REFUSED_CENTS);
		assertThat(refused.statusCode()).isEqualTo(402);
		assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
		assertThat(this.jdbc.queryForObject("select count(*) from customer_order", Long.class)).isZero();
		assertThat(JsonPath.<String>read(place("Ada", 5).body(), "$.invoice")).isEqualTo("1");
	}

	@Test
	void concurrentOrdersLeaveNoGapsInInvoiceNumbers() {
		List<CompletableFuture<Integer>> clients = IntStream.range(0, 16)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> placeSome(new Random(i)),
					(task) -> new Thread(task).start()))
			.toList();
		int placed = clients.stream().mapToInt(CompletableFuture::join).sum();
		// about a third of the 400 payments are refused
		assertThat(placed).isBetween(100, 16 * 25 - 50);
		assertThat(this.jdbc.queryForList("select invoice_number from invoice order by 1", Long.class))
			.isEqualTo(LongStream.rangeClosed(1, placed).boxed().toList());
		assertThat(this.jdbc.queryForObject("select count(*) from customer_order", Long.class)).isEqualTo(placed);
		assertThat(this.jdbc
			.queryForObject("select count(distinct floor((order_id - 1) / 1000000)) from customer_order", Long.class))
			.as("threads are spread over four series")
			.isEqualTo(4);
	}

	private int placeSome(Random random) {
		int placed = 0;
		for (int i = 0; i < 25; i++) {
			boolean refuse = random.nextInt(3) == 0;
			int status = place("Eve", refuse ? REFUSED_CENTS : 1 + random.nextInt(1_000)).statusCode();
			assertThat(status).isEqualTo(refuse ? 402 : 201);
			placed += refuse ? 0 : 1;
		}
		return placed;
	}

	@Test
	void referenceOfARefusedPaymentIsNotReused() throws Exception {
		Matcher refused = Pattern.compile("The payment ([0-9]{20}) of " + REFUSED_CENTS)
			.matcher(JsonPath.read(place("Bob", REFUSED_CENTS).body(), "$.detail"));
		assertThat(refused.find()).isTrue();
		assertThat(JsonPath.<String>read(place("Bob", 5).body(), "$.payment")).isGreaterThan(refused.group(1));
	}

	@Test
	void orderIsShippedInParcels() throws Exception {
		String order = JsonPath.read(place("Ada", 1_999).body(), "$.id");
		HttpResponse<String> first = ship(order);
		assertThat(first.statusCode()).isEqualTo(201);
		String number = JsonPath.read(first.body(), "$.number");
		Instant packed = Instant.parse(JsonPath.read(first.body(), "$.packed"));
		assertThat(number).hasSize(23)
			.contains(DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS").withZone(ZoneOffset.UTC).format(packed));
		assertThat(JsonPath.<String>read(first.body(), "$.order")).isEqualTo(order);
		assertThat(first.headers().firstValue("Location")).contains("/shipments/" + number);
		assertThat(this.client.get("/shipments/" + number).body()).isEqualTo(first.body());
		assertThat(JsonPath.<String>read(ship(order).body(), "$.number")).isGreaterThan(number);
	}

	@Test
	void unknownAndMalformedOrdersAndShipmentsAreRejected() throws Exception {
		assertThat(ship("999999999").statusCode()).isEqualTo(404);
		assertThat(ship("abc").statusCode()).isEqualTo(400);
		assertThat(this.client.get("/shipments/00020260203040506007008").statusCode()).isEqualTo(404);
		assertThat(this.client.get("/shipments/00020261303040506007008").statusCode()).isEqualTo(400);
	}

	private HttpResponse<String> ship(String order) throws Exception {
		return this.client.post("/orders/" + order + "/shipments", "application/json", "");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"customer\": \"Ada\"}", "{\"customer\": \" \", \"cents\": 5}",
			"{\"customer\": \"Ada\", \"cents\": 0}", "{\"customer\": \"Ada\", \"cents\": \"many\"}", "" })
	void invalidOrderIsRejected(String body) throws Exception {
		HttpResponse<String> response = this.client.post("/orders", "application/json", body);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
	}

	@Test
	void unknownAndMalformedIdsAreRejected() throws Exception {
		assertThat(this.client.get("/orders/999999999").statusCode()).isEqualTo(404);
		assertThat(this.client.get("/orders/0").statusCode()).isEqualTo(400);
		assertThat(this.client.get("/orders/abc").statusCode()).isEqualTo(400);
	}

	private HttpResponse<String> place(String customer, long cents) {
		try {
			return this.client.post("/orders", "application/json",
					"{\"customer\": \"" + customer + "\", \"cents\": " + cents + "}");
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
