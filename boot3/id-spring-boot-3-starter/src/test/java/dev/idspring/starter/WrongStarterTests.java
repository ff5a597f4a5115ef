package dev.idspring.starter;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests an application on Spring Boot 3.5 that has the starter for Spring Boot 4.
 */
class WrongStarterTests {

	private static final String RIGHT_AUTO_CONFIGURATION = "id-spring-boot-3-autoconfigure";

	@Test
	void startFailsAndNamesTheOtherStarter() throws IOException, InterruptedException {
		Path root = Path.of("..", "..").toAbsolutePath().normalize();
		List<String> classPath = new ArrayList<>(
				Stream.of("id-spring-boot-autoconfigure", "id-spring-boot-tools", "id-spring-boot-neighbours")
					.map((module) -> root.resolve(module).resolve("target").resolve("classes").toString())
					.toList());
		Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !entry.contains(RIGHT_AUTO_CONFIGURATION))
			.forEach(classPath::add);
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				String.join(File.pathSeparator, classPath), Application.class.getName())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes());
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		assertThat(process.exitValue()).isOne();
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("id-spring-boot-starter is for Spring Boot 4, but this application runs on Spring Boot 3.")
			.contains("Depend on dev.idspring:id-spring-boot-3-starter instead.")
			.doesNotContain("DataSource");
	}

	@EnableAutoConfiguration
	static class Application {

		public static void main(String[] args) {
			SpringApplication.run(Application.class, args);
		}

	}

}
