package dev.idspring;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeySpaceMismatchException}.
 */
class KeySpaceMismatchExceptionTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					coprime length=6 multiplier=5 offset=0 alphabet=01  | coprime length=7 multiplier=9 offset=0 alphabet=01 | length=6, but the configuration has length=7.
					coprime length=6 multiplier=5 offset=0              | coprime length=6 multiplier=9 offset=1             | multiplier=5, offset=0, but the configuration has multiplier=9, offset=1.
					recycled series-size=1000                           | snowflake epoch=2024-01-01T00:00:00Z time-bits=41  | strategy=recycled, but the configuration has strategy=snowflake.
					composite epoch=x node-digits=3 time sequence-digits=3 | composite epoch=x node-digits=4 time sequence-digits=3 | node-digits=3, but the configuration has node-digits=4.
					sequential start=1                                  | sequential start=1 text check prefix=ord_          | no text.check, no text.prefix, but the configuration has text.check=check, text.prefix=ord_.
					gapless start=1 scoped period=year text pattern=Invoice no {n:5} | gapless start=1 scoped period=year text pattern=Invoice nr {n:5} | text.pattern=Invoice no {n:5}, but the configuration has text.pattern=Invoice nr {n:5}.
					gapless start=1 scoped period=none text pattern=INV%20{n}%20check | gapless start=1 scoped period=none text pattern=INV%20{n} check | text.pattern=INV {n} check, no text.check, but the configuration has text.pattern=INV {n}, text.check=check.
					gapless start=1 scoped period=none text pattern=%2520{n} | gapless start=1 scoped period=none text pattern=%20{n} | text.pattern=%20{n}, but the configuration has text.pattern= {n}.
					sequential start=1 text length=6 secrets=0/ab       | sequential start=1 text length=6 secrets=0/cd      | a secret, but the configuration has another secret.
					sequential start=1 text length=6 secrets=0/ab,9/cd  | sequential start=1 text length=6 secrets=0/ab,8/cd | text.secrets[1].from=9, but the configuration has text.secrets[1].from=8.
					sequential start=1 text length=6 secrets=0/ab,9/cd  | sequential start=1 text length=6 secrets=0/ab,8/ef | a secret, but the configuration has another secret.
					sequential start=1 text length=6 secrets=0/ab       | sequential start=1 text length=6                   | a secret, but the configuration has no secret.
					sequential start=1 text length=6 secrets=0/ab       | sequential start=1 text length=7 secrets=0/cd      | text.length=6, a secret, but the configuration has text.length=7, another secret.
					""")
	void messageNamesTheDifference(String stored, String configured, String difference) {
		KeySpaceMismatchException failure = KeySpaceMismatchException.ofDefinitions("orders", stored, configured);
		assertThat(failure).hasMessageStartingWith("Key space 'orders' was created with " + difference);
		assertThat(failure.getDifferentSettings()).isNotEmpty();
	}

}
