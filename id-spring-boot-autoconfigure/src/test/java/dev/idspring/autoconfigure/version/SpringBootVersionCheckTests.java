package dev.idspring.autoconfigure.version;

import java.util.List;

import dev.idspring.IdSetupException;
import org.junit.jupiter.api.Test;
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
	void acceptsTheVersionOfTheTests() {
		assertThatCode(() -> SpringBootVersionCheck.verify(SpringBootVersion.getVersion())).doesNotThrowAnyException();
	}

	@Test
	void rejectsAnotherLineAndNamesItsStarter() {
		for (String version : List.of("2.7.18", "5.0.0-M1", "40.1.0")) {
			assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> SpringBootVersionCheck.verify(version))
				.withMessageContainingAll(version, SpringBootLine.STARTER, SpringBootLine.OTHER_STARTER);
		}
	}

	@Test
	void runsBeforeAllOtherInitializers() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation(getClass().getClassLoader())
			.load(ApplicationContextInitializer.class)
			.get(0)).isInstanceOf(SpringBootVersionCheck.class);
	}

}
