package dev.idspring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.idspring.IdGenerators;
import dev.idspring.monitor.ManagedIdGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the strings of all strategies, in all forms, match their patterns. The
 * string of the last id must match, too, because it is the example in OpenAPI documents.
 */
class TextPatternsTests {

	private static final Map<String, List<String>> STRATEGIES = Map.of("coprime", List.of("strategy=coprime"),
			"park-miller", List.of("coprime.preset=park-miller"), "sequential", List.of("strategy=sequential"),
			"recycled", List.of("strategy=recycled"), "gapless", List.of("strategy=gapless"), "snowflake",
			List.of("strategy=snowflake"), "decimal-uid", List.of("strategy=decimal-uid"), "composite",
			List.of("strategy=composite"));

	private static final Map<String, List<String>> FORMS = Map.of("plain", List.of(), "decorated",
			List.of("text.prefix=ord_", "text.check=true"), "base32",
			List.of("text.alphabet=base32", "text.check=true"), "base58", List.of("text.alphabet=base58"), "special",
			List.of("text.alphabet=]^-[&|/~", "text.prefix=x-"), "secret",
			List.of("text.secret=nHUWwf7XPTpvZ5pUcuxDfrjh4nqU3PaqgDuNmbcCnEM=", "text.check=true"));

	private static ConfigurableApplicationContext context;

	static Stream<String> generators() {
		return STRATEGIES.keySet()
			.stream()
			.sorted()
			.flatMap((strategy) -> FORMS.keySet()
				.stream()
				.sorted()
				.filter((form) -> supportsForm(strategy, form))
				.map((form) -> strategy + "-" + form));
	}

	/**
	 * Strategies with random-looking keys do not support all forms. {@code coprime}
	 * supports no secret, and {@code park-miller} supports neither a secret nor another
	 * alphabet.
	 */
	private static boolean supportsForm(String strategy, String form) {
		return switch (strategy) {
			case "coprime" -> !form.equals("secret");
			case "park-miller" -> form.equals("plain") || form.equals("decorated");
			default -> true;
		};
	}

	@BeforeAll
	static void start() {
		List<String> arguments = new ArrayList<>(
				List.of("--spring.main.banner-mode=off", "--spring.datasource.url=jdbc:h2:mem:patterns"));
		STRATEGIES.forEach((strategy, settings) -> FORMS.forEach((form, formSettings) -> {
			if (supportsForm(strategy, form)) {
				Stream.concat(settings.stream(), formSettings.stream())
					.map((setting) -> "--ids.generators." + strategy + "-" + form + "." + setting)
					.forEach(arguments::add);
			}
		}));
		context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@ParameterizedTest
	@MethodSource("generators")
	void stringsMatchThePattern(String name) {
		ManagedIdGenerator ids = (ManagedIdGenerator) context.getBean(IdGenerators.class).get(name);
		Pattern pattern = Pattern.compile(ids.textPattern());
		String last = ids.format(ids.lastId());
		assertThat(ids.snapshot().issued()).isZero();
		assertThat(last).matches(pattern);
		assertThat(ids.parse(last)).isEqualTo(ids.lastId());
		List<String> drawn = context.getBean(TransactionTemplate.class).execute((status) -> ids.nextStrings(500));
		assertThat(drawn).doesNotContain(last).allMatch((text) -> pattern.matcher(text).matches());
		assertThat(drawn).noneMatch((text) -> pattern.matcher(text + "\n ").find());
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			TransactionAutoConfiguration.class, IdsAutoConfiguration.class, IdsJdbcAutoConfiguration.class })
	static class Application {

	}

}
