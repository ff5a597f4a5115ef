package dev.idspring.security;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.actuate.IdsEndpoint.IdDescriptor;
import dev.idspring.autoconfigure.actuate.IdsEndpoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;

/**
 * Passes random strings to all generators and to the endpoint. Each string must be
 * rejected with the documented error, or be parsed to an id that is formatted as the
 * canonical form of the string.
 *
 * <p>
 * {@code test.ids.fuzz} sets the number of strings (4,000 by default).
 * {@code test.ids.seed} sets the random seed.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class UntrustedIdsTests {

	private static final int STRING_COUNT = Integer.getInteger("test.ids.fuzz", 4_000);

	/** A length for which a quadratic algorithm would take hours. */
	private static final int HUGE_LENGTH = 10_000_000;

	private static final long SEED = Long.getLong("test.ids.seed", System.nanoTime());

	private static ConfigurableApplicationContext context;

	private final Fuzz fuzz = new Fuzz(SEED);

	private final List<IdGenerator> generators = new ArrayList<>();

	private final Map<String, Long> acceptedCounts = new HashMap<>();

	UntrustedIdsTests() {
		context.getBean(IdGenerators.class).forEach(this.generators::add);
	}

	@BeforeAll
	static void start() {
		context = FuzzedApplication.start();
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@Test
	void stringIsRejectedOrParsesToAnId() {
		for (int i = 0; i < STRING_COUNT; i++) {
			IdGenerator exampleGenerator = this.generators.get(i % this.generators.size());
			String text = this.fuzz.text(example(exampleGenerator));
			this.generators.forEach((generator) -> parse(generator, text));
		}
		verifyAccepted();
	}

	private void parse(IdGenerator generator, String text) {
		long id;
		try {
			id = generator.parse(text);
		}
		catch (IllegalArgumentException ex) {
			verifyRejection(generator, text, ex);
			return;
		}
		catch (Throwable ex) {
			fail(description(generator, text), ex);
			return;
		}
		String written = generator.format(id);
		if (!written.equals(canonical(generator, text)) || generator.parse(written) != id) {
			fail(description(generator, text) + " is " + id + ", which is " + written);
		}
		this.acceptedCounts.merge(generator.name(), 1L, Long::sum);
	}

	/**
	 * The test fails by timeout if a generator takes too long to reject a string.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "0", "1", "9", "z", "Z", "-", " ", "\u0661", "\uD83D\uDE00" })
	@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
	void hugeStringIsRejected(String character) {
		String text = character.repeat(HUGE_LENGTH);
		IdsEndpoint endpoint = context.getBean(IdsEndpoint.class);
		for (IdGenerator generator : this.generators) {
			assertThatIllegalArgumentException().isThrownBy(() -> generator.parse(text))
				.satisfies((ex) -> verifyRejection(generator, text, ex));
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> endpoint.id(generator.name(), text));
		}
	}

	@Test
	void numberIsRejectedOrFormatsAsAnId() {
		for (int i = 0; i < STRING_COUNT / 10; i++) {
			long number = this.fuzz.number();
			for (IdGenerator generator : this.generators) {
				try {
					if (generator.parse(generator.format(number)) != number) {
						fail(generator.name() + ", seed " + SEED + ", " + number);
					}
					this.acceptedCounts.merge(generator.name(), 1L, Long::sum);
				}
				catch (IllegalArgumentException ex) {
					verifyRejection(generator, Long.toString(number), ex);
				}
			}
		}
		verifyAccepted();
	}

	@Test
	void endpointRejectsOrDescribesAnId() {
		IdsEndpoint endpoint = context.getBean(IdsEndpoint.class);
		for (int i = 0; i < STRING_COUNT; i++) {
			IdGenerator generator = this.generators.get(i % this.generators.size());
			String text = this.fuzz.text(example(generator));
			try {
				IdDescriptor described = endpoint.id(generator.name(), text);
				if (described == null
						|| !described.id().equals(text) && !described.text().equals(canonical(generator, text))) {
					fail(description(generator, text) + " is " + described);
				}
				this.acceptedCounts.merge(generator.name(), 1L, Long::sum);
			}
			catch (InvalidEndpointRequestException ex) {
				verifyRejection(generator, text, new IllegalArgumentException(ex.getReason()));
			}
			catch (RuntimeException ex) {
				fail(description(generator, text), ex);
			}
			if (endpoint.id(generator.name() + text + " ", text) != null) {
				fail(description(generator, text) + " is an id of an unknown generator");
			}
		}
		verifyAccepted();
	}

	/**
	 * Verify that an error message, which may quote the string, is short, on one line,
	 * and contains only printable ASCII characters.
	 */
	private static void verifyRejection(IdGenerator generator, String text, IllegalArgumentException rejection) {
		if (rejection.getClass() != IllegalArgumentException.class || rejection.getMessage() == null
				|| rejection.getMessage().isEmpty() || rejection.getMessage().length() > 500
				|| !rejection.getMessage().chars().allMatch((character) -> character >= ' ' && character <= '~')) {
			fail(description(generator, text), rejection);
		}
	}

	/**
	 * Verify that each generator has accepted at least one input; otherwise the test
	 * would prove nothing.
	 */
	private void verifyAccepted() {
		assertThat(this.acceptedCounts).as("generators that accepted an input, seed " + SEED)
			.hasSize(this.generators.size());
	}

	private static String canonical(IdGenerator generator, String text) {
		return FuzzedApplication.LENIENT.contains(generator.name())
				? text.toUpperCase(Locale.ROOT).replace('O', '0').replace('I', '1').replace('L', '1') : text;
	}

	private String example(IdGenerator generator) {
		while (true) {
			try {
				return generator.format(this.fuzz.number());
			}
			catch (IllegalArgumentException ex) {
				// the number is not in the key space
			}
		}
	}

	private static String description(IdGenerator generator, String text) {
		StringBuilder escaped = new StringBuilder();
		text.chars().limit(60).forEach((character) -> escaped.append(String.format("\\u%04X", character)));
		return generator.name() + ", seed " + SEED + ", " + text.length() + " characters: " + escaped;
	}

}
