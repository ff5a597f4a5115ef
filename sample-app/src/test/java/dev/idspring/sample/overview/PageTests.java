package dev.idspring.sample.overview;

import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.Year;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.IdGenerators;
import dev.idspring.sample.SampleApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests the page in a headless Chromium. The tests are skipped if there is no Chromium.
 * Screenshots are written to {@code target/screenshots}. With
 * {@code -Dtest.ids.write-docs=true}, those of the README are also written to
 * {@code screenshots}.
 */
class PageTests {

	private static final List<String> GENERATORS = List.of("default", "links", "orders", "invoices", "payments",
			"shipments", "events");

	private static ConfigurableApplicationContext context;

	private static ChromeDriver browser;

	private WebDriverWait wait;

	@BeforeAll
	static void open() throws Exception {
		Optional<File> chromium = program("chromium", "chromium-browser", "google-chrome");
		Optional<File> driver = program("chromedriver");
		assumeTrue(chromium.isPresent() && driver.isPresent(),
				"The page is not tested, because chromium or chromedriver is not on the path.");
		context = new SpringApplicationBuilder(SampleApplication.class, TrafficControl.class).run("--server.port=0",
				"--spring.datasource.url=jdbc:h2:mem:page;DB_CLOSE_DELAY=-1");
		simulateWeeksOfUse();
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(chromium.get());
		options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
				"--hide-scrollbars", "--disable-background-networking", "--disable-component-update", "--disable-sync",
				"--disable-quic", "--no-first-run",
				"--user-data-dir=" + Files.createTempDirectory(Path.of("target"), "chromium"));
		options.setCapability("goog:loggingPrefs", logs);
		browser = new ChromeDriver(
				new ChromeDriverService.Builder().usingDriverExecutable(driver.get()).usingAnyFreePort().build(),
				options);
	}

	/**
	 * Simulate five weeks of use with 50 ids per second. This is long enough for the
	 * endpoint to report the rate and the date of exhaustion.
	 */
	private static void simulateWeeksOfUse() {
		long week = Duration.ofDays(7).toSeconds();
		long now = Instant.now().getEpochSecond();
		StringBuilder history = new StringBuilder("1");
		for (int i = 0; i < 5; i++) {
			history.append(" ").append(now - (5 - i) * week).append(":").append(50 * week * i);
		}
		context.getBean(JdbcTemplate.class)
			.update("update ids_key_space set next_ordinal = ?, usage_history = ? where name = 'default'",
					50 * week * 5, history.toString());
	}

	private static Optional<File> program(String... names) {
		return Arrays.stream(names)
			.flatMap((name) -> Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
				.map((directory) -> new File(directory, name)))
			.filter(File::canExecute)
			.findFirst();
	}

	@AfterAll
	static void close() {
		if (browser != null) {
			browser.quit();
		}
		if (context != null) {
			context.close();
		}
	}

	@BeforeEach
	void load() {
		this.wait = new WebDriverWait(browser, Duration.ofSeconds(30));
		// the page may replace an element between two calls
		this.wait.ignoring(StaleElementReferenceException.class);
		browser.get("http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port") + "/");
		this.wait
			.until((any) -> browser.findElements(By.cssSelector("canvas[data-points]")).size() == GENERATORS.size());
	}

	@AfterEach
	void assertNoErrors() {
		traffic().allow();
		assertThat(browserLog()).isEmpty();
		assertThat(browser.findElement(By.id("problem")).isDisplayed()).isFalse();
	}

	private static List<String> browserLog() {
		return browser.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.map((entry) -> entry.getMessage())
			.toList();
	}

	@Test
	void everyCardIsFilled() {
		assertThat(texts("#generators .name"))
			.containsExactlyElementsOf(Stream.concat(GENERATORS.stream(), Stream.of("documents")).toList());
		assertThat(texts(".card .strategy")).containsExactly("coprime", "sequential", "recycled", "gapless",
				"decimal-uid", "composite", "snowflake", "gapless");
		assertThat(texts(".card .status")).containsOnly("UP");
		for (String part : List.of(".definition", ".used", "figcaption", ".facts dt", ".facts dd")) {
			assertThat(texts(".card " + part)).as(part)
				.hasSizeGreaterThanOrEqualTo(6)
				.allMatch((text) -> !text.isBlank());
		}
		assertThat(texts(".card .left")).filteredOn((text) -> !text.isBlank()).hasSize(6);
		assertThat(browser.findElement(By.id("store")).getText()).contains("jdbc on H2", "UP");
		assertThat(browser.findElement(By.tagName("body")).getText()).doesNotContain("undefined", "NaN", "null");
	}

	@Test
	void showsTheRateAndTheDateOfExhaustion() {
		this.wait.until((any) -> fact("default", "Long-term rate").endsWith(" per second"));
		assertThat(Double.parseDouble(fact("default", "Long-term rate").replace(" per second", ""))).isBetween(49.0,
				51.0);
		int year = Integer.parseInt(fact("default", "Lasts until").replaceAll(".* ", ""));
		assertThat(year - Year.now().getValue()).isBetween(34, 38);
		assertThat(fact("orders", "Long-term rate")).isEqualTo("not enough data yet");
		assertThat(fact("orders", "Lasts until")).isEqualTo("not enough data yet");
		assertThat(browser.executeScript("""
				const space = { exhaustedAt: null, idsPerSecond: 2, remaining: 2e6 };
				return [space, { ...space, idsPerSecond: 0 }, { ...space, remaining: 1e18 }].map(lastsUntil);
				""")).isEqualTo(List.of("not soon; not enough data yet for a date", "unlimited while no ids are drawn",
				"after the year 9999"));
	}

	private static String fact(String name, String term) {
		return (String) Objects.requireNonNull(browser.executeScript("""
				return [...arguments[0].querySelectorAll(".facts dt")]
					.find((dt) => dt.textContent === arguments[1]).nextElementSibling.textContent
				""", card(name), term));
	}

	@Test
	void percentageReaches100OnlyWhenNothingIsLeft() {
		assertThat(browser.executeScript(
				"""
						return [0, 1, 123_456, 5e9, 87.3e8, 99.6e8, 99.9961e8, 1e10 - 1, 1e10]
							.map((reserved) => usedPercent({ capacity: 1e10, reserved: reserved, remaining: 1e10 - reserved }))
							.concat(usedPercent({ capacity: 1e10, reserved: 1e10, remaining: 1e-3 }), count(9.9999e18), count(1e15 - 1));
						"""))
			.isEqualTo(List.of("0 %", "less than 0.000001 %", "0.0012 %", "50 %", "87 %", "99.6 %", "99.9961 %",
					"more than 99.999999 %", "100 %", "more than 99.999999 %", "1.00 × 10¹⁹", "999,999,999,999,999"));
	}

	@Test
	void barWidthIsTheReservedShare() {
		assertThat(browser.executeScript("""
				return [0, 1, 25, 54, 100].map((reserved) => spaceWidth({ capacity: 100, reserved: reserved }))
				""")).isEqualTo(List.of(0L, 1L, 25L, 54L, 100L));
	}

	@Test
	void definitionsAreDescribedInWords() {
		assertThat(texts(".card .definition")).containsExactly(
				"6 characters from an alphabet of 62, in an order that looks random",
				"Numbers from 1, in blocks for each instance; written with 6 characters from an alphabet of 62;"
						+ " a check character; the prefix lnk_; permuted by a secret",
				"Series of 1,000,000 numbers, with one writer each", "Numbers from 1 without gaps",
				"Milliseconds since 2011-01-01, 6 random digits, 1 for the node",
				"Node, date, time and a counter in decimal digits",
				"41 bits for milliseconds since 2024-01-01, 10 for the node, 12 for a counter",
				"Numbers from 1 without gaps, separate for each tenant and year; written as INV-{scope}-{yyyy}-{n:5}");
		assertThat(browser
			.executeScript("return describeDefinition('sequential start=7 text alphabet=0123 length=9 check prefix=a_"
					+ " secrets=0/ab')"))
			.isEqualTo("Numbers from 7, in blocks for each instance; written with 9 characters from an alphabet of 4;"
					+ " a check character; the prefix a_; permuted by a secret");
		assertThat(browser.executeScript("return describeDefinition('another kind=1')")).isEqualTo("another kind=1");
	}

	@Test
	void timeBasedGeneratorShowsTheTimeReservedAhead() {
		assertThat(card("events").findElement(By.cssSelector(".ahead")).getText()).isEqualTo("Time reserved ahead");
		assertThat(card("events").findElement(By.cssSelector(".left")).getText()).matches("\\d+ s");
		assertThat(card("orders").findElement(By.cssSelector(".ahead")).getText()).isEqualTo("Ids in memory");
	}

	@Test
	void linkIsShortenedAndItsClicksAreShown() throws Exception {
		browser.findElement(By.id("url")).sendKeys("https://example.org/" + Keys.ENTER);
		this.wait.until((any) -> browser.findElement(By.id("clicks")).getText().equals("not followed yet"));
		String shortLink = Objects.requireNonNull(browser.findElement(By.id("short")).getDomProperty("href"));
		this.wait.until(
				(any) -> browser.executeScript("return document.getElementById('qr').naturalWidth > 0").equals(true));
		assertThat(browser.findElement(By.id("public-id")).getText()).startsWith("lnk_")
			.endsWith(shortLink.substring(shortLink.lastIndexOf('/') + 1));
		assertThat(browser.findElement(By.id("row-id")).getText()).matches("\\d+");
		HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create(shortLink)).build(), HttpResponse.BodyHandlers.discarding());
		this.wait.until((any) -> browser.findElement(By.id("clicks")).getText().equals("followed 1 time"));
	}

	@Test
	void chartWithoutIdsShowsAMessage() {
		WebElement empty = (WebElement) browser.executeScript(
				"""
						showDrawn(cards.get("events"), { drawn: 1e9, ids: [], heights: [], step: 1, last: null, lowest: null, highest: null });
						return document.querySelector("#generator-events .empty");
						""");
		assertThat(Objects.requireNonNull(empty).getText()).startsWith("No ids have been drawn");
		assertThat(card("events").findElement(By.tagName("canvas")).isDisplayed()).isFalse();
	}

	@Test
	void updatesWithoutReloading() {
		awaitTwoMoreUpdates();
		String left = card("default").findElement(By.cssSelector(".left")).getText();
		context.getBean(IdGenerators.class).get("default").nextLongs(150);
		this.wait.until((any) -> !card("default").findElement(By.cssSelector(".left")).getText().equals(left));
	}

	@Test
	void idsOfOtherCallersAppearWithTheirRate() {
		this.wait.until((any) -> drawnCount("default") >= 0);
		long drawn = drawnCount("default");
		context.getBean(IdGenerators.class).get("default").nextStrings(150);
		this.wait.until((any) -> drawnCount("default") == drawn + 150);
		this.wait.until((any) -> card("default").findElement(By.cssSelector(".rate .value"))
			.getText()
			.matches("\\d+/s, peak [1-9][\\d,]*/s"));
		List<String> heights = Arrays.asList(
				Objects.requireNonNull(card("default").findElement(By.tagName("polyline")).getDomAttribute("points"))
					.split(" "));
		assertThat(heights).hasSize(60).anyMatch((point) -> point.endsWith(",0.5"));
	}

	private static long drawnCount(String name) {
		return (Long) Objects.requireNonNull(browser.executeScript("return cards.get(arguments[0]).drawn", name));
	}

	@Test
	void tenantsAndTheirNextNumbersAreShown() {
		placeOrder("smith");
		String first = browser.findElement(By.id("document")).getText();
		assertThat(first).matches("The invoice is INV-smith-\\d{4}-0000\\d\\.");
		placeOrder("smith");
		this.wait.until((any) -> texts("#tenants .gauge").stream()
			.anyMatch((text) -> text.matches("(?s)smith\\s+next is " + (number(first) + 2))));
	}

	private static int number(String invoice) {
		return Integer.parseInt(invoice.replaceAll(".*-0*|\\.", ""));
	}

	private void placeOrder(String tenant) {
		WebElement input = browser.findElement(By.id("tenant"));
		browser.executeScript("document.getElementById('document').textContent = ''");
		input.clear();
		input.sendKeys(tenant + Keys.ENTER);
		this.wait.until((any) -> !browser.findElement(By.id("document")).getText().isEmpty());
	}

	@ParameterizedTest
	@ValueSource(strings = { "ftp://example.org/", "no URL", "" })
	void invalidInputClearsTheLink(String url) {
		WebElement input = browser.findElement(By.id("url"));
		input.sendKeys("https://example.org/" + Keys.ENTER);
		this.wait.until((any) -> browser.findElement(By.id("link")).isDisplayed());
		input.clear();
		input.sendKeys(url + Keys.ENTER);
		this.wait.until((any) -> !browser.findElement(By.id("link")).isDisplayed());
		if (url.startsWith("ftp")) {
			this.wait.until((any) -> problem().contains("http and https"));
			assertThat(browserLog()).isNotEmpty().allMatch((line) -> line.contains("400"));
			input.clear();
			input.sendKeys("https://example.org/" + Keys.ENTER);
			this.wait.until((any) -> problem().isEmpty());
		}
	}

	@Test
	void invalidInputClearsTheInvoiceAndTheCandidates() {
		placeOrder("smith");
		browser.findElement(By.id("tenant")).sendKeys("!" + Keys.ENTER);
		this.wait.until((any) -> browser.findElement(By.id("document")).getText().isEmpty());
		findGenerators("7");
		browser.findElement(By.id("id")).clear();
		browser.findElement(By.id("id")).sendKeys(Keys.ENTER);
		this.wait.until((any) -> texts("#readings dd").isEmpty());
	}

	@Test
	void documentationIsShownWithLinks() {
		browser.findElement(By.linkText("introduction")).click();
		WebElement link = this.wait
			.until((any) -> browser.findElement(By.cssSelector("#page a[href$='strategies.md']")));
		assertThat(browser.findElement(By.id("page")).getText()).startsWith("# id-spring-boot");
		link.click();
		this.wait.until((any) -> texts("#page").stream()
			.anyMatch((text) -> text.startsWith("# ") && !text.startsWith("# id-spring-boot")));
		assertThat(browser.getCurrentUrl()).endsWith("?docs/strategies.md");
		load();
	}

	@Test
	void reconnectsWhenTheBrowserRestoresThePage() {
		awaitTwoMoreUpdates();
		browser.executeScript("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))");
		long countWhenLeft = updateCount();
		assertThat(browser.executeAsyncScript("setTimeout(arguments[0], 2500, 'waited')")).isEqualTo("waited");
		assertThat(updateCount()).isEqualTo(countWhenLeft);
		browser.executeScript("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
		awaitTwoMoreUpdates();
	}

	@Test
	void reconnectsAfterAnErrorResponse() {
		traffic().reject("GET /api/live");
		load();
		this.wait.until((any) -> problem().equals("The application does not respond. Trying again …"));
		traffic().allow();
		awaitTwoMoreUpdates();
		assertThat(problem()).isEmpty();
		assertThat(browserLog()).isNotEmpty().allMatch((line) -> line.contains("503"));
	}

	@Test
	void problemIsShownUntilTheActionSucceeds() {
		traffic().reject("GET /actuator/ids?id");
		traffic().reject("GET /api/generators/orders");
		browser.navigate().refresh();
		this.wait.until((any) -> problem().contains("orders"));
		browser.findElement(By.id("id")).sendKeys("7" + Keys.ENTER);
		this.wait.until((any) -> problem().contains("actuator/ids"));
		awaitTwoMoreUpdates();
		assertThat(problem()).contains("orders", "actuator/ids");
		traffic().allow();
		draw("orders", 1);
		assertThat(problem()).doesNotContain("orders").contains("actuator/ids");
		findGenerators("7");
		assertThat(problem()).isEmpty();
		assertThat(browserLog()).isNotEmpty().allMatch((line) -> line.contains("503"));
	}

	@Test
	void lateResponseDoesNotReplaceANewerOne() throws Exception {
		String ids = browser.getCurrentUrl() + "api/generators/payments/ids";
		String description;
		try (TrafficControl.Blockade blockade = traffic().delay("GET /api/generators/payments/ids")) {
			browser.navigate().refresh();
			assertThat(blockade.awaitBlockedResponse(Duration.ofMinutes(1))).isTrue();
			this.wait.until((any) -> !browser.findElements(By.id("generator-payments")).isEmpty());
			draw("payments", 1);
			description = description("payments");
		}
		awaitResponse(ids);
		assertThat(description("payments")).isEqualTo(description);

		String first = browser.getCurrentUrl() + "actuator/ids?id=" + "1";
		try (TrafficControl.Blockade blockade = traffic().delay("GET /actuator/ids?id=1")) {
			browser.findElement(By.id("id")).sendKeys("1" + Keys.ENTER);
			assertThat(blockade.awaitBlockedResponse(Duration.ofMinutes(1))).isTrue();
			assertThat(findGenerators("no id")).contains("No generator");
		}
		awaitResponse(first);
		assertThat(browser.findElement(By.id("readings")).getText()).contains("No generator").doesNotContain("orders");
	}

	private void awaitResponse(String url) {
		this.wait.until((any) -> browser.executeScript("return performance.getEntriesByName(arguments[0]).length", url)
			.equals(1L));
		browser.executeAsyncScript("setTimeout(arguments[0], 200)");
	}

	private static String description(String name) {
		return Objects
			.requireNonNull(browser.findElement(By.id("generator-" + name + "-summary")).getDomProperty("textContent"));
	}

	@Test
	void drawingDoesNotMoveTheFocusBackFromAnotherField() throws Exception {
		WebElement input = browser.findElement(By.id("id"));
		try (TrafficControl.Blockade blockade = traffic().delay("POST /api/generators/default/ids")) {
			WebElement button = button("default", 1);
			browser.executeScript("arguments[0].focus()", button);
			button.sendKeys(Keys.ENTER);
			assertThat(blockade.awaitBlockedResponse(Duration.ofMinutes(1))).isTrue();
			input.click();
			input.sendKeys("ab");
		}
		this.wait.until((any) -> output("default").startsWith("1 id drawn"));
		this.wait.until((any) -> button("default", 1).isEnabled());
		assertThat(browser.switchTo().activeElement()).isEqualTo(input);
		browser.switchTo().activeElement().sendKeys("c");
		assertThat(input.getDomProperty("value")).isEqualTo("abc");
	}

	private static TrafficControl traffic() {
		return context.getBean(TrafficControl.class);
	}

	private static String problem() {
		return browser.findElement(By.id("problem")).getText();
	}

	private void awaitTwoMoreUpdates() {
		long count = updateCount();
		this.wait.until((any) -> updateCount() > count + 1);
	}

	private static long updateCount() {
		String count = browser.findElement(By.tagName("body")).getDomAttribute("data-live");
		return (count != null) ? Long.parseLong(count) : 0;
	}

	@Test
	@SuppressWarnings("unchecked")
	void showsTheProgressAndTheResultOfDraws() {
		for (String name : GENERATORS) {
			WebElement card = card(name);
			browser.executeScript("""
					const progress = arguments[0].querySelector("progress");
					window.progress = [];
					new MutationObserver(() => window.progress.push(progress.value))
						.observe(progress, { attributes: true, attributeFilter: ["value"] });
					""", card);
			draw(name, 1);
			// numbers of invoices are issued again after the rollback, and the text must
			// say so
			boolean rolledBack = name.equals("invoices");
			assertThat(output(name))
				.startsWith(rolledBack ? "1 id drawn and rolled back, so the next caller gets it: " : "1 id drawn: ");
			draw(name, 1000);
			String many = " ids drawn"
					+ (rolledBack ? " in 20 transactions. Each was rolled back," : ", the last one: ");
			assertThat(output(name)).startsWith("1,000" + many);
			draw(name, 100_000);
			assertThat(output(name)).startsWith("100,000" + many);
			assertThat(points(name)).isBetween(100, 1000);
			List<Object> progress = (List<Object>) browser.executeScript("return window.progress");
			assertThat(progress).contains(0L, 0.5, 1L).hasSizeGreaterThan(30);
			String last = output(name).replaceAll(".* ", "");
			assertThat(context.getBean(IdGenerators.class)
				.get(name)
				.format(context.getBean(IdGenerators.class).get(name).parse(last))).isEqualTo(last);
		}
	}

	@Test
	void drawsWithTheKeyboard() {
		WebElement button = button("default", 1);
		browser.executeScript("arguments[0].focus()", button);
		browser.switchTo().activeElement().sendKeys(Keys.ENTER);
		this.wait.until((any) -> output("default").startsWith("1 id drawn"));
		assertThat(browser.switchTo().activeElement()).isEqualTo(button);
		button.sendKeys(Keys.TAB);
		assertThat(browser.switchTo().activeElement()).isEqualTo(button("default", 1000));
	}

	@Test
	void readsPastedIds() {
		String order = context.getBean(IdGenerators.class).get("orders").nextString();
		assertThat(findGenerators(order)).contains("orders", "already reserved");
		String event = context.getBean(IdGenerators.class).get("events").nextString();
		assertThat(findGenerators(event)).contains("events", "node 0", "time 20");
		assertThat(findGenerators("  " + context.getBean(IdGenerators.class).get("default").nextString() + " "))
			.contains("default", "of the key space");
		assertThat(findGenerators("<b>no id</b>")).contains("No generator");
	}

	private String findGenerators(String id) {
		WebElement input = browser.findElement(By.id("id"));
		input.clear();
		browser.executeScript("document.getElementById('readings').replaceChildren()");
		input.sendKeys(id + Keys.ENTER);
		this.wait.until((any) -> !browser.findElements(By.cssSelector("#readings dd")).isEmpty());
		return browser.findElement(By.id("readings")).getText();
	}

	@Test
	void everyControlHasAnAccessibleName() {
		List<WebElement> controls = browser
			.findElements(By.cssSelector("button, input, canvas, svg, [role=meter], article, [role=group]"))
			.stream()
			.filter(WebElement::isDisplayed)
			.toList();
		assertThat(controls).hasSizeGreaterThan(45);
		for (WebElement control : controls) {
			assertThat(control.getAccessibleName()).as(control.getDomProperty("outerHTML")).isNotBlank();
		}
	}

	@Test
	@SuppressWarnings("unchecked")
	void picturesHaveAccessibleDescriptions() {
		draw("events", 1);
		draw("events", 1000);
		Map<String, Object> tree = browser.executeCdpCommand("Accessibility.getFullAXTree", Map.of());
		List<Map<String, Object>> pictures = JsonPath.read(tree,
				"$.nodes[?(@.ignored == false && @.role.value in ['img', 'image'])]");
		List<String> names = JsonPath.read(pictures, "$[*].name.value");
		assertThat(names).hasSize(2 * GENERATORS.size() + 1)
			.anyMatch((text) -> text.startsWith("Rate of documents in the last minute: 0/s"));
		List<String> descriptions = JsonPath.read(pictures, "$[?(@.description.value != '')].description.value");
		assertThat(descriptions).hasSize(GENERATORS.size())
			.contains(description("events"))
			.anyMatch((text) -> text.contains("and " + output("events").replaceAll(".* ", "") + "."));
	}

	@ParameterizedTest
	@SuppressWarnings("unchecked")
	@CsvSource({ "390, light", "390, dark", "900, light", "1440, light", "1440, dark" })
	void fitsOnTheScreen(int width, String scheme) throws Exception {
		Map<String, Object> size = Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 500);
		browser.executeCdpCommand("Emulation.setDeviceMetricsOverride", size);
		browser.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
		try {
			load();
			for (String name : GENERATORS) {
				draw(name, 1000);
			}
			findGenerators(context.getBean(IdGenerators.class).get("orders").nextString());
			browser.findElement(By.id("url")).sendKeys("https://docs.spring.io/spring-boot/" + Keys.ENTER);
			this.wait.until((any) -> !browser.findElement(By.id("clicks")).getText().isEmpty());
			placeOrder("acme");
			awaitTwoMoreUpdates();
			screenshot(width, scheme);
			List<String> overflowing = (List<String>) browser.executeScript(
					"""
							return [...document.querySelectorAll("body *")]
								.filter((element) => element.getClientRects().length > 0)
								.filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5
									|| element.getBoundingClientRect().left < -0.5)
								.map((element) => element.outerHTML.substring(0, 200))
							""");
			assertThat(overflowing).isEmpty();
			List<List<Object>> rows = (List<List<Object>>) browser.executeScript(
					"""
							const rows = Object.groupBy([...document.querySelectorAll("#generators > .card")], (card) => card.offsetTop);
							return Object.values(rows).map((cards) => cards.map((card) => card.offsetHeight));
							""");
			assertThat(rows).as("cards by row")
				.hasSize((width < 500) ? 8 : (width < 1000) ? 4 : 2)
				.allSatisfy((cards) -> assertThat(cards).hasSameSizeAs(rows.get(0)).doesNotContain(0L));
			for (String name : GENERATORS) {
				List<Object> drawn = (List<Object>) browser.executeAsyncScript("""
						fetch("api/generators/" + arguments[0] + "/ids").then((response) => response.json())
							.then((drawn) => arguments[1]([drawn.lowest, drawn.highest]))
						""", name);
				this.wait
					.until((any) -> List.of(visibleText(name, ".lowest"), visibleText(name, ".highest")).equals(drawn));
			}
			assertThat(browser
				.executeScript("return document.documentElement.scrollWidth - document.documentElement.clientWidth"))
				.isEqualTo(0L);
		}
		finally {
			browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
			browser.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
		}
	}

	/** Return the text of a part of a card, after asserting that it is not cut off. */
	private static String visibleText(String name, String part) {
		WebElement element = card(name).findElement(By.cssSelector(part));
		assertThat(browser.executeScript("""
				const range = document.createRange();
				range.selectNodeContents(arguments[0]);
				const text = range.getBoundingClientRect();
				const card = arguments[0].closest(".card").getBoundingClientRect();
				return text.left >= card.left && text.right <= card.right;
				""", element)).isEqualTo(true);
		return element.getText();
	}

	private static void screenshot(int width, String scheme) throws Exception {
		String name = "page-" + width + "-" + scheme;
		capture(Path.of("target", "screenshots"), name + ".png", Map.of("format", "png"));
		if (Boolean.getBoolean("test.ids.write-docs") && width != 900) {
			capture(Path.of("screenshots"), name + ".webp", Map.of("format", "webp", "quality", 80));
		}
	}

	private static void capture(Path directory, String name, Map<String, Object> format) throws Exception {
		Map<String, Object> parameters = new HashMap<>(format);
		parameters.put("captureBeyondViewport", true);
		Object picture = browser.executeCdpCommand("Page.captureScreenshot", parameters).get("data");
		Files.write(Files.createDirectories(directory).resolve(name), Base64.getDecoder().decode((String) picture));
	}

	private void draw(String name, int count) {
		browser.executeScript("arguments[0].querySelector('output').textContent = ''", card(name));
		browser.executeScript("arguments[0].click()", button(name, count));
		this.wait.until((any) -> !output(name).isEmpty());
	}

	private static WebElement card(String name) {
		return browser.findElement(By.id("generator-" + name));
	}

	private static WebElement button(String name, int count) {
		return card(name).findElement(By.cssSelector("button[data-count='" + count + "']"));
	}

	private static String output(String name) {
		return Objects.requireNonNull(card(name).findElement(By.tagName("output")).getDomProperty("textContent"));
	}

	private static int points(String name) {
		return Integer.parseInt(
				Objects.requireNonNull(card(name).findElement(By.tagName("canvas")).getDomAttribute("data-points")));
	}

	private static List<String> texts(String selector) {
		return browser.findElements(By.cssSelector(selector)).stream().map(WebElement::getText).toList();
	}

}
