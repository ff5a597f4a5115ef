package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.testsupport.IdsEndpointSchema;
import dev.idspring.testsupport.IdsEndpointClient;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.ScopedIds;
import dev.idspring.autoconfigure.actuate.IdAttribution.Candidate;
import dev.idspring.autoconfigure.actuate.IdAttribution.CandidatesDescriptor;
import dev.idspring.autoconfigure.actuate.IdAttribution.Confidence;
import dev.idspring.autoconfigure.actuate.IdAttribution.Form;
import dev.idspring.autoconfigure.actuate.IdsEndpoint.IdDescriptor;
import dev.idspring.text.Alphabet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.BDDMockito;
import org.mockito.Mockito;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link IdAttribution} with many generators.
 */
class IdAttributionTests {

	private static final int DRAWN_IDS = 5;

	/**
	 * The number of ids from elsewhere that a test attributes to a generator.
	 */
	private static final int FOREIGN_IDS = Integer.getInteger("test.ids.foreign", 2_000);

	/**
	 * The number of ids that generator {@code dense} has issued. As text, its ids have
	 * six digits.
	 */
	private static final int ISSUED_BY_DENSE = 900_000;

	private static ConfigurableApplicationContext context;

	/** The first ids that each generator has issued. */
	private static final Map<String, long[]> drawn = new LinkedHashMap<>();

	@BeforeAll
	static void start() {
		context = new SpringApplicationBuilder(Application.class).run("--server.port=0",
				"--management.endpoints.web.exposure.include=ids", "--spring.main.banner-mode=off",
				"--spring.flyway.enabled=false", "--spring.liquibase.enabled=false",
				"--spring.datasource.url=jdbc:h2:mem:attribution;DB_CLOSE_DELAY=-1",
				"--ids.generators.links.strategy=sequential", "--ids.generators.links.text.prefix=lnk_",
				"--ids.generators.links.text.check=true",
				"--ids.generators.links.text.secret=nHUWwf7XPTpvZ5pUcuxDfrjh4nqU3PaqgDuNmbcCnEM=",
				"--ids.generators.orders.strategy=sequential", "--ids.generators.orders.text.prefix=ord_",
				"--ids.generators.codes.strategy=sequential",
				"--ids.generators.codes.text.secret=FbQfYFBo4yQd1N2N/cqfqpkGmYYb3lhe2VtyEhcK1gE=",
				"--ids.generators.invoices.strategy=gapless", "--ids.generators.series.strategy=recycled",
				"--ids.generators.seeds.coprime.preset=park-miller", "--ids.generators.events.strategy=snowflake",
				"--ids.generators.events.text.prefix=evt_", "--ids.generators.uids.strategy=decimal-uid",
				"--ids.generators.documents.strategy=composite", "--ids.generators.bills.strategy=gapless",
				"--ids.generators.bills.scoped=true", "--ids.generators.bills.period=year",
				"--ids.generators.bills.text.pattern=INV-{scope}-{yyyy}-{n:5}",
				"--ids.generators.notes.strategy=gapless", "--ids.generators.notes.scoped=true",
				"--ids.generators.notes.text.pattern=N{n:4}", "--ids.generators.yearly.strategy=gapless",
				"--ids.generators.yearly.scoped=true", "--ids.generators.yearly.period=year",
				"--ids.generators.dense.strategy=sequential", "--ids.generators.dense.sequential.end=999999",
				"--ids.generators.dense.text.alphabet=0123456789",
				"--ids.generators.dense.text.secret=oYhUBjGbyohLoiBOxpZnwWIGLBiISD+RxTl+x3H5Tos=",
				"--ids.generators.checked.coprime.length=6", "--ids.generators.checked.text.check=true",
				"--ids.generators.digits.strategy=sequential", "--ids.generators.digits.text.check=true",
				"--ids.generators.hidden.strategy=snowflake",
				"--ids.generators.hidden.text.secret=rZG5W4a8zl6iimX8k2CMZfPmSVxNGY5X+6PCiOSTn+M=",
				"--ids.generators.tenants.strategy=gapless", "--ids.generators.tenants.scoped=true",
				"--ids.generators.tenants.text.pattern={scope}-{n:3}");
		IdGenerators generators = context.getBean(IdGenerators.class);
		context.getBean(TransactionTemplate.class)
			.executeWithoutResult((status) -> generators.names()
				.forEach((name) -> drawn.put(name, generators.get(name).nextLongs(DRAWN_IDS))));
		generators.get("dense").nextLongs(ISSUED_BY_DENSE - DRAWN_IDS);
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	private static CandidatesDescriptor candidates(String id) {
		return (CandidatesDescriptor) context.getBean(IdsEndpoint.class).ids(id);
	}

	static Set<String> names() {
		return context.getBean(IdGenerators.class).names();
	}

	private static IdGenerator generator(String name) {
		return context.getBean(IdGenerators.class).get(name);
	}

	@Test
	void generatorOfTheApplicationThatFailsLeavesOpenWhetherAnIdIsReserved() {
		IdGenerator legacy = mock(IdGenerator.class);
		given(legacy.name()).willReturn("legacy");
		given(legacy.parse("5")).willReturn(5L);
		given(legacy.format(5)).willReturn("5");
		given(legacy.describe(5)).willThrow(new IllegalStateException());
		IdGenerators generators = mock(IdGenerators.class);
		given(generators.names()).willReturn(Set.of("legacy"));
		given(generators.iterator()).willAnswer((call) -> List.of(legacy).iterator());
		IdsEndpoint endpoint = new IdsEndpoint(generators, null);
		assertThat(((CandidatesDescriptor) endpoint.ids("5")).candidates()).singleElement().satisfies((candidate) -> {
			assertThat(candidate.generator()).isEqualTo("legacy");
			assertThat(candidate.id().reserved()).isNull();
		});
		assertThat(endpoint.notFound("legacy").message()).contains("'legacy' is a bean of the application");
	}

	@ParameterizedTest
	@MethodSource("names")
	void uuidIsCertainForItsGeneratorOnly(String name) {
		IdGenerator generator = generator(name);
		for (long id : drawn.get(generator.name())) {
			assertThat(candidates(generator.toUuid(id).toString()).candidates()).singleElement()
				.satisfies((candidate) -> {
					assertThat(candidate.generator()).isEqualTo(generator.name());
					assertThat(candidate.confidence()).isEqualTo(Confidence.CERTAIN);
					assertThat(candidate.form()).isEqualTo(Form.UUID);
					assertThat(candidate.matched()).contains("tag");
					assertThat(candidate.id().id()).isEqualTo(Long.toUnsignedString(id));
				});
		}
	}

	@ParameterizedTest
	@MethodSource("names")
	void candidatesForAStringOrNumberIncludeItsGenerator(String name) {
		IdGenerator generator = generator(name);
		for (long id : drawn.get(generator.name())) {
			for (String written : List.of(generator.format(id), Long.toUnsignedString(id))) {
				assertThat(candidates(written).candidates()).anySatisfy((candidate) -> {
					assertThat(candidate.generator()).isEqualTo(generator.name());
					assertThat(candidate.confidence()).isNotEqualTo(Confidence.UNLIKELY);
				})
					.noneMatch((candidate) -> candidate.confidence() == Confidence.CERTAIN)
					.isSortedAccordingTo((one, other) -> one.confidence().compareTo(other.confidence()));
			}
		}
	}

	@Test
	void prefixCheckCharacterAndReservedNumberMakeACandidateLikely() {
		IdGenerator links = generator("links");
		var candidates = candidates(links.format(drawn.get("links")[0])).candidates();
		assertThat(candidates).singleElement().satisfies((candidate) -> {
			assertThat(candidate.confidence()).isEqualTo(Confidence.LIKELY);
			assertThat(candidate.matched()).containsExactly("prefix", "check", "reserved");
		});
	}

	@Test
	void periodIsUnknownIfThePatternContainsNoDate() {
		IdDescriptor number = context.getBean(IdsEndpoint.class).id("yearly", "2");
		assertThat(number.id()).isEqualTo("2");
		assertThat(number.period()).isNull();
	}

	@Test
	void scopedNumberIsAttributedWithItsScopeAndPeriod() {
		ScopedIds acme = context.getBean(IdGenerators.class).scoped("bills").in("acme").at(LocalDate.of(2026, 5, 1));
		String text = context.getBean(TransactionTemplate.class).execute((status) -> acme.nextString());
		assertThat(candidates(text).candidates()).singleElement().satisfies((candidate) -> {
			assertThat(candidate.generator()).isEqualTo("bills");
			assertThat(candidate.confidence()).isEqualTo(Confidence.LIKELY);
			assertThat(candidate.matched()).containsExactly("pattern");
			assertThat(candidate.scope()).isEqualTo("acme");
			assertThat(candidate.period()).isEqualTo("2026");
			assertThat(candidate.id().id()).isEqualTo("1");
		});
		assertThat(candidates(acme.format(2)).candidates()).singleElement()
			.satisfies((candidate) -> assertThat(candidate.confidence()).isEqualTo(Confidence.UNLIKELY));
		assertThat(candidates("N0007").candidates()).singleElement().satisfies((candidate) -> {
			assertThat(candidate.generator()).isEqualTo("notes");
			assertThat(candidate.scope()).isNull();
			assertThat(candidate.id().reserved()).isNull();
		});
		assertThat(candidates("INV-acme-2026-001").candidates()).isEmpty();
		assertThat(candidates("INV-acme-2026-00000").candidates()).isEmpty();
	}

	@Test
	void unreservedIdIsUnlikely() {
		IdGenerator orders = generator("orders");
		assertThat(candidates(orders.format(1_000_000_000)).candidates()).singleElement()
			.satisfies((candidate) -> assertThat(candidate.confidence()).isEqualTo(Confidence.UNLIKELY));
		IdGenerator events = generator("events");
		assertThat(candidates(events.toUuid(Long.MAX_VALUE).toString()).candidates()).singleElement()
			.satisfies((candidate) -> assertThat(candidate.confidence()).isEqualTo(Confidence.UNLIKELY));
	}

	/**
	 * Every string of six digits decodes to a number of {@code dense}, and nine out of
	 * ten numbers are reserved.
	 */
	@Test
	@Tag("longer")
	void secretAloneDoesNotMakeACandidateLikely() {
		Map<Confidence, Long> confidences = confidences("dense", randomNumbers(6));
		assertThat(confidences).doesNotContainKeys(Confidence.CERTAIN, Confidence.LIKELY);
		assertThat(confidences.get(Confidence.POSSIBLE)).isBetween(FOREIGN_IDS * 85L / 100, FOREIGN_IDS * 95L / 100);
		assertThat(confidences("dense", texts("dense")).keySet()).containsExactly(Confidence.POSSIBLE);
		assertThat(confidences("hidden", randomNumbers(11))).doesNotContainKey(Confidence.LIKELY);
		assertThat(confidences("hidden", texts("hidden")).keySet()).containsExactly(Confidence.POSSIBLE);
	}

	@Test
	@Tag("longer")
	void reservedNumberWithASecretIsEvidenceWhenFewStringsDecodeToReservedNumbers() {
		assertThat(confidences("codes", texts("codes")).keySet()).containsExactly(Confidence.LIKELY);
		List<String> keys = generator("default").nextStrings(FOREIGN_IDS);
		assertThat(confidences("codes", keys).keySet()).containsExactly(Confidence.UNLIKELY);
	}

	/**
	 * Tries every character of the alphabet as the last character of a string. One of
	 * them is the correct check character.
	 */
	@Test
	void checkCharacterIsEvidenceWhenItRarelyMatchesByChance() {
		String characters = Alphabet.of("base62").characters();
		List<String> strings = texts("checked").stream()
			.map((text) -> text.substring(0, text.length() - 1))
			.flatMap((begin) -> characters.chars().mapToObj((end) -> begin + (char) end))
			.toList();
		assertThat(strings).hasSize(62 * DRAWN_IDS);
		assertThat(confidences("checked", strings)).isEqualTo(Map.of(Confidence.LIKELY, (long) DRAWN_IDS));
	}

	/**
	 * With a check digit, one number in ten matches by chance.
	 */
	@Test
	void checkDigitIsNotEvidence() {
		assertThat(confidences("digits", texts("digits")).keySet()).containsExactly(Confidence.POSSIBLE);
		assertThat(confidences("digits", randomNumbers(6))).doesNotContainKey(Confidence.LIKELY);
	}

	/**
	 * Other sequential generators have issued the same numbers as {@code orders}.
	 */
	@Test
	void reservedNumberAndWidthAreNotEvidenceWithoutASecret() {
		List<String> orderNumbers = Arrays.stream(drawn.get("orders")).mapToObj(Long::toString).toList();
		for (String name : names()) {
			assertThat(confidences(name, orderNumbers)).as(name)
				.doesNotContainKeys(Confidence.CERTAIN, Confidence.LIKELY);
		}
		assertThat(confidences("default", texts("default")).keySet()).containsExactly(Confidence.POSSIBLE);
		assertThat(confidences("events", randomNumbers(18))).doesNotContainKey(Confidence.LIKELY);
	}

	@Test
	void patternWithoutLettersIsNotEvidence() {
		ScopedIds acme = context.getBean(IdGenerators.class).scoped("tenants").in("acme");
		String text = context.getBean(TransactionTemplate.class).execute((status) -> acme.nextString());
		assertThat(text).isEqualTo("acme-001");
		assertThat(candidates(text).candidates()).singleElement().satisfies((candidate) -> {
			assertThat(candidate.generator()).isEqualTo("tenants");
			assertThat(candidate.matched()).isEmpty();
			assertThat(candidate.confidence()).isEqualTo(Confidence.POSSIBLE);
		});
	}

	private static List<String> texts(String name) {
		return Arrays.stream(drawn.get(name)).mapToObj(generator(name)::format).toList();
	}

	/**
	 * Return random numbers, such as an unrelated generator might issue.
	 * @param digits the number of digits
	 */
	private static List<String> randomNumbers(int digits) {
		long least = (long) Math.pow(10, digits - 1);
		return new Random(1).longs(FOREIGN_IDS, least, 10 * least).mapToObj(Long::toString).toList();
	}

	/**
	 * Attribute ids to a single generator, and count the results by confidence.
	 */
	private static Map<Confidence, Long> confidences(String name, List<String> ids) {
		IdGenerator generator = generator(name);
		IdGenerators singleGenerator = Mockito.mock();
		BDDMockito.given(singleGenerator.iterator()).willAnswer((call) -> List.of(generator).iterator());
		IdAttribution attribution = new IdAttribution(new OpenGenerators(singleGenerator), List.of(),
				Duration.ofMinutes(1));
		return ids.stream()
			.flatMap((id) -> attribution.of(id).candidates().stream())
			.collect(Collectors.groupingBy(Candidate::confidence, Collectors.counting()));
	}

	/**
	 * Uses random UUIDs and modified ids of the generators.
	 */
	@Test
	void foreignIdsAreNeverCertain() {
		List<String> foreign = new ArrayList<>();
		Random random = new Random(1);
		for (int i = 0; i < 30; i++) {
			foreign.add(UUID.randomUUID().toString());
			foreign
				.add(new UUID(random.nextLong() & ~0xF000L | 0x7000L, random.nextLong() >>> 2 | 1L << 63).toString());
		}
		names().forEach((name) -> {
			IdGenerator generator = generator(name);
			long id = drawn.get(generator.name())[0];
			UUID uuid = generator.toUuid(id);
			foreign.add(new UUID(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits() ^ 1).toString());
			foreign.add(generator.format(id) + "x");
			foreign.add(" " + generator.format(id));
			foreign.add("-" + Long.toUnsignedString(id));
		});
		assertThat(foreign).hasSize(60 + 4 * names().size());
		for (String id : foreign) {
			assertThat(candidates(id).candidates()).as(id)
				.noneMatch((candidate) -> candidate.confidence() == Confidence.CERTAIN);
			if (id.length() == 36) {
				assertThat(candidates(id).candidates()).as(id).isEmpty();
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "lnk_", "lnk_lnk_lnk", "nil", "00000000-0000-0000-0000-000000000000", "\0", "٣٤٥",
			"99999999999999999999", "-1", "1e9", "../../etc" })
	void invalidStringHasNoCandidates(String id) {
		assertThat(candidates(id).candidates()).isEmpty();
	}

	@Test
	void longInvalidStringHasNoCandidates() {
		assertThat(candidates("9".repeat(10_000_000)).candidates()).isEmpty();
	}

	@Test
	void endpointRespondsOverHttpAndConsumesNoIds() throws Exception {
		IdsEndpointClient client = new IdsEndpointClient(context);
		Object linksBefore = JsonPath.read(client.get(""), "$.generators.links");
		String links = generator("links").format(drawn.get("links")[0]);
		String body = client.get("?id=" + links);
		IdsEndpointSchema.CANDIDATES.verify(body);
		assertThat(JsonPath.<String>read(body, "$.candidates[0].generator")).isEqualTo("links");
		assertThat(JsonPath.<Boolean>read(body, "$.candidates[0].id.reserved")).isTrue();
		String description = client.get("/links/" + generator("links").toUuid(1));
		IdsEndpointSchema.ID.verify(description);
		assertThat(JsonPath.<String>read(description, "$.id")).isEqualTo("1");
		assertThat(JsonPath.<Object>read(client.get(""), "$.generators.links")).isEqualTo(linksBefore);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
