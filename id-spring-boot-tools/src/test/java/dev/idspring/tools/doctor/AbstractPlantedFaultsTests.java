package dev.idspring.tools.doctor;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.tools.doctor.PlantedSchema.Fault;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Doctor} with a schema that contains the faults that users report.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class AbstractPlantedFaultsTests {

	private PlantedSchema schema;

	@BeforeAll
	void plant() {
		this.schema = PlantedSchema.of(database(), setupSql(), faults(), healthyTables());
	}

	abstract TestDatabase database();

	/**
	 * Return the SQL that must run before the faults are created.
	 */
	List<String> setupSql() {
		return List.of();
	}

	abstract Stream<Fault> faults();

	/**
	 * Return the SQL that creates tables that resemble the faulty ones but are correct.
	 */
	abstract List<String> healthyTables();

	/**
	 * Return the columns of additional findings that the faults cause.
	 */
	List<String> additionalFindings() {
		return List.of();
	}

	final PlantedSchema schema() {
		return this.schema;
	}

	@ParameterizedTest
	@MethodSource("faults")
	void findsTheFaultAndSuggestsStatementsThatFixIt(Fault fault) {
		boolean hasObstacle = fault.obstacle() != null;
		assertThat(this.schema.findingsAt(fault.where(), this.schema.problems())).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.code()).isEqualTo(fault.code());
				assertThat(finding.statements().isEmpty()).as(finding.toString()).isEqualTo(hasObstacle);
				if (hasObstacle) {
					assertThat(finding.remedy()).contains("because of these obstacles: ", fault.obstacle());
				}
			});
		assertThat(this.schema.findingsAt(fault.where(), this.schema.remaining())).hasSize(hasObstacle ? 1 : 0);
	}

	@Test
	void findsNothingElseAndSortsByCode() {
		assertThat(this.schema.places(this.schema.problems())).containsExactlyInAnyOrderElementsOf(
				Stream.concat(faults().map(Fault::where), additionalFindings().stream()).toList());
		assertThat(this.schema.problems()).isSortedAccordingTo(Comparator.comparing(Finding::code));
		assertThat(this.schema.places(this.schema.remaining())).containsExactlyInAnyOrderElementsOf(
				faults().filter((fault) -> fault.obstacle() != null).map(Fault::where).toList());
	}

}
