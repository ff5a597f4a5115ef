package dev.idspring.tools.doctor;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.tools.doctor.Finding.Code;
import dev.idspring.monitor.LowThreshold;
import dev.idspring.testsupport.TestDatabase;
import org.jspecify.annotations.Nullable;

/**
 * A schema with faulty tables and with similar but correct tables, together with the
 * doctor's findings.
 *
 * @param problems the problems that the doctor found
 * @param notes the doctor's notes
 * @param keys the keys that the doctor read
 * @param remaining the problems that the doctor still found after its statements were run
 */
record PlantedSchema(List<Finding> problems, List<Finding> notes, KeyColumns keys, List<Finding> remaining) {

	private static final Doctor DOCTOR = new Doctor(LowThreshold.defaults());

	static PlantedSchema of(TestDatabase database, List<String> before, Stream<Fault> faults, List<String> healthy) {
		try (HikariDataSource pool = database.pool(1)) {
			TestDatabase.execute(pool, before.toArray(String[]::new));
			TestDatabase.execute(pool, faults.flatMap((fault) -> fault.sql().stream()).toArray(String[]::new));
			TestDatabase.execute(pool, healthy.toArray(String[]::new));
			KeyColumns keys = read(pool);
			List<Finding> problems = DOCTOR.examine(keys, List.of());
			TestDatabase.execute(pool,
					problems.stream().map(Finding::statements).distinct().flatMap(List::stream).toArray(String[]::new));
			return new PlantedSchema(problems, DOCTOR.notes(keys, List.of()), keys,
					DOCTOR.examine(read(pool), List.of()));
		}
	}

	static KeyColumns read(HikariDataSource pool) {
		return KeyColumns.read(pool, Duration.ofSeconds(30), "ids_", (done, all) -> {
		});
	}

	/**
	 * Return the columns and tables to which findings refer, without the schema.
	 */
	List<String> places(List<Finding> findings) {
		return findings.stream().map((finding) -> withoutSchema(finding.where())).toList();
	}

	String withoutSchema(String name) {
		return name.substring(String.valueOf(this.keys.schema()).length() + 1);
	}

	/**
	 * Return the findings about a column or table.
	 */
	List<Finding> findingsAt(String where, List<Finding> findings) {
		return findings.stream().filter((finding) -> withoutSchema(finding.where()).equals(where)).toList();
	}

	/**
	 * A fault.
	 *
	 * @param where the column or table
	 * @param code the expected code of the finding
	 * @param obstacle why the finding has no statement, or {@code null} if it has one
	 * @param sql the SQL that creates the fault
	 */
	record Fault(String where, Code code, @Nullable String obstacle, List<String> sql) {

		static Fault of(String where, Code code, String... sql) {
			return new Fault(where, code, null, Arrays.asList(sql));
		}

		Fault withObstacle(String obstacle) {
			return new Fault(this.where, this.code, obstacle, this.sql);
		}

		@Override
		public String toString() {
			return this.where + " " + this.code;
		}

	}

}
