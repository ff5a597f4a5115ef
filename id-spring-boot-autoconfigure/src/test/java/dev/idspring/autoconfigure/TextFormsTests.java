package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.KeySpaceExhaustedException;
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
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;
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

	private static final String[] SECRETS = { secret(1), secret(2), secret(3), secret(4) };

	private static String secret(long seed) {
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
				"ids.text.secret=" + SECRETS[0], "ids.text.prefix=ord_", "ids.text.check=true")) {
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
				"ids.text.prefix=lnk-", "ids.text.check=true", "ids.text.secret=" + SECRETS[0],
				"ids.generators.codes.strategy=coprime", "ids.generators.codes.text.length=7")) {
			assertThat(context.getBean(IdGenerators.class).get("codes").nextString()).startsWith("lnk-")
				.hasSize(4 + 7 + 1);
			assertThat(generator(context).nextString()).hasSize(4 + 6 + 1);
		}
		assertThatException().isThrownBy(() -> start(TestDatabase.h2(), "ids.text.secret=" + SECRETS[0]).close())
			.havingRootCause()
			.withMessageContaining("cannot be used with the strategy coprime");
	}

	@ParameterizedTest
	@CsvSource({ "ids.generators.own.text.secret, ids.text.secrets[0].key",
			"ids.generators.own.text.secrets[0].key, ids.text.secret" })
	void secretOfAGeneratorReplacesTheInheritedOne(String ownProperty, String inheritedProperty) {
		TestDatabase database = TestDatabase.h2();
		String expected;
		try (ConfigurableApplicationContext withoutInheritedSecret = start(database, "ids.strategy=sequential",
				"ids.generators.own.strategy=sequential", ownProperty + "=" + SECRETS[0])) {
			expected = withoutInheritedSecret.getBean(IdGenerators.class).get("own").format(1);
		}
		try (ConfigurableApplicationContext withBothSecrets = start(database, "ids.strategy=sequential",
				"ids.key-space=another", ownProperty + "=" + SECRETS[0], inheritedProperty + "=" + SECRETS[1])) {
			assertThat(withBothSecrets.getBean(IdGenerators.class).get("own").format(1)).isEqualTo(expected);
			assertThat(generator(withBothSecrets).format(1)).isNotEqualTo(expected).hasSameSizeAs(expected);
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
						prefix + "text.secret=" + SECRETS[0], prefix + "text.secrets[0].key=" + SECRETS[1])
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
	void invalidAndConflictingSettingsAreReported(String firstProperty, String secondProperty, String problem,
			CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(TestDatabase.h2(), firstProperty, secondProperty).close());
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

	@ParameterizedTest
	@ValueSource(strings = { "ids.text.length=20", "ids.text.max-length=20", "ids.text.secret" })
	void explicitDecimalFormatIsPaddedWithALengthOrSecret(String property) {
		String setting = property.contains("=") ? property : property + "=" + SECRETS[0];
		try (ConfigurableApplicationContext context = start(TestDatabase.h2(), "ids.strategy=snowflake",
				"ids.snowflake.format=decimal", setting)) {
			assertThat(generator(context).nextStrings(20)).allMatch((text) -> text.matches("\\d{20}"));
		}
	}

	@Test
	void explicitDecimalFormatAloneIsNotPadded() {
		try (ConfigurableApplicationContext context = start(TestDatabase.h2(), "ids.strategy=snowflake",
				"ids.snowflake.format=decimal")) {
			assertThat(generator(context).format(42)).isEqualTo("42");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "coprime", "text" })
	void exhaustedKeySpaceContinuesAfterTheReportedMaxLengthIsRaised(String group) {
		TestDatabase database = TestDatabase.h2();
		String maxLength = "ids." + group + ".max-length";
		String[] digits = { "ids.coprime.alphabet=0123456789", "ids." + group + ".length=2" };
		try (ConfigurableApplicationContext context = start(database, digits[0], digits[1], maxLength + "=2")) {
			IdGenerator ids = generator(context);
			ids.nextStrings(100);
			assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(ids::nextString)
				.withMessageContaining(maxLength);
		}
		try (ConfigurableApplicationContext context = start(database, digits[0], digits[1], maxLength + "=3")) {
			assertThat(generator(context).nextString()).hasSize(3);
		}
	}

	@Test
	void secretWithCoprimeIsReportedUnderThePropertyThatSetsIt(CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> start(TestDatabase.h2(), "ids.strategy=coprime", "ids.text.secret=" + SECRETS[0]).close());
		assertThat(output).contains("ids.text.secret is [******] but cannot be used with the strategy coprime")
			.doesNotContain(SECRETS[0]);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ids.text.secret", "ids.text.secrets[0].key", "ids.text.alphabet" })
	void unresolvedPlaceholderIsReported(String property, CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> start(TestDatabase.h2(), "ids.strategy=sequential", property + "=${IDS_TEST_UNSET}").close());
		assertThat(output).contains("The placeholder ${IDS_TEST_UNSET} in " + property + " was not resolved.")
			.doesNotContain("openssl");
	}

	@ParameterizedTest
	@CsvSource({ "ids.text.secrets[1].from, key", "ids.generators.own.text.secrets[1].from, key",
			"ids.text.secrets[0].key, from" })
	void missingPartOfASecretIsNamed(String missing, String given, CapturedOutput output) {
		String list = missing.substring(0, missing.indexOf('['));
		List<String> settings = new ArrayList<>(List.of("ids.strategy=sequential", "ids.generators.own.block.size=10"));
		if (given.equals("key")) {
			settings.addAll(List.of(list + "[0].key=" + SECRETS[0], list + "[1].key=" + SECRETS[1]));
		}
		else {
			settings.add(list + "[0].from=5");
		}
		assertThatException().isThrownBy(() -> start(TestDatabase.h2(), settings.toArray(String[]::new)).close());
		assertThat(output).contains(missing + " is not set.", "Set several secrets as a list");
	}

	@ParameterizedTest
	@CsvSource({ "0, 1, 'a secret, but the configuration has another secret'",
			"0, , 'a secret, but the configuration has no secret'",
			", 0, 'no secret, but the configuration has a secret'" })
	void changedSecretIsReportedWithTheDifference(Integer storedSecret, Integer configuredSecret, String difference,
			CapturedOutput output) {
		TestDatabase database = TestDatabase.h2();
		start(database, settings(storedSecret)).close();
		assertThatException().isThrownBy(() -> start(database, settings(configuredSecret)).close());
		assertThat(output).contains("Key space 'default' was created with " + difference)
			.contains("Check ids.text.secret.")
			.contains("Configure the secret that the key space was created with")
			.doesNotContain("openssl");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';',
			value = { "2000; ; Configure all secrets of the key space in ids.text.secrets",
					"2000; 3000; with text.secrets[1].from=2000, but the configuration has text.secrets[1].from=3000.",
					"2000; 3000; Check ids.text.secrets[1].from.", "; 5; Correct the 'from' of the added secret in" })
	void changedListOfSecretsIsReportedWithItsRemedy(Integer stored, Integer configured, String message,
			CapturedOutput output) {
		TestDatabase database = TestDatabase.h2();
		try (ConfigurableApplicationContext running = start(database, secretsFrom(stored))) {
			generator(running).nextLongs(10);
			assertThatException().isThrownBy(() -> start(database, secretsFrom(configured)).close());
		}
		assertThat(output).contains(message).doesNotContain("Check ids.text.secrets.", "Check ids.strategy");
	}

	private static String[] secretsFrom(Integer from) {
		return (from != null) ? propertiesWithSecrets("sequential", from) : propertiesWithSecrets("sequential");
	}

	private static String[] settings(Integer secretIndex) {
		return (secretIndex != null)
				? new String[] { "ids.strategy=sequential", "ids.text.alphabet=base62", "ids.text.length=6",
						"ids.text.secret=" + SECRETS[secretIndex] }
				: new String[] { "ids.strategy=sequential", "ids.text.alphabet=base62", "ids.text.length=6" };
	}

	@ParameterizedTest
	@CsvSource({ "coprime, ids.coprime.alphabet, BASE-58", "snowflake, ids.snowflake.format, BASE32" })
	void acceptsTheSameAlphabetUnderDifferentNames(String strategy, String alias, String alphabet) {
		String canonicalName = Alphabet.of(alphabet).name();
		start(TestDatabase.h2(), "ids.strategy=" + strategy, alias + "=" + canonicalName,
				"ids.text.alphabet=" + alphabet)
			.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "c2VjcmV0IHBhc3N3b3JkIQ==", "not!base64" })
	void invalidSecretIsRejectedAndNotDisclosed(String secret, CapturedOutput output) {
		for (String property : List.of("ids.text.secret", "ids.text.secrets[0].key")) {
			assertThatException()
				.isThrownBy(() -> start(TestDatabase.h2(), "ids.strategy=sequential", property + "=" + secret).close());
			assertThat(output).contains(property + " is given but it", "openssl rand -base64 32")
				.doesNotContain(secret);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "text", "text.secrets", "text.secrets[0]", "text.secrets[1].key", "text.secrets[0].kye",
			"text.secrets[0].from", "text.secrets.key", "text.secret[0]", "text.secret.key" })
	@FewInvocations(4)
	void misplacedSecretIsRejectedAndNotDisclosed(String property, CapturedOutput output) {
		for (String prefix : List.of("ids.", "ids.generators.orders.")) {
			assertThatException().isThrownBy(
					() -> start(TestDatabase.h2(), "ids.strategy=sequential", prefix + property + "=" + SECRETS[0])
						.close());
			assertThat(output).contains("ids.text", "Action:").doesNotContain(SECRETS[0].substring(2, 20));
		}
	}

	@Test
	void emptyPropertyDoesNotHideAMisplacedSecret(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(TestDatabase.h2(), "ids.strategy=sequential", "ids.text.prefix=",
				"ids.text.check=", "ids.text.secrets[1].key=" + SECRETS[0])
			.close());
		assertThat(output).contains("ids.text", "Action:").doesNotContain(SECRETS[0].substring(2, 20));
	}

	@Test
	void propertyOfAnotherPrefixIsNotExplained() {
		Binder binder = new Binder(new MapConfigurationPropertySource(Map.of("acme.text.secret-ttl", "soon")));
		assertThatExceptionOfType(BindException.class)
			.isThrownBy(() -> binder.bind("acme.text.secret-ttl", Duration.class))
			.satisfies((ex) -> assertThat(new IdSetupFailureAnalyzer(new StandardEnvironment()).analyze(ex)).isNull());
	}

	@Test
	void changedSecretIsRejectedAndNotDisclosed(CapturedOutput output) {
		TestDatabase database = TestDatabase.h2();
		start(database, "ids.strategy=sequential", "ids.text.secret=" + SECRETS[0]).close();
		for (String[] properties : new String[][] { { "ids.text.secret=" + SECRETS[1] }, {}, { "ids.text.check=true" },
				{ "ids.text.secrets[0].key=" + SECRETS[1], "ids.text.secrets[1].key=" + SECRETS[0],
						"ids.text.secrets[1].from=1000" } }) {
			String[] allProperties = Stream.concat(Stream.of("ids.strategy=sequential"), Stream.of(properties))
				.toArray(String[]::new);
			assertThatException().isThrownBy(() -> start(database, allProperties).close())
				.havingRootCause()
				.isInstanceOf(KeySpaceMismatchException.class);
		}
		assertThat(output).contains("'default' cannot use its key space").doesNotContain(SECRETS);
	}

	private static String[] propertiesWithSecrets(String strategy, Object... beginnings) {
		Map<String, String> properties = new HashMap<>(Map.of("ids.strategy", strategy, "ids.text.check", "true",
				"ids.lease", "2s", "ids.clock.max-ahead", "100ms", "ids.clock.max-skew", "1s"));
		for (int i = 0; i <= beginnings.length; i++) {
			properties.put("ids.text.secrets[" + i + "].key", SECRETS[i]);
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
	 * Starts instances with one, two and three secrets in turn. Each instance starts
	 * while the previous one is still running.
	 */
	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	@FewInvocations(2)
	void stringsStayUniqueWhileSecretsAreAdded(Kind kind) {
		TestDatabase database = kind.create();
		Map<String, Long> texts = new HashMap<>();
		Object[][] steps = { {}, { 2_000 }, { 2_000, 4_000 } };
		ConfigurableApplicationContext previous = null;
		for (Object[] beginnings : steps) {
			if (previous != null) {
				draw(generator(previous), 3, texts);
			}
			ConfigurableApplicationContext current = start(database, propertiesWithSecrets("sequential", beginnings));
			if (previous != null) {
				IdGenerator outdated = generator(previous);
				assertThatExceptionOfType(KeySpaceMismatchException.class).isThrownBy(() -> draw(outdated, 100, texts))
					.withMessageContaining("secrets, but this instance was started with");
				previous.close();
			}
			draw(generator(current), 1_900, texts);
			previous = current;
		}
		draw(generator(previous), 3_000, texts);
		IdGenerator lastGenerator = generator(previous);
		assertThat(texts).allSatisfy((text, id) -> assertThat(lastGenerator.parse(text)).isEqualTo(id));
		previous.close();
		assertThatException().as("fewer secrets than before")
			.isThrownBy(() -> start(database, propertiesWithSecrets("sequential", 2_000)).close())
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
	void secretThatWouldApplyToReservedIdsIsRejected(Kind kind) {
		TestDatabase database = kind.create();
		try (ConfigurableApplicationContext running = start(database, propertiesWithSecrets("sequential"))) {
			draw(generator(running), 100, new HashMap<>());
			assertThatException().isThrownBy(() -> start(database, propertiesWithSecrets("sequential", 50)).close())
				.havingRootCause()
				.withMessageContaining("would also apply to ids that are already reserved");
			draw(generator(running), 100, new HashMap<>());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "snowflake", "decimal-uid", "composite", "gapless", "recycled" })
	void strategiesOtherThanSequentialRejectASecondSecret(String strategy, CapturedOutput output) {
		TestDatabase database = TestDatabase.h2();
		start(database, propertiesWithSecrets(strategy)).close();
		assertThatException().isThrownBy(() -> start(database, propertiesWithSecrets(strategy, 5)).close());
		assertThat(output)
			.contains("ids.text.secrets is [******, ****** from 5] but must contain only one secret: only the"
					+ " strategy sequential takes a second secret. Continue with the first secret, or create another"
					+ " key space with the new secret and another prefix");
		start(database, propertiesWithSecrets(strategy)).close();
	}

	@Test
	void secretWithAnInstantAsItsStartIsRejected(CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> start(TestDatabase.h2(), propertiesWithSecrets("snowflake", "2030-01-01T00:00:00Z")).close());
		assertThat(output).contains(
				"ids.text.secrets[1].from is '2030-01-01T00:00:00Z' but must be the number of ids before this secret;"
						+ " only the strategy sequential takes a second secret");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class })
	static class Application {

	}

}
