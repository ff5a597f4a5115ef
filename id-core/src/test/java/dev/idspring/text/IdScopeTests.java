package dev.idspring.text;

import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link IdScope}.
 */
class IdScopeTests {

	@Test
	void keyIsTheHashOfPartsAndPeriodWithTheirLengths() {
		// computed by: printf '\0\0\0\4acme\0\0\0\0042026' | sha256sum
		assertThat(new IdScope(List.of("acme"), "2026").key())
			.isEqualTo("86e4bdc5cbd72c415b5e54ddda46a41cab3c07839e4cd0ab3f23d48b8d50745a");
		assertThat(IdScope.NONE.key()).isEqualTo("-");
	}

	@Test
	void differentScopesHaveDifferentKeys() {
		assertThat(List.of(new IdScope(List.of("ab", "c"), "-").key(), new IdScope(List.of("a", "bc"), "-").key(),
				new IdScope(List.of("abc"), "-").key(), new IdScope(List.of("abc"), "2026").key(),
				new IdScope(List.of("abc2026"), "-").key(), new IdScope(List.of("Abc"), "-").key(),
				new IdScope(List.of("caf\u00e9"), "-").key(), new IdScope(List.of("cafe\u0301"), "-").key()))
			.doesNotHaveDuplicates();
	}

	@Test
	void partsCanBeReadFromTheName() {
		for (List<String> parts : List.of(List.<String>of(), List.of("a"), List.of("a", "b"), List.of("a/b"),
				List.of("a\\", "b"), List.of("a\\/b", "/"), List.of("\u00e4 \ud83d\ude00"))) {
			assertThat(IdScope.parts(new IdScope(parts, "-").name())).isEqualTo(parts);
		}
		assertThat(new IdScope(List.of("a/b", "c"), "-").name()).isEqualTo("a\\/b/c");
	}

	@Test
	void partsThatCannotBeStoredAreRejected() {
		for (List<String> parts : List.of(List.of(""), List.of("a", ""), List.of("a\u0000"), List.of("a\n"),
				List.of("\ud83d"), List.of("x".repeat(501)), Collections.nCopies(9, "a"))) {
			assertThatIllegalArgumentException().as("%s", parts)
				.isThrownBy(() -> new IdScope(parts, "-"))
				.withMessageStartingWith("The scope ");
		}
	}

}
