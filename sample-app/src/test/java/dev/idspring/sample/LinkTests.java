package dev.idspring.sample;

import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.DecodeHintType;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
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
 * Tests for the link shortener over HTTP.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "spring.datasource.url=jdbc:h2:mem:links;DB_CLOSE_DELAY=-1")
class LinkTests {

	private final JdbcTemplate jdbc;

	private final SampleClient client;

	LinkTests(@Autowired JdbcTemplate jdbc, @Autowired Environment environment) {
		this.jdbc = jdbc;
		this.client = new SampleClient(environment.getRequiredProperty("local.server.port", Integer.class));
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("delete from link");
	}

	@Test
	void linkIsShortenedAndFollowed() throws Exception {
		HttpResponse<String> created = this.client.post("application/json",
				"{\"url\": \"https://spring.io/projects\"}");
		assertThat(created.statusCode()).isEqualTo(201);
		String key = JsonPath.read(created.body(), "$.key");
		assertThat(key).matches("[0-9a-zA-Z]{7}");
		assertThat(JsonPath.<String>read(created.body(), "$.id")).isEqualTo("lnk_" + key);
		assertThat(JsonPath.<String>read(created.body(), "$.url")).isEqualTo("https://spring.io/projects");
		assertThat(created.headers().firstValue("Location")).contains("/" + key);
		HttpResponse<String> followed = this.client.get("/" + key);
		assertThat(followed.statusCode()).isEqualTo(302);
		assertThat(followed.headers().firstValue("Location")).contains("https://spring.io/projects");
	}

	@Test
	void clicksAreCounted() throws Exception {
		String key = this.client.importAll(List.of("https://example.org/a")).keySet().iterator().next();
		assertThat(clicks(key)).isZero();
		this.client.get("/" + key);
		this.client.get("/" + key);
		assertThat(clicks(key)).isEqualTo(2);
	}

	private int clicks(String key) throws Exception {
		return JsonPath.read(this.client.get("/links/" + key).body(), "$.clicks");
	}

	@Test
	void qrCodeLeadsToTheShortLink() throws Exception {
		String key = this.client.importAll(List.of("https://example.org/a")).keySet().iterator().next();
		HttpResponse<String> picture = this.client.get("/links/" + key + "/qr.svg");
		assertThat(picture.statusCode()).isEqualTo(200);
		assertThat(picture.headers().firstValue("Content-Type")).get().asString().startsWith("image/svg+xml");
		assertThat(decode(picture.body())).matches("http://[^/]+/" + key);
		assertThat(this.client.get("/links/" + unusedKey() + "/qr.svg").statusCode()).isEqualTo(404);
	}

	/** Draws each module as four by four pixels, and decodes the picture. */
	private static String decode(String svg) throws Exception {
		int size = Integer.parseInt(svg.replaceAll("(?s).*viewBox=\"0 0 (\\d+) .*", "$1"));
		int[] pixels = new int[16 * size * size];
		Arrays.fill(pixels, 0xFFFFFF);
		Matcher modules = Pattern.compile("M(\\d+),(\\d+)h1v1h-1z").matcher(svg);
		while (modules.find()) {
			for (int i = 0; i < 16; i++) {
				int x = 4 * Integer.parseInt(modules.group(1)) + i % 4;
				int y = 4 * Integer.parseInt(modules.group(2)) + i / 4;
				pixels[y * 4 * size + x] = 0;
			}
		}
		RGBLuminanceSource source = new RGBLuminanceSource(4 * size, 4 * size, pixels);
		// without this hint, the decoder fails to find about one in a hundred of these
		// codes
		return new QRCodeReader()
			.decode(new BinaryBitmap(new HybridBinarizer(source)), Map.of(DecodeHintType.PURE_BARCODE, true))
			.getText();
	}

	@Test
	void linksAreShortenedInBulk() throws Exception {
		Map<String, String> links = this.client
			.importAll(List.of("https://example.org/a", "", "  https://example.org/b ", "https://example.org/a"));
		assertThat(links.values()).containsExactlyInAnyOrder("https://example.org/a", "https://example.org/b",
				"https://example.org/a");
	}

	@Test
	void linkIsFoundByItsIdAndByItsKey() throws Exception {
		String key = this.client.importAll(List.of("https://example.org/a")).keySet().iterator().next();
		for (String id : List.of(key, "lnk_" + key)) {
			String body = this.client.get("/links/" + id).body();
			assertThat(JsonPath.<String>read(body, "$.id")).isEqualTo("lnk_" + key);
			assertThat(JsonPath.<String>read(body, "$.key")).isEqualTo(key);
			assertThat(JsonPath.<String>read(body, "$.url")).isEqualTo("https://example.org/a");
		}
	}

	@Test
	void numbersInTheTableAreConsecutive() throws Exception {
		this.client.importAll(List.of("https://example.org/a", "https://example.org/b", "https://example.org/c"));
		List<Long> ids = this.jdbc.queryForList("select link_id from link order by url", Long.class);
		assertThat(ids).containsExactly(ids.get(0), ids.get(0) + 1, ids.get(0) + 2);
	}

	@Test
	void keyWithATypingErrorIsRejected() throws Exception {
		String key = this.client.importAll(List.of("https://example.org/a")).keySet().iterator().next();
		String wrong = ((key.charAt(0) != 'a') ? "a" : "b") + key.substring(1);
		HttpResponse<String> response = this.client.get("/" + wrong);
		assertProblem(response, 400);
		assertThat(response.body()).contains("check character");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"url\": null}", "{\"url\": \"\"}", "{\"url\": \"nonsense\"}",
			"{\"url\": \"ftp://example.org\"}", "{\"url\": \"https://\"}", "{\"url\": \"javascript:alert(1)\"}",
			"{\"url\": \"https://example.org/a b\"}", "{\"url\": 5", "" })
	void invalidUrlIsRejectedAndNothingIsStored(String body) throws Exception {
		assertProblem(this.client.post("application/json", body), 400);
		assertNothingStored();
	}

	@Test
	void tooLongUrlIsRejected() throws Exception {
		HttpResponse<String> response = this.client.post("application/json",
				"{\"url\": \"https://example.org/" + "a".repeat(2048) + "\"}");
		assertProblem(response, 400);
		assertThat(response.body()).contains("2048");
	}

	@Test
	void oneInvalidLineIsReportedAndNothingIsStored() throws Exception {
		HttpResponse<String> response = this.client.post("text/plain",
				"https://example.org/a\n\nnonsense\nhttps://example.org/b");
		assertProblem(response, 400);
		assertThat(JsonPath.<Integer>read(response.body(), "$.line")).isEqualTo(3);
		assertNothingStored();
	}

	@Test
	void tooManyLinesAreRejected() throws Exception {
		assertProblem(this.client.post("text/plain", "https://example.org\n".repeat(100_001)), 413);
		assertNothingStored();
	}

	@Test
	void unknownKeyIsNotFound() throws Exception {
		assertProblem(this.client.get("/" + unusedKey()), 404);
	}

	private String unusedKey() throws Exception {
		String key = this.client.importAll(List.of("https://example.org/a")).keySet().iterator().next();
		this.jdbc.update("delete from link");
		return key;
	}

	@ParameterizedTest
	@ValueSource(strings = { "/abc", "/abcdefg", "/abcde-", "/abcde%20", "/links/abc", "/links/%C3%A4bcdef" })
	void malformedKeyIsRejected(String path) throws Exception {
		assertProblem(this.client.get(path), 400);
	}

	@Test
	void unsupportedContentTypeIsRejected() throws Exception {
		assertProblem(this.client.post("application/xml", "<url/>"), 415);
	}

	@Test
	void endpointIsNotMistakenForAKey() throws Exception {
		assertThat(this.client.get("/actuator/ids").statusCode()).isEqualTo(200);
		assertThat(this.client.get("/actuator").statusCode()).isEqualTo(200);
		assertThat(this.client.get("/favicon.ico").statusCode()).isEqualTo(404);
	}

	@Test
	void healthOfAGeneratorIsAComponentOfTheHealthOfIds() throws Exception {
		HttpResponse<String> ids = this.client.get("/actuator/health/ids");
		assertThat(ids.statusCode()).isEqualTo(200);
		assertThat(JsonPath.<String>read(ids.body(), "$.components.orders.status")).isEqualTo("UP");
		HttpResponse<String> orders = this.client.get("/actuator/health/ids/orders");
		assertThat(orders.statusCode()).isEqualTo(200);
		assertThat(orders.body()).isEqualTo("{\"status\":\"UP\"}");
	}

	private static void assertProblem(HttpResponse<String> response, int status) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
		assertThat(JsonPath.<Integer>read(response.body(), "$.status")).isEqualTo(status);
	}

	private void assertNothingStored() {
		assertThat(this.jdbc.queryForObject("select count(*) from link", Integer.class)).isZero();
	}

}
