package dev.idspring.autoconfigure;

import java.nio.file.Path;

import dev.idspring.autoconfigure.StartupFailures.Application;
import dev.idspring.autoconfigure.StartupFailures.Setting;
import dev.idspring.autoconfigure.StartupFailures.Setup;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.idspring.autoconfigure.StartupFailures.assertAnalysis;
import static dev.idspring.autoconfigure.StartupFailures.assertStartupFails;
import static dev.idspring.autoconfigure.StartupFailures.assertStartupSucceeds;
import static dev.idspring.autoconfigure.StartupFailures.description;
import static dev.idspring.autoconfigure.StartupFailures.failure;
import static dev.idspring.autoconfigure.StartupFailures.settings;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the failure analysis of a key space that was created with other settings, or
 * belongs to another application.
 */
@ExtendWith(OutputCaptureExtension.class)
class KeySpaceMismatchTests {

	@TempDir
	private Path directory;

	@ParameterizedTest
	@EnumSource(value = Kind.class, names = { "H2", "POSTGRESQL", "MARIADB" })
	void changedDefinitionIsReported(Kind kind, CapturedOutput output) throws Exception {
		TestDatabase database = kind.create();
		assertStartupSucceeds(settings().with("ids.coprime.length", "6").write(this.directory), database);
		Setup failure = failure(
				"Id generator 'default' cannot use its key space. Key space 'default' was created with"
						+ " length=6, offset=0, but the configuration has length=7, offset=9. ",
				"Restore the previous settings")
			.withReported("ids.coprime.length", "7")
			.withReported("ids.coprime.offset", "9");
		Path file = failure.write(this.directory);
		assertStartupFails(file, database, Application.class);
		assertAnalysis(output, failure.problem(), failure.remedy());
		for (Setting setting : failure.reported()) {
			assertThat(description(output)).contains(setting.expectedText(file, failure.settings()));
		}
	}

	@Test
	void keySpaceOfAnotherStrategyIsReported(CapturedOutput output) throws Exception {
		TestDatabase database = TestDatabase.h2();
		assertStartupSucceeds(settings().with("ids.generators.orders.strategy", "recycled").write(this.directory),
				database);
		Setup failure = failure("Key space 'orders' was created with strategy=recycled, but the configuration has"
				+ " strategy=snowflake. ", "give the generator a new key space")
			.withReported("ids.generators.orders.strategy", "snowflake");
		Path file = failure.write(this.directory);
		assertStartupFails(file, database, Application.class);
		assertAnalysis(output, failure.problem(), failure.remedy());
		assertThat(description(output)).contains("Check ids.generators.orders.strategy.")
			.contains("The key space may also belong to another application that uses the same tables.")
			.contains(failure.reported().get(0).expectedText(file, failure.settings()));
	}

	@Test
	void keySpaceOfAnotherApplicationIsReported(CapturedOutput output) throws Exception {
		TestDatabase database = TestDatabase.h2();
		assertStartupSucceeds(settings().with("spring.application.name", "shop").write(this.directory), database);
		Path file = settings().with("spring.application.name", "billing")
			.with("ids.strategy", "sequential")
			.write(this.directory);
		assertStartupFails(file, database, Application.class);
		assertAnalysis(output, "The key space may also belong to another application that uses the same tables.",
				"If the key space belongs to another application, set ids.key-space to a name that only this"
						+ " application uses.");
	}

}
