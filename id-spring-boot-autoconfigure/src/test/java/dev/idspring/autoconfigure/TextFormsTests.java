package dev.idspring.autoconfigure;

import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.text.Alphabet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests {@code ids.text} with every strategy, and secrets that are added while instances
 * run.
 */
@ExtendWith(OutputCaptureExtension.class)
class TextFormsTests {

	private static final String[] KEYS = { key(1), key(2), key(3), key(4) };

	private static String key(long seed) {
		byte[] bytes = new byte[32];
		new Random(seed).nextBytes(bytes);
		return Base64.getEncoder().encodeToString(bytes);
	}

	private static ConfigurableApplicationContext start(TestDatabase database, String... properties) {
		SpringApplication application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.build();
		return application
			.run(Stream.concat(
					Stream.of("spring.datasource.url=" + database.url(),
							"spring.datasource.username=" + database.username(),
							"spring.datasource.password=" + database.password(), "spring.main.banner-mode=off",
							"ids.jdbc.initialize-schema=always", "ids.block.size=10", "ids.block.max-size=10"),
					Stream.of(properties))
				.map((property) -> "--" + property)
				.toArray(String[]::new));
	}

	private static IdGenerator generator(ConfigurableApplicationContext context) {
		return context.getBean(IdGenerator.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "sequential", "recycled", "gapless", "snowflake", "decimal-uid", "composite" })
	@FewInvocations(3)
	void parsesStringsFormattedWithASecret(String strategy) {
		try (ConfigurableApplicationContext context = start(TestDatabase.h2(), "ids.strategy=" + strategy,
				"ids.text.secret=" + KEYS[0], "ids.text.prefix=ord_", "ids.text.check=true")) {
			IdGenerator ids = generator(context);
			List<String> texts = new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
				.execute((status) -> ids.nextStrings(100));
			assertThat(texts).doesNotHaveDuplicates().allMatch((text) -> text.startsWith("ord_"));
			assertThat(texts).isNotEqualTo(texts.stream().sorted().toList());
			assertThat(texts).allSatisfy((text) -> {
				long id = ids.parse(text);
				assertThat(ids.format(id)).isEqualTo(text);
				assertThat(ids.describe(id).text()).isEqualTo(text);
			});
		}
	}

	@Test
	void coprimeUsesPrefixAndCheckCharacterButInheritsNoSecret() {
		try (ConfigurableApplicationContext context = start(TestDatabase.h2(), "ids.strategy=sequential",
				"ids.text.prefix=lnk-", "ids.text.check=true", "ids.text.secret=" + KEYS[0],
				"ids.generators.codes.strategy=coprime", "ids.generators.codes.text.length=7")) {
			assertThat(context.getBean(IdGenerators.class).get("codes").nextString()).startsWith("lnk-")
				.hasSize(4 + 7 + 1);
			assertThat(generator(context).nextString()).hasSize(4 + 6 + 1);
		}
		assertThatException().isThrownBy(() -> start(TestDatabase.h2(), "ids.text.secret=" + KEYS[0]).close())
			.havingRootCause()
			.withMessageContaining("cannot be used with the strategy coprime");
	}

	@ParameterizedTest
	@CsvSource({ "ids.generators.own.text.secret, ids.text.secrets[0].key",
			"ids.generators.own.text.secrets[0].key, ids.text.secret" })
	void secretOfAGeneratorReplacesTheInheritedOne(String own, String inherited) {
		TestDatabase database = TestDatabase.h2();
		String first;
		try (ConfigurableApplicationContext withoutInheritedSecret = start(database, "ids.strategy=sequential",
				"ids.generators.own.strategy=sequential", own + "=" + KEYS[0])) {
			first = withoutInheritedSecret.getBean(IdGenerators.class).get("own").format(1);
		}
		try (ConfigurableApplicationContext both = start(database, "ids.strategy=sequential", "ids.key-space=another",
				own + "=" + KEYS[0], inherited + "=" + KEYS[1])) {
			assertThat(both.getBean(IdGenerators.class).get("own").format(1)).isEqualTo(first);
			assertThat(generator(both).format(1)).isNotEqualTo(first).hasSameSizeAs(first);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ids.text.secret", "ids.text.secrets[0].key", "ids.generators.own.text.secret" })
	void emptySecretIsReported(String property, CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(TestDatabase.h2(), "ids.strategy=sequential",
				"ids.generators.own.strategy=sequential", property + "=${test.ids.no-secret:}")
			.close());
		assertThat(output).contains("APPLICATION FAILED TO START", "is empty: use 16, 24 or 32 random bytes");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ids.", "ids.generators.own." })
	void secretAndListOfSecretsCannotBeCombined(String prefix, CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> start(TestDatabase.h2(), "ids.strategy=sequential", "ids.generators.own.strategy=sequential",
						prefix + "text.secret=" + KEYS[0], prefix + "text.secrets[0].key=" + KEYS[1])
					.close());
		assertThat(output).contains(prefix + "text.secret and " + prefix + "text.secrets[0].key are both set");
	}

	@ParameterizedTest
	@CsvSource({
			"ids.coprime.length=7, ids.text.length=8, ids.text.length and ids.coprime.length are two names of the same setting",
			"ids.coprime.alphabet=base58, ids.text.alphabet=base32, ids.text.alphabet and ids.coprime.alphabet are two names of the same setting",
			"ids.text.prefix=order, ids.text.check=true, ids.text.prefix is 'order' but must be",
			"ids.text.length=0, ids.text.check=true, ids.text.length is 0 but must be",
			"ids.text.alphabet=base64, ids.text.check=true, ids.text.alphabet is 'base64' but cannot be used" })
	void invalidAndConflictingSettingsAreReported(String one, String other, String problem, CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(TestDatabase.h2(), one, other).close());
		assertThat(output).contains("APPLICATION FAILED TO START", problem, "Action:");
	}

	@Test
	void explicitFormatConflictsWithADifferentAlphabet(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(TestDatabase.h2(), "ids.strategy=snowflake",
				"ids.snowflake.format=decimal", "ids.text.alphabet=base62")
			.close());
		assertThat(output).contains("ids.text.alphabet and ids.snowflake.format are two names of the same setting");
		start(TestDatabase.h2(), "ids.strategy=snowflake", "ids.text.alphabet=base62").close();
	}

	@Test
	void secretWithCoprimeIsReportedUnderThePropertyThatSetsIt(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> start(TestDatabase.h2(), "ids.strategy=coprime", "ids.text.secret=" + KEYS[0]).close());
		assertThat(output).contains("ids.text.secret is [******] but cannot be used with the strategy coprime")
			.doesNotContain(KEYS[0]);
	}

	@ParameterizedTest
	@CsvSource({ "ids.text.secret, ids.text.secret", "ids.text.secrets[0].key, ids.text.secrets.key",
			"ids.text.alphabet, ids.text.alphabet" })
	void unresolvedPlaceholderIsReported(String property, String named, CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> start(TestDatabase.h2(), "ids.strategy=sequential", property + "=${IDS_TEST_UNSET}").close());
		assertThat(output).contains("The placeholder ${IDS_TEST_UNSET} in " + named + " was not resolved.")
			.doesNotContain("openssl");
	}

	@ParameterizedTest
	@CsvSource({ "0, 1, a secret other than the configured one", "0, , 'a secret, but the configuration has no secret'",
			", 0, 'no secret, but the configuration has a secret'" })
	void changedSecretIsReportedWithTheDifference(Integer before, Integer after, String difference,
			CapturedOutput output) {
		TestDatabase database = TestDatabase.h2();
		start(database, settings(before)).close();
		assertThatException().isThrownBy(() -> start(database, settings(after)).close());
		assertThat(output).contains("Key space 'default' was created with " + difference)
			.contains("Check ids.text.secret.")
			.contains("Configure the secret that the key space was created with")
			.doesNotContain("openssl");
	}

	private static String[] settings(Integer secret) {
		return (secret != null)
				? new String[] { "ids.strategy=sequential", "ids.text.alphabet=base62", "ids.text.length=6",
						"ids.text.secret=" + KEYS[secret] }
				: new String[] { "ids.strategy=sequential", "ids.text.alphabet=base62", "ids.text.length=6" };
	}

	@ParameterizedTest
	@CsvSource({ "coprime, ids.coprime.alphabet, BASE-58", "snowflake, ids.snowflake.format, BASE32" })
	void acceptsTheSameAlphabetUnderDifferentNames(String strategy, String alias, String alphabet) {
		String other = Alphabet.of(alphabet).name();
		start(TestDatabase.h2(), "ids.strategy=" + strategy, alias + "=" + other, "ids.text.alphabet=" + alphabet)
			.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "c2VjcmV0IHBhc3N3b3JkIQ==", "not!base64" })
	void invalidSecretIsRefusedAndNotDisclosed(String secret, CapturedOutput output) {
		for (String property : List.of("ids.text.secret", "ids.text.secrets[0].key")) {
			assertThatException()
				.isThrownBy(() -> start(TestDatabase.h2(), "ids.strategy=sequential", property + "=" + secret).close());
		}
		assertThat(output).contains("ids.text.secret is given but it", "openssl rand -base64 32")
			.doesNotContain(secret);
	}

	@ParameterizedTest
	@ValueSource(strings = { "text", "text.secrets", "text.secrets[0]", "text.secrets[1].key", "text.secrets[0].kye",
			"text.secrets[0].from", "text.secrets.key", "text.secret[0]", "text.secret.key" })
	@FewInvocations(4)
	void misplacedSecretIsRefusedAndNotDisclosed(String property, CapturedOutput output) {
		for (String prefix : List.of("ids.", "ids.generators.orders.")) {
			assertThatException()
				.isThrownBy(() -> start(TestDatabase.h2(), "ids.strategy=sequential", prefix + property + "=" + KEYS[0])
					.close());
			assertThat(output).contains("ids.text", "Action:").doesNotContain(KEYS[0].substring(2, 20));
		}
	}

	@Test
	void changedSecretIsRefusedAndNotDisclosed(CapturedOutput output) {
		TestDatabase database = TestDatabase.h2();
		start(database, "ids.strategy=sequential", "ids.text.secret=" + KEYS[0]).close();
		for (String[] properties : new String[][] { { "ids.text.secret=" + KEYS[1] }, {}, { "ids.text.check=true" },
				{ "ids.text.secrets[0].key=" + KEYS[1], "ids.text.secrets[1].key=" + KEYS[0],
						"ids.text.secrets[1].from=1000" } }) {
			String[] all = Stream.concat(Stream.of("ids.strategy=sequential"), Stream.of(properties))
				.toArray(String[]::new);
			assertThatException().isThrownBy(() -> start(database, all).close())
				.havingRootCause()
				.isInstanceOf(KeySpaceMismatchException.class);
		}
		assertThat(output).contains("'default' cannot use its key space").doesNotContain(KEYS);
	}

	private static String[] secrets(String strategy, Object... beginnings) {
		Map<String, String> properties = new HashMap<>(Map.of("ids.strategy", strategy, "ids.text.check", "true",
				"ids.lease", "2s", "ids.clock.max-ahead", "100ms", "ids.clock.max-skew", "1s"));
		for (int i = 0; i <= beginnings.length; i++) {
			properties.put("ids.text.secrets[" + i + "].key", KEYS[i]);
			if (i > 0) {
				properties.put("ids.text.secrets[" + i + "].from", beginnings[i - 1].toString());
			}
		}
		return properties.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + "=" + entry.getValue())
			.toArray(String[]::new);
	}

	/**
	 * Adds secrets in three steps. Each step starts while an instance with the previous
	 * list of secrets is still drawing ids.
	 */
	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	@FewInvocations(2)
	void stringsStayUniqueWhileSecretsAreAdded(Kind kind) {
		TestDatabase database = kind.create();
		Map<String, Long> texts = new HashMap<>();
		Object[][] steps = { {}, { 2_000 }, { 2_000, 4_000 } };
		ConfigurableApplicationContext before = null;
		for (Object[] beginnings : steps) {
			if (before != null) {
				draw(generator(before), 3, texts);
			}
			ConfigurableApplicationContext now = start(database, secrets("sequential", beginnings));
			if (before != null) {
				IdGenerator outdated = generator(before);
				assertThatExceptionOfType(KeySpaceMismatchException.class).isThrownBy(() -> draw(outdated, 100, texts))
					.withMessageContaining("secrets, but this instance was started with");
				before.close();
			}
			draw(generator(now), 1_900, texts);
			before = now;
		}
		draw(generator(before), 3_000, texts);
		IdGenerator last = generator(before);
		assertThat(texts).allSatisfy((text, id) -> assertThat(last.parse(text)).isEqualTo(id));
		before.close();
		assertThatException().as("fewer secrets than before")
			.isThrownBy(() -> start(database, secrets("sequential", 2_000)).close())
			.havingRootCause()
			.withMessageContaining("has 3 secrets, but this instance was started with 2");
	}

	private static void draw(IdGenerator ids, int count, Map<String, Long> texts) {
		for (int i = 0; i < count; i++) {
			long id = ids.nextLong();
			assertThat(texts.putIfAbsent(ids.format(id), id)).as(ids.format(id)).isNull();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	@FewInvocations(2)
	void secretThatWouldApplyToReservedIdsIsRefused(Kind kind) {
		TestDatabase database = kind.create();
		try (ConfigurableApplicationContext running = start(database, secrets("sequential"))) {
			draw(generator(running), 100, new HashMap<>());
			assertThatException().isThrownBy(() -> start(database, secrets("sequential", 50)).close())
				.havingRootCause()
				.withMessageContaining("would also apply to ids that are already reserved");
			draw(generator(running), 100, new HashMap<>());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "snowflake", "decimal-uid", "composite", "gapless", "recycled" })
	void strategiesOtherThanSequentialRefuseASecondSecret(String strategy, CapturedOutput output) {
		TestDatabase database = TestDatabase.h2();
		start(database, secrets(strategy)).close();
		assertThatException().isThrownBy(() -> start(database, secrets(strategy, 5)).close());
		assertThat(output)
			.contains("ids.text.secrets is [******, ****** from 5] but must contain only one secret: only the"
					+ " strategy sequential takes a second secret. Continue with the first secret, or create another"
					+ " key space with the new secret and another prefix");
		start(database, secrets(strategy)).close();
	}

	@Test
	void secretWithAnInstantAsItsStartIsRefused(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> start(TestDatabase.h2(), secrets("snowflake", "2030-01-01T00:00:00Z")).close());
		assertThat(output).contains(
				"ids.text.secrets.from is '2030-01-01T00:00:00Z' but must be the number of ids before this secret;"
						+ " only" + " the strategy sequential takes a second secret");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class })
	static class Application {

	}

}
