package dev.idspring.tools.doctor;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.tools.doctor.Finding.Code;
import dev.idspring.tools.doctor.PlantedSchema.Fault;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link Doctor} on MySQL, with one schema of faults that users report.
 */
@Tag("mysql")
class MysqlPlantedFaultsTests {

	private static PlantedSchema schema;

	@BeforeAll
	static void plant() {
		schema = PlantedSchema.of(TestDatabase.mysql(), List.of(), faults(), MysqlFaults.healthy());
	}

	static Stream<Fault> faults() {
		return MysqlFaults.all();
	}

	@ParameterizedTest
	@MethodSource("faults")
	void plantedFaultIsFoundAndItsStatementEndsIt(Fault fault) {
		assertThat(schema.at(fault.where(), schema.problems())).containsExactly(fault.code());
		assertThat(schema.at(fault.where(), schema.remaining())).isEmpty();
	}

	@Test
	void nothingElseIsFoundAndTheWorstComesFirst() {
		assertThat(schema.places(schema.problems()))
			.containsExactlyInAnyOrderElementsOf(faults().map(Fault::where).toList());
		assertThat(schema.problems()).isSortedAccordingTo(Comparator.comparing(Finding::code));
		assertThat(schema.problems()).extracting(Finding::statements).doesNotContain(List.of());
		assertThat(schema.remaining()).isEmpty();
	}

	@Test
	void whatRestsOnANameOrHasNoMixedTextIsANote() {
		assertThat(schema.notes()).extracting((note) -> schema.local(note.where()), Finding::code)
			.containsExactly(tuple("people.name", Code.CASE_BLIND_TEXT));
	}

	@Test
	void whatIsNotJudgedIsNamed() {
		assertThat(schema.keys().leftOut().stream().map(schema::local)).containsExactlyInAnyOrder(
				"member_of: its key has the columns a, b", "by_month: its key has the columns id, month",
				"counter_seq: a counter of Hibernate, of one row");
		assertThat(schema.keys().notRead()).isEmpty();
	}

	@Test
	void statementLeavesTheRestOfAColumnAsItIs() {
		assertThat(schema.problems()).flatExtracting(Finding::statements)
			.map((statement) -> statement.replace("`" + schema.keys().schema() + "`.", ""))
			.contains("alter table `emptied` modify `id` bigint not null auto_increment comment 'the ''key''';")
			.contains("alter table `unsigned_child` drop foreign key `of_unsigned_end`;",
					"alter table `unsigned_end` modify `id` bigint unsigned not null auto_increment;",
					"alter table `unsigned_child` modify `parent` bigint unsigned;",
					"alter table `unsigned_child` add constraint `of_unsigned_end` foreign key (`parent`)"
							+ " references `unsigned_end` (`id`) on delete cascade;");
	}

}
