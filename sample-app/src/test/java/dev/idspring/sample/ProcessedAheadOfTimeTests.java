package dev.idspring.sample;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the packaged sample application with the classes that ahead-of-time processing has
 * generated. This is an integration test, because it needs the jar.
 */
@Tag("wide")
class ProcessedAheadOfTimeTests {

	@TempDir
	private Path directory;

	@Test
	void everyGeneratorIssuesIdsAndContinuesAfterARestart() throws Exception {
		DrawnIds ids = new DrawnIds();
		Map<String, String> first = run("first", "Australia/Lord_Howe", ids);
		assertThat(first).containsEntry("default", "000000")
			.containsEntry("links", "lnk_9hvro97")
			.containsEntry("invoices", "1");
		Map<String, String> second = run("second", "Asia/Kathmandu", ids);
		assertThat(second).as("unused keys were given back")
			.containsEntry("default", "zcDK0x")
			.containsEntry("links", "lnk_uyyZYyi")
			.containsEntry("invoices", "2");
	}

	private Map<String, String> run(String name, String zone, DrawnIds ids) throws Exception {
		try (SampleProcess process = SampleProcess.start(this.directory, name, zone, "-Dspring.aot.enabled=true",
				"-jar", System.getProperty("sample.jar"))) {
			SampleClient client = process.client();
			assertThat(process.log()).contains("Starting AOT-processed SampleApplication");
			Map<String, String> drawn = ids.draw(client);
			DrawnIds.assertEndpointShowsAllGenerators(client);
			return drawn;
		}
	}

}
