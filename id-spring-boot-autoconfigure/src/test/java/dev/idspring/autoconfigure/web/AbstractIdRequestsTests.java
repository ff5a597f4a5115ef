package dev.idspring.autoconfigure.web;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.annotation.IdAsString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigRegistry;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.format.Parser;
import org.springframework.format.support.FormattingConversionService;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for ids in requests, in addition to the inherited tests for controllers.
 * Subclasses run both with Spring MVC and with Spring WebFlux.
 */
abstract class AbstractIdRequestsTests extends AbstractControllerCheckTests {

	private static final String TEXT = "00000000g8";

	private static final long ID = 1_000;

	private static final int RANDOM_TEXTS = Integer.getInteger("test.ids.request-texts", 300);

	private @Nullable ConfigurableApplicationContext context;

	private @Nullable WebTestClient client;

	@BeforeAll
	void start() {
		this.context = start(Controller.class);
		this.client = createClient(this.context).mutate().responseTimeout(Duration.ofMinutes(1)).build();
	}

	@AfterAll
	void stop() {
		context().close();
	}

	abstract WebTestClient createClient(ConfigurableApplicationContext context);

	final ConfigurableApplicationContext context() {
		assertThat(this.context).isNotNull();
		return this.context;
	}

	final void register(AnnotationConfigRegistry registry, Class<?>... classes) {
		registry.register(OwnConverters.class);
		registry.register(classes);
	}

	private void assertResponse(String path, String expected) {
		assertThat(this.client).isNotNull();
		this.client.get().uri(path).exchange().expectStatus().isOk().expectBody(String.class).isEqualTo(expected);
	}

	private void assertBadRequest(String path, Object... variables) {
		assertThat(this.client).isNotNull();
		this.client.get().uri(path, variables).exchange().expectStatus().isBadRequest();
	}

	@Test
	void generatorFormatsTheExpectedText() {
		IdGenerator orders = context().getBean(IdGenerators.class).get("orders");
		assertThat(orders.format(ID)).isEqualTo(TEXT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/number/", "/boxed/", "/typed/", "/foreign/" })
	void pathVariableIsParsedAsText(String path) {
		assertResponse(path + TEXT, "1000");
	}

	@Test
	void malformedStringIsRejected() {
		assertResponse("/text/" + TEXT, TEXT);
		assertBadRequest("/text/1000");
	}

	@Test
	void unannotatedParametersAreParsedAsNumbers() {
		assertResponse("/plain/1000", "1000");
		assertResponse("/plain/0x10", "16");
		assertBadRequest("/plain/" + TEXT);
	}

	@Test
	void requestParametersAreParsedAsText() {
		assertResponse("/parameters?id=" + TEXT + "&order=" + TEXT, "1000, 1000");
		assertResponse("/parameters?id=" + TEXT, "1000, null");
		assertResponse("/parameters", "null, null");
		assertBadRequest("/parameters?id=1000");
		assertBadRequest("/parameters?id=");
		assertBadRequest("/parameters?order=1000");
		assertBadRequest("/required");
		assertResponse("/required?id=" + TEXT, "1000");
	}

	@Test
	void optionalParametersAreParsedAsText() {
		assertResponse("/optional?id=" + TEXT + "&order=" + TEXT, "Optional[1000], Optional[OrderId[value=1000]]");
		assertResponse("/optional", "Optional.empty, Optional.empty");
		assertBadRequest("/optional?id=1000");
		assertBadRequest("/optional?order=1000");
	}

	@ParameterizedTest
	@ValueSource(strings = { "list", "array", "boxed", "orders" })
	void elementsOfParametersAreParsedAsText(String name) {
		assertResponse("/many?" + name + "=" + TEXT + "&" + name + "=0000000001", "[1000, 1]");
		assertResponse("/many?" + name + "=" + TEXT + ",0000000001", "[1000, 1]");
		assertResponse("/many?" + name + "=" + TEXT, "[1000]");
		assertResponse("/many", "[]");
		assertBadRequest("/many?" + name + "=1000");
		assertBadRequest("/many?" + name + "=" + TEXT + ",1000");
		assertBadRequest("/many?" + name + "=" + TEXT + "&" + name + "=1000");
		assertBadRequest("/many?" + name + "=" + TEXT + ",,");
	}

	@Test
	void propertiesOfFormsAreParsedAsText() {
		assertResponse("/form?id=" + TEXT + "&order=" + TEXT + "&others=" + TEXT, "1000, 1000, [1000]");
		assertBadRequest("/form?id=1000");
		assertBadRequest("/form?order=1000");
		assertBadRequest("/form?others=" + TEXT + "&others=1");
	}

	/**
	 * Spring creates records from parameters that are named after their components. A
	 * typed id must not be created from its number in this way.
	 */
	@Test
	void numberOfATypedIdInARecordIsRejected() {
		assertResponse("/search?order=" + TEXT, "Search[order=OrderId[value=1000]]");
		assertBadRequest("/search?order=1000");
		assertBadRequest("/search?order.value=1000");
	}

	@Test
	void headersAndCookiesAreParsedAsText() {
		assertThat(this.client).isNotNull();
		this.client.get()
			.uri("/header")
			.header("X-Order", TEXT)
			.cookie("order", TEXT)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.isEqualTo("1000, 1000");
		this.client.get().uri("/header").header("X-Order", "1000").exchange().expectStatus().isBadRequest();
		this.client.get()
			.uri("/header")
			.header("X-Order", TEXT)
			.cookie("order", "1000")
			.exchange()
			.expectStatus()
			.isBadRequest();
	}

	@Test
	void propertiesOfBodiesAreParsedAsText() {
		assertThat(this.client).isNotNull();
		this.client.post()
			.uri("/body")
			.header("Content-Type", "application/json")
			.bodyValue("{\"id\":\"" + TEXT + "\",\"order\":\"0000000001\"}")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.json("{\"id\":\"" + TEXT + "\",\"order\":\"0000000001\"}");
		for (String malformed : List.of("{\"id\":1000,\"order\":\"0000000001\"}", "{\"id\":\"1000\"}",
				"{\"id\":\"" + TEXT + "\",\"order\":1}")) {
			this.client.post()
				.uri("/body")
				.header("Content-Type", "application/json")
				.bodyValue(malformed)
				.exchange()
				.expectStatus()
				.isBadRequest();
		}
	}

	static Stream<String> malformedIds() {
		return Stream.of("1000", "0", "-1", "+1", "0x10", "1e3", "#10", " ", "%20" + TEXT, TEXT + "%20", TEXT + "0",
				"0000000-01", "9223372036854775807", "9223372036854775808", "null", "NaN", "%00", "%0A", "%F0%9F%98%80",
				"00000000%D9%A1%D9%A2");
	}

	@ParameterizedTest
	@MethodSource("malformedIds")
	void malformedIdIsABadRequest(String text) {
		for (String path : List.of("/number/", "/boxed/", "/typed/", "/foreign/", "/text/")) {
			assertThat(this.client).isNotNull();
			this.client.get()
				.uri((builder) -> URI.create(path + text.replace(" ", "%20").replace("#", "%23")))
				.exchange()
				.expectStatus()
				.isBadRequest();
		}
	}

	@Test
	@Tag("longer")
	void randomStringsNeverCauseAServerError() {
		Random random = new Random(20_260_402);
		IdGenerator orders = context().getBean(IdGenerators.class).get("orders");
		List<String> paths = List.of("/number/{id}", "/boxed/{id}", "/typed/{id}", "/foreign/{id}", "/text/{id}",
				"/parameters?id={id}", "/parameters?order={id}", "/optional?id={id}", "/many?list={id}",
				"/many?array={id}", "/many?boxed={id}", "/many?orders={id}", "/form?id={id}", "/form?order={id}",
				"/form?others={id}");
		for (int i = 0; i < RANDOM_TEXTS; i++) {
			StringBuilder text = new StringBuilder(orders.format(random.nextLong(1L << 59)));
			for (int changes = random.nextInt(3); changes > 0; changes--) {
				// no slashes or similar characters, which would change the path or be
				// rejected by the server
				String character = Character.toString((random.nextInt(3) == 0) ? 0xA1 + random.nextInt(0x5000)
						: "0123456789abcXYZ-_~!$'()*:@ ,".charAt(random.nextInt(29)));
				int position = random.nextInt(text.length());
				text.replace(position, position + 1, character);
			}
			String path = paths.get(i % paths.size());
			assertThat(this.client).isNotNull();
			this.client.get().uri(path, text.toString()).exchange().expectStatus().value((status) -> {
				boolean valid = isId(orders, text.toString());
				boolean acceptsSeveralIds = path.contains("many") || path.contains("others");
				assertThat(status).as("%s %s", path, text).isIn(200, 400);
				if (!acceptsSeveralIds) {
					assertThat(status).as("%s %s", path, text).isEqualTo(valid ? 200 : 400);
				}
				else if (valid) {
					assertThat(status).as("%s %s", path, text).isEqualTo(200);
				}
			});
		}
	}

	private static boolean isId(IdGenerator generator, String text) {
		return catchThrowable(() -> generator.parse(text)) == null;
	}

	@Test
	void conversionServiceConvertsIdsToAndFromText() throws Exception {
		ConversionService conversions = conversions();
		assertThat(conversions.convert(new OrderId(ID), String.class)).isEqualTo(TEXT);
		TypeDescriptor number = new TypeDescriptor(
				new MethodParameter(Controller.class.getDeclaredMethod("number", long.class), 0));
		assertThat(conversions.convert(ID, number, TypeDescriptor.valueOf(String.class))).isEqualTo(TEXT);
		assertThat(conversions.convert(TEXT, OrderId.class)).isEqualTo(new OrderId(ID));
		assertThat(conversions.convert(ID, String.class)).isEqualTo("1000");
	}

	abstract ConversionService conversions();

	@Test
	void controllersCanAddTheirOwnConverters() {
		assertResponse("/own/a-b?id=" + TEXT, "own a-b, 1000");
		assertBadRequest("/own/a-b?id=1000");
		assertResponse("/formatted/a-b?id=" + TEXT, "formatted a-b, 1000");
	}

	/**
	 * Spring reports any failure to bind a form as a bad request.
	 */
	@Test
	void wronglyAnnotatedFormIsABadRequest() {
		assertBadRequest("/wrong?id=1");
	}

	@RestController
	static class Controller {

		@GetMapping("/number/{id}")
		String number(@PathVariable @IdAsString("orders") long id) {
			return "" + id;
		}

		@GetMapping("/boxed/{id}")
		String boxed(@PathVariable @IdAsString("orders") Long id) {
			return "" + id;
		}

		@GetMapping("/text/{id}")
		String text(@PathVariable @IdAsString("orders") String id) {
			return id;
		}

		@GetMapping("/typed/{id}")
		String typed(@PathVariable OrderId id) {
			return "" + id.value();
		}

		@GetMapping("/foreign/{id}")
		String foreign(@PathVariable @IdAsString("orders") Foreign id) {
			return "" + id.id();
		}

		@GetMapping("/plain/{id}")
		String plain(@PathVariable long id) {
			return "" + id;
		}

		@GetMapping("/parameters")
		String parameters(@RequestParam(required = false) @IdAsString("orders") @Nullable Long id,
				@RequestParam(required = false) @Nullable OrderId order) {
			return id + ", " + ((order != null) ? order.value() : null);
		}

		@GetMapping("/required")
		String required(@RequestParam @IdAsString("orders") long id) {
			return "" + id;
		}

		@GetMapping("/optional")
		String optional(@RequestParam @IdAsString("orders") Optional<Long> id, @RequestParam Optional<OrderId> order) {
			return id + ", " + order;
		}

		@GetMapping("/many")
		String many(@RequestParam(required = false) @IdAsString("orders") @Nullable List<Long> list,
				@RequestParam(required = false) @IdAsString("orders") long @Nullable [] array,
				@RequestParam(required = false) @IdAsString("orders") Long @Nullable [] boxed,
				@RequestParam(required = false) @Nullable List<OrderId> orders) {
			if (array != null) {
				return Arrays.toString(array);
			}
			if (boxed != null) {
				return Arrays.toString(boxed);
			}
			if (orders != null) {
				return orders.stream().map(OrderId::value).toList().toString();
			}
			return (list != null) ? list.toString() : "[]";
		}

		@GetMapping("/search")
		String search(@ModelAttribute Search search) {
			return search.toString();
		}

		@GetMapping("/form")
		String form(@ModelAttribute Form form) {
			return form.id + ", " + ((form.order != null) ? form.order.value() : null) + ", " + form.others;
		}

		@GetMapping("/header")
		String header(@RequestHeader("X-Order") @IdAsString("orders") long id,
				@CookieValue("order") @IdAsString("orders") long cookie) {
			return id + ", " + cookie;
		}

		@PostMapping("/body")
		Body body(@RequestBody Body body) {
			return body;
		}

		@GetMapping("/wrong")
		String wrong(@ModelAttribute WrongForm form) {
			return "" + form.id;
		}

	}

	@RestController
	static class OwnConverters {

		@InitBinder
		void prepare(WebDataBinder binder) {
			assertThat(binder.getConversionService()).isInstanceOfSatisfying(FormattingConversionService.class,
					(conversions) -> {
						conversions.addConverter(String.class, OwnType.class, (text) -> new OwnType("own " + text));
						conversions.addParser(new FormattedParser());
					});
		}

		@GetMapping("/formatted/{formatted}")
		String getFormatted(@PathVariable Formatted formatted, @RequestParam @IdAsString("orders") long id) {
			return formatted.text() + ", " + id;
		}

		@GetMapping("/own/{own}")
		String get(@PathVariable OwnType own, @RequestParam @IdAsString("orders") long id) {
			return own.text() + ", " + id;
		}

	}

	@IdAsString("orders")
	record OrderId(long value) {

	}

	record Foreign(long id) {

	}

	record OwnType(String text) {

	}

	record Formatted(String text) {

	}

	static class FormattedParser implements Parser<Formatted> {

		@Override
		public Formatted parse(String text, Locale locale) {
			return new Formatted("formatted " + text);
		}

	}

	record Search(@Nullable OrderId order) {

	}

	record Body(@IdAsString("orders") long id, @Nullable OrderId order) {

	}

	static class Form {

		@IdAsString("orders")
		private long id;

		private @Nullable OrderId order;

		@IdAsString("orders")
		private List<Long> others = List.of();

		public long getId() {
			return this.id;
		}

		public void setId(long id) {
			this.id = id;
		}

		public @Nullable OrderId getOrder() {
			return this.order;
		}

		public void setOrder(@Nullable OrderId order) {
			this.order = order;
		}

		public List<Long> getOthers() {
			return this.others;
		}

		public void setOthers(List<Long> others) {
			this.others = others;
		}

	}

	static class WrongForm {

		@IdAsString("orders")
		private int id;

		public int getId() {
			return this.id;
		}

		public void setId(int id) {
			this.id = id;
		}

	}

}
