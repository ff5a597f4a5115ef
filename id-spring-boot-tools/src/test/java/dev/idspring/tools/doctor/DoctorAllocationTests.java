package dev.idspring.tools.doctor;

import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.tools.doctor.Doctor.Allocation;
import dev.idspring.tools.doctor.Doctor.Optimizer;
import dev.idspring.tools.doctor.Finding.Code;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of how {@link Doctor} compares the increment of a sequence with the
 * {@code allocationSize} of the entity that draws from it.
 */
class DoctorAllocationTests extends AbstractDoctorTests {

	/**
	 * Only Hibernate's pooled optimizers need a sequence whose increment is the
	 * {@code allocationSize}. The other optimizers need the increment 1.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"POOLED | 10 | takes 10 numbers for | Set allocationSize to 50, or alter the sequence to INCREMENT BY 10 and",
			"POOLED_LO | 10 | takes 10 numbers for | Set allocationSize to 50, or alter the sequence to INCREMENT BY 10 and",
			"NONE | 1 | takes 1 number for | Set allocationSize to 50 and use a pooled optimizer, or alter the sequence to INCREMENT BY 1 and",
			"HILO | 50 | takes 50 numbers for | Alter the sequence to INCREMENT BY 1 and",
			"LEGACY_HILO | 50 | takes 51 numbers for | Alter the sequence to INCREMENT BY 1 and" })
	void remedyForTheIncrementDependsOnTheOptimizer(Optimizer optimizer, long size, String what, String remedy) {
		Allocation allocation = new Allocation("drawn", "drawn_seq", size, optimizer);
		try (HikariDataSource pool = Kind.H2.create().pool(1)) {
			TestDatabase.execute(pool, "create table drawn (id bigint not null primary key)",
					"create sequence drawn_seq increment by 50");
			assertThat(DOCTOR.examine(KeyColumns.read(pool, TIMEOUT), List.of(allocation))).singleElement()
				.satisfies((finding) -> {
					assertThat(finding.code()).isEqualTo(Code.ALLOCATION_SIZE);
					assertThat(finding.what()).contains(what).endsWith("numbers are lost.");
					assertThat(finding.remedy()).startsWith(remedy);
					TestDatabase.execute(pool, finding.statements().toArray(String[]::new));
				});
			assertThat(DOCTOR.examine(KeyColumns.read(pool, TIMEOUT), List.of(allocation))).isEmpty();
		}
	}

	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.MARIADB, Kind.H2 })
	void statementsForTheIncrementDoNotSetTheSequenceBack(Kind kind) {
		String sql = switch (kind) {
			case POSTGRESQL -> "select nextval('drawn_seq')";
			case MARIADB -> "select nextval(drawn_seq)";
			default -> "select next value for drawn_seq";
		};
		Allocation allocation = new Allocation("drawn", "drawn_seq", 10, Optimizer.POOLED);
		try (HikariDataSource pool = kind.create().pool(1)) {
			TestDatabase.execute(pool, "create table drawn (id bigint not null primary key)",
					"create sequence drawn_seq increment by 5" + ((kind == Kind.MARIADB) ? " nocache" : ""));
			List<Finding> findings = DOCTOR.examine(KeyColumns.read(pool, TIMEOUT), List.of(allocation));
			// the application draws before the statements run
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			for (int i = 0; i < 20; i++) {
				jdbc.queryForObject(sql, Long.class);
			}
			long last = jdbc.queryForObject(sql, Long.class);
			run(pool, findings.stream());
			assertThat(jdbc.queryForObject(sql, Long.class)).as("above the keys of the last value")
				.isGreaterThanOrEqualTo(last + 10);
			assertThat(DOCTOR.examine(KeyColumns.read(pool, TIMEOUT), List.of(allocation))).isEmpty();
		}
	}

	@ParameterizedTest
	@CsvSource({ "NONE, 1, -1, ''", "NONE, 1, -5, numbers are lost.", "POOLED, 50, -1, numbers repeat." })
	void ignoresTheSignOfADescendingIncrement(Optimizer optimizer, long size, int increment, String expected) {
		try (HikariDataSource pool = Kind.H2.create().pool(1)) {
			TestDatabase.execute(pool, "create sequence drawn_seq increment by " + increment);
			List<Finding> findings = DOCTOR.examine(KeyColumns.read(pool, TIMEOUT),
					List.of(new Allocation("drawn", "drawn_seq", size, optimizer)));
			assertThat(findings).extracting(Finding::code)
				.isEqualTo(expected.isEmpty() ? List.of() : List.of(Code.ALLOCATION_SIZE));
			assertThat(findings).allSatisfy((finding) -> {
				assertThat(finding.what()).endsWith(expected);
				assertThat(finding.what()).contains("instead of -" + size);
				assertThat(finding.remedy()).startsWith("Set allocationSize to " + -increment)
					.contains("INCREMENT BY -" + size + " and");
				assertThat(finding.statements()).isEmpty();
			});
		}
	}

}
