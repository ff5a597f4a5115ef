package dev.idspring.boot3;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.idspring.sample.SampleApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the sample application starts on Spring Boot 3.5.
 */
class SampleTests {

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

	@Test
	void sampleStartsAndShowsItsKeySpaces(@TempDir Path directory) throws IOException, InterruptedException {
		String classPath = Path.of("target", "sample").toAbsolutePath() + File.pathSeparator
				+ System.getProperty("java.class.path");
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				classPath, SampleApplication.class.getName(), "--server.port=0",
				"--spring.datasource.url=jdbc:h2:mem:sample")
			.directory(directory.toFile())
			.redirectErrorStream(true)
			.start();
		try (BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
			StringBuilder read = new StringBuilder();
			Matcher port = PORT.matcher("");
			while (!port.find()) {
				String line = output.readLine();
				assertThat(line).as(read.toString()).isNotNull();
				read.append(line).append('\n');
				port.reset(line);
			}
			HttpResponse<String> response = HttpClient.newHttpClient()
				.send(HttpRequest
					.newBuilder(URI.create("http://localhost:" + port.group(1) + "/actuator/ids"))
					.build(), HttpResponse.BodyHandlers.ofString());
			assertThat(response.statusCode()).isEqualTo(200);
			assertThat(response.body()).contains("\"keySpace\"").contains("\"status\":\"UP\"");
		}
		finally {
			process.destroy();
		}
	}

}
