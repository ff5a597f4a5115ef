package dev.idspring.annotation;

import java.util.Arrays;

import javax.sql.DataSource;

import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import org.hibernate.tool.schema.spi.SchemaManagementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the types of columns that generators fill. Startup fails if a column is too
 * narrow for the ids. Hibernate creates the column without identity.
 */
class EntityColumnTypesTests extends AbstractEntityColumnsTests {

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	@FewInvocations(1)
	void columnNarrowerThanTheKeySpaceIsRejected(Kind kind) {
		TestDatabase database = kind.create();
		database.execute("create table pets (id integer primary key)");
		assertStartupFails(
				runner(database, Pet.class).withPropertyValues("ids.generators.pets.sequential.end=2147483648"),
				"pets.id (" + Pet.class.getName() + ".id) is ", "can hold 2147483647 at most",
				"the last id of generator 'pets' is 2147483648", "ids.generators.pets.sequential.end");
		runner(database, Pet.class).withPropertyValues("ids.generators.pets.sequential.end=2147483647")
			.run((context) -> assertThat(context).hasNotFailed());
		assertStartupFails(
				runner(database, Pet.class).withPropertyValues("ids.generators.pets.strategy=snowflake",
						"ids.generators.pets.key-space=times"),
				"can hold 2147483647 at most", "set ids.generators.pets.strategy to sequential");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"integer | strategy=coprime | strategy=sequential,sequential.end=2147483647,key-space=other",
			"integer | strategy=recycled | recycled.capacity=2147483647",
			"smallint | strategy=recycled | recycled.capacity=32767,recycled.series-size=32767,key-space=other" })
	void suggestedSettingsFitIntoANarrowColumn(String type, String configured, String suggested) {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table pets (id " + type + " primary key)");
		ApplicationContextRunner runner = runner(database, Pet.class)
			.withPropertyValues("ids.generators.pets." + configured);
		String[] settings = Arrays.stream(suggested.split(","))
			.map((setting) -> "ids.generators.pets." + setting)
			.toArray(String[]::new);
		assertStartupFails(runner,
				Arrays.stream(settings).map((setting) -> setting.split("=")[0]).toArray(String[]::new));
		runner.withPropertyValues(settings).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void suggestedMaximumLengthComesWithALengthThatIsNoLonger() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table vouchers (id bigint primary key, code varchar(5) unique)");
		ApplicationContextRunner runner = runner(database, Voucher.class).withPropertyValues(
				"ids.generators.vouchers.strategy=coprime", "ids.generators.vouchers.coprime.max-length=8");
		assertStartupFails(runner, "coprime.max-length=5 and ids.generators.vouchers.coprime.length=5, which leaves");
		runner
			.withPropertyValues("ids.generators.vouchers.coprime.max-length=5",
					"ids.generators.vouchers.coprime.length=5", "ids.generators.vouchers.key-space=other")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void suggestedMaximumLengthLeavesTheKeysOfAllLengths() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table vouchers (id bigint primary key, code varchar(7) unique)");
		assertStartupFails(
				runner(database, Voucher.class).withPropertyValues("ids.generators.vouchers.strategy=coprime",
						"ids.generators.vouchers.coprime.max-length=8"),
				"coprime.max-length=7, which leaves 3578414841792 ids");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ids.strategy=coprime", "ids.strategy=decimal-uid ids.decimal-uid.signed=false" })
	void intPropertyNarrowerThanTheKeySpaceIsRejectedEvenIfTheTableIsMissing(String properties) {
		assertStartupFails(runner(TestDatabase.h2(), Owner.class).withPropertyValues(properties.split(" ")),
				Owner.class.getName() + ".id is an int and can hold 2147483647 at most");
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	@FewInvocations(1)
	void verifiesStringColumns(Kind kind) {
		TestDatabase database = kind.create();
		database.execute("create table vouchers (id bigint primary key, code varchar(5) unique)");
		ApplicationContextRunner runner = runner(database, Voucher.class)
			.withPropertyValues("ids.generators.vouchers.strategy=coprime");
		assertStartupFails(runner, "vouchers.code (" + Voucher.class.getName() + ".code) is ", "(5)",
				"can hold 5 characters at most", "ZZZZZZ", "@Column(length = 6). Alternatively, set",
				"coprime.length=5, which leaves 916132832 ids, and set ids.generators.vouchers.key-space to another"
						+ " name");
		database.execute("drop table vouchers", "create table vouchers (id bigint primary key, code varchar(6) unique)",
				"insert into vouchers values (1, '00000A'), (2, 'free')");
		assertStartupFails(runner, "already contains 00000A", "a separate column");
		database.execute("delete from vouchers where id = 1");
		runner.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "integer, false", "bigint, true" })
	void hibernateValidationFailsOnlyWhenAColumnIsNarrowerThanItsProperty(String type, boolean startupSucceeds) {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table pets (id " + type + " primary key)");
		runner(database, Pet.class)
			.withPropertyValues("spring.jpa.hibernate.ddl-auto=validate", "ids.generators.pets.strategy=sequential")
			.run((context) -> {
				if (startupSucceeds) {
					assertThat(context).hasNotFailed();
				}
				else {
					assertThat(context).hasFailed()
						.getFailure()
						.rootCause()
						.isInstanceOf(SchemaManagementException.class);
				}
			});
	}

	@Test
	void hibernateCreatesTheColumnWithoutIdentity() {
		TestDatabase database = TestDatabase.h2();
		runner(database, Pet.class)
			.withPropertyValues("spring.jpa.hibernate.ddl-auto=create", "ids.generators.pets.strategy=sequential")
			.run((context) -> {
				JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
				assertThatExceptionOfType(DataIntegrityViolationException.class)
					.isThrownBy(() -> jdbc.update("insert into pets values (default)"));
			});
	}

}
