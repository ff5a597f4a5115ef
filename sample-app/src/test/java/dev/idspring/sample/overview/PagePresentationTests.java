package dev.idspring.sample.overview;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Year;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.IdGenerators;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what the page shows, whether it fits on screens, and its accessibility.
 * Screenshots are written to {@code target/screenshots}. With
 * {@code -Dtest.ids.write-docs=true}, those of phones and desktops are also written to
 * {@code screenshots}.
 */
class PagePresentationTests extends AbstractPageTests {

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
		// the page hides a chart until ids have been drawn
		GENERATORS.forEach((name) -> draw(name, 1));
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

}
