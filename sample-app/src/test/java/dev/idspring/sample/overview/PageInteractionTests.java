package dev.idspring.sample.overview;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import dev.idspring.IdGenerators;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how the page responds to its user, to updates from the application, and to
 * problems between the two.
 */
class PageInteractionTests extends AbstractPageTests {

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

	private static int points(String name) {
		return Integer.parseInt(
				Objects.requireNonNull(card(name).findElement(By.tagName("canvas")).getDomAttribute("data-points")));
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

	private static String problem() {
		return browser.findElement(By.id("problem")).getText();
	}

}
