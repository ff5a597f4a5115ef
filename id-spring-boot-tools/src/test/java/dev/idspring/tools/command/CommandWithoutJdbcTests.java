package dev.idspring.tools.command;

import dev.idspring.testsupport.HiddenPackages;
import dev.idspring.testsupport.RequiresSpringBoot;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs commands without JDBC support on the class path.
 */
@RequiresSpringBoot(version = "4.0", because = "Spring Boot 3 is not divided into modules that can be absent")
@HiddenPackages({ "org.springframework.boot.jdbc", "org.springframework.boot.sql",
		"org.springframework.boot.transaction", "org.springframework.boot.persistence",
		"org.springframework.boot.flyway", "org.springframework.boot.liquibase", "org.springframework.jdbc",
		"org.springframework.transaction", "com.zaxxer.hikari" })
class CommandWithoutJdbcTests {

	@ParameterizedTest
	@CsvSource({ "schema,there is not exactly one DataSource bean",
			"skip-ahead,there is not exactly one KeySpaceStore bean" })
	void commandThatNeedsADatabaseCannotRun(String command, String message) {
		CommandLine.Result result = CommandLine.run(Application.class, command, "ids.skip-ahead.key-space=a",
				"ids.skip-ahead.by=1");
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.out()).contains(message);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
