package dev.idspring.benchmarks.start;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Contestant}.
 */
class ContestantTests {

	@ParameterizedTest
	@CsvSource({ "id-jdbc-1.jar, STARTER", "id-spring-boot-starter-1.jar, STARTER", "spring-boot-flyway-1.jar, FLYWAY",
			"spring-boot-starter-flyway-1.jar, FLYWAY", "flyway-core-1.jar, FLYWAY",
			"flyway-database-postgresql-1.jar, FLYWAY", "spring-boot-quartz-1.jar, QUARTZ", "quartz-1.jar, QUARTZ",
			"spring-context-support-1.jar, QUARTZ", "spring-boot-liquibase-1.jar, LIQUIBASE",
			"liquibase-core-1.jar, LIQUIBASE", "opencsv-1.jar, LIQUIBASE", "commons-io-1.jar, LIQUIBASE" })
	void eachContestantAddsOnlyItsOwnLibraries(String jar, Contestant contestant) {
		assertThat(contestantsWith(jar)).containsExactly(contestant);
	}

	@ParameterizedTest
	@CsvSource({ "spring-boot-jdbc-1.jar", "spring-context-1.jar", "postgresql-1.jar", "HikariCP-1.jar" })
	void allContestantsHaveTheLibrariesOfTheApplication(String jar) {
		assertThat(contestantsWith(jar)).containsExactly(Contestant.values());
	}

	@ParameterizedTest
	@CsvSource({ "id-jdbc-1-tests.jar", "hibernate-core-1.jar", "spring-boot-test-1.jar", "spring-data-redis-1.jar",
			"spring-boot-data-redis-1.jar", "id-redis-1.jar" })
	void noContestantHasTheLibrariesOfOtherParts(String jar) {
		assertThat(contestantsWith(jar)).isEmpty();
	}

	@Test
	void createsTablesOnlyOnRequest() {
		assertThat(Contestant.STARTER.arguments("never")).containsExactly("--ids.jdbc.initialize-schema=never");
		assertThat(Contestant.QUARTZ.arguments("always")).contains("--spring.quartz.jdbc.initialize-schema=always");
		assertThat(Contestant.PLAIN.arguments("always")).isEmpty();
	}

	private static List<Contestant> contestantsWith(String jar) {
		return Stream.of(Contestant.values()).filter((contestant) -> contestant.usesJar(jar)).toList();
	}

}
