package dev.idspring.sample.overview;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.logging.Level;

import dev.idspring.sample.SampleApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
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
 * Opens the page in a headless Chromium, and uses its elements. The tests are skipped
 * without Chromium or its driver.
 */
abstract class AbstractPageTests {

	static final List<String> GENERATORS = List.of("default", "links", "orders", "invoices", "payments", "shipments",
			"events");

	static ConfigurableApplicationContext context;

	static ChromeDriver browser;

	WebDriverWait wait;

	@BeforeAll
	static void open() throws Exception {
		Optional<File> chromium = program("chromium", "chromium-browser", "google-chrome");
		Optional<File> driver = program("chromedriver");
		assumeTrue(chromium.isPresent() && driver.isPresent(),
				"The page is not tested, because chromium or chromedriver is not on the path.");
		context = new SpringApplicationBuilder(SampleApplication.class, TrafficControl.class).run("--server.port=0",
				"--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
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

	static List<String> browserLog() {
		return browser.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.map((entry) -> entry.getMessage())
			.toList();
	}

	static TrafficControl traffic() {
		return context.getBean(TrafficControl.class);
	}

	static List<String> texts(String selector) {
		return browser.findElements(By.cssSelector(selector)).stream().map(WebElement::getText).toList();
	}

	static WebElement card(String name) {
		return browser.findElement(By.id("generator-" + name));
	}

	static WebElement button(String name, int count) {
		return card(name).findElement(By.cssSelector("button[data-count='" + count + "']"));
	}

	static String output(String name) {
		return Objects.requireNonNull(card(name).findElement(By.tagName("output")).getDomProperty("textContent"));
	}

	static String description(String name) {
		return Objects
			.requireNonNull(browser.findElement(By.id("generator-" + name + "-summary")).getDomProperty("textContent"));
	}

	void draw(String name, int count) {
		browser.executeScript("arguments[0].querySelector('output').textContent = ''", card(name));
		browser.executeScript("arguments[0].click()", button(name, count));
		this.wait.until((any) -> !output(name).isEmpty());
	}

	void placeOrder(String tenant) {
		WebElement input = browser.findElement(By.id("tenant"));
		browser.executeScript("document.getElementById('document').textContent = ''");
		input.clear();
		input.sendKeys(tenant + Keys.ENTER);
		this.wait.until((any) -> !browser.findElement(By.id("document")).getText().isEmpty());
	}

	String findGenerators(String id) {
		WebElement input = browser.findElement(By.id("id"));
		input.clear();
		browser.executeScript("document.getElementById('readings').replaceChildren()");
		input.sendKeys(id + Keys.ENTER);
		this.wait.until((any) -> !browser.findElements(By.cssSelector("#readings dd")).isEmpty());
		return browser.findElement(By.id("readings")).getText();
	}

	void awaitTwoMoreUpdates() {
		long count = updateCount();
		this.wait.until((any) -> updateCount() > count + 1);
	}

	static long updateCount() {
		String count = browser.findElement(By.tagName("body")).getDomAttribute("data-live");
		return (count != null) ? Long.parseLong(count) : 0;
	}

}
