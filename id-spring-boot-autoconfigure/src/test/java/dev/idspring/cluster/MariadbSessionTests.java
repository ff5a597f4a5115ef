package dev.idspring.cluster;

import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import dev.idspring.IdSetupException;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.NestedExceptionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests MariaDB with session settings that change auto-commit, and with tables that do
 * not support transactions.
 */
class MariadbSessionTests {

	private static final int INSTANCES = 6;

	private static final int DRAWS = 2_500;

	/**
	 * The pool runs the statement after it has set auto-commit on the driver, so the
	 * driver does not know the actual setting.
	 */
	@ParameterizedTest
	@FewInvocations(1)
	@ValueSource(strings = { "SET autocommit=1", "SET autocommit=0" })
	void sessionSettingsOfThePoolCauseNoDuplicates(String initSql) {
		Draws draws = new Draws();
		String[] properties = Draws.properties("ids.block.size=10", "ids.block.max-size=10",
				"spring.datasource.hikari.connection-init-sql=" + initSql);
		try (Instances instances = new Instances(TestDatabase.mariadb())) {
			Instances.sideBySide(IntStream.range(0, INSTANCES)
				.mapToObj((i) -> instances.start(properties))
				.map((instance) -> (Callable<Integer>) () -> draws.draw(instance, DRAWS))
				.toList());
		}
		draws.assertNoDuplicates("MariaDB, " + initSql);
	}

	@ParameterizedTest
	@CsvSource({ "ids_key_space, MyISAM", "ids_key_space, Aria", "ids_slot, Aria", "ids_gapless, MyISAM" })
	@FewInvocations(1)
	void startupFailsForANonTransactionalTable(String table, String engine) {
		String[] properties = Draws.properties(GaplessDraws.GENERATOR_PROPERTY);
		try (Instances instances = new Instances(TestDatabase.mariadb())) {
			instances.start(properties).close();
			instances.jdbc().execute("alter table " + table + " engine = " + engine);
			Throwable failure = catchThrowable(() -> instances.start(properties));
			assertThat(failure).as("start with %s on %s", table, engine).isNotNull();
			assertThat(NestedExceptionUtils.getMostSpecificCause(failure)).isInstanceOf(IdSetupException.class)
				.hasMessageContaining(table)
				.hasMessageContaining(engine)
				.hasMessageContaining("alter table " + table + " engine = InnoDB");
		}
	}

}
