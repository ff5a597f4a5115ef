package dev.idspring.tools.doctor;

import dev.idspring.tools.doctor.Finding.Code;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link Doctor} on MySQL, or on MariaDB with MySQL's driver.
 */
@Tag("mysql")
@Tag("wide")
class MysqlPlantedFaultsTests extends AbstractMysqlPlantedFaultsTests {

	@Override
	TestDatabase database() {
		return TestDatabase.mysql();
	}

	@Test
	void caseInsensitiveColumnWithoutIdsIsReportedAsANote() {
		assertThat(schema().notes()).extracting((note) -> schema().withoutSchema(note.where()), Finding::code)
			.containsExactly(tuple("people.name", Code.CASE_BLIND_TEXT));
	}

}
