package dev.idspring.autoconfigure.version;

import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.testsupport.SourceFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SpringBootVersionCheck}.
 */
class SpringBootVersionCheckTests {

	@Test
	void acceptsTheVersionThatTheTestsUse() {
		assertThatCode(() -> SpringBootVersionCheck.verify(SpringBootVersion.getVersion())).doesNotThrowAnyException();
	}

	@Test
	void rejectsAnotherSpringBootLineAndSuggestsItsStarter() {
		String version = SpringBootLine.OTHER_MAJOR + ".5.1";
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> SpringBootVersionCheck.verify(version))
			.withMessageContainingAll(version, SpringBootLine.STARTER, SpringBootLine.OTHER_STARTER);
	}

	@Test
	void rejectsVersionsThatNoStarterSupports() {
		List<String> tooOld = (SpringBootLine.LOWEST_MINOR > 0)
				? List.of(SpringBootLine.MAJOR + "." + (SpringBootLine.LOWEST_MINOR - 1) + ".9") : List.of();
		for (String version : Stream.concat(tooOld.stream(), Stream.of("2.7.18", "5.0.0-M1", "40.1.0")).toList()) {
			assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> SpringBootVersionCheck.verify(version))
				.withMessageContainingAll(version, "Use Spring Boot " + SpringBootLine.VERSIONS)
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain(SpringBootLine.OTHER_STARTER));
		}
	}

	@Test
	void acceptsVersionsInAnUnknownFormat() {
		assertThatCode(() -> SpringBootVersionCheck.verify("unknown")).doesNotThrowAnyException();
		assertThatCode(() -> SpringBootVersionCheck.verify(null)).doesNotThrowAnyException();
	}

	@Test
	void runsBeforeAllOtherInitializers() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation(getClass().getClassLoader())
			.load(ApplicationContextInitializer.class)
			.get(0)).isInstanceOf(SpringBootVersionCheck.class);
	}

	/**
	 * The starters for Spring Boot 3 and 4 share these sources, so the name of one
	 * starter would be wrong in the other.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "core", "jdbc", "redis", "spring-boot-autoconfigure", "spring-boot-tools",
			"spring-boot-neighbours", "spring-boot-test" })
	void sharedSourcesDoNotMentionAStarter(String module) {
		assertThat(SourceFiles.of("id-" + module, "src/main/java"))
			.filteredOn((file) -> !file.endsWith("SpringBootLine.java"))
			.isNotEmpty()
			.allSatisfy((file) -> assertThat(Files.readString(file))
				.doesNotContainPattern("\\bid-spring-boot-(3-)?starter\\b"));
	}

}
