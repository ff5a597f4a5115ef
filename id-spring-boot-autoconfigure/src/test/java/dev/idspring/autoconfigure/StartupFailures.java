package dev.idspring.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.testsupport.TestDatabase;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Starts applications with an invalid setup, on real databases and with real
 * configuration files, and verifies the failure analysis.
 */
final class StartupFailures {

	private StartupFailures() {
	}

	static void assertAnalysis(CapturedOutput output, String problem, String remedy) {
		assertThat(description(output)).contains(problem);
		String action = output.toString().split("Action:", 2)[1];
		assertThat(action).contains(remedy);
		assertThat(action.strip()).matches("(?s)\\p{Lu}.*");
	}

	static String description(CapturedOutput output) {
		assertThat(output).contains("APPLICATION FAILED TO START").contains("Description:").contains("Action:");
		String description = output.toString().split("Description:", 2)[1].split("Action:", 2)[0];
		FailureMessagesTests.verifyShape(description,
				output.toString().split("Action:", 2)[1].strip().split("\\R\\R", 2)[0].strip());
		return description;
	}

	static void assertStartupSucceeds(Path file, TestDatabase database) {
		start(file, database, Application.class).close();
	}

	static void assertStartupFails(Path file, TestDatabase database, Class<?> application, String... arguments) {
		assertThatException().isThrownBy(() -> start(file, database, application, arguments).close());
	}

	static ConfigurableApplicationContext start(Path file, TestDatabase database, Class<?> application,
			String... arguments) {
		List<String> allArguments = new ArrayList<>(List.of(arguments));
		allArguments.addAll(List.of("--spring.config.location=" + file.toUri(),
				"--spring.datasource.url=" + database.url(), "--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password()));
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "ids.jdbc.initialize-schema=always")
			.run(allArguments.toArray(String[]::new));
	}

	/**
	 * Return a setup without settings and without an expected failure.
	 */
	static Setup settings() {
		return failure("", "");
	}

	static Setup failure(String problem, String remedy) {
		return new Setup(problem, remedy, List.of(), List.of());
	}

	/**
	 * The settings in a configuration file, and the expected parts of the failure
	 * analysis.
	 *
	 * @param problem a part of the description
	 * @param remedy a part of the action
	 * @param settings the settings in the file, one per line
	 * @param reported the settings whose origin must be reported
	 */
	record Setup(String problem, String remedy, List<Setting> settings, List<Setting> reported) {

		Setup with(String property, String value) {
			return new Setup(this.problem, this.remedy, append(this.settings, new Setting(property, value)),
					this.reported);
		}

		Setup withReported(String property, String value) {
			Setting setting = new Setting(property, value);
			return new Setup(this.problem, this.remedy, append(this.settings, setting), append(this.reported, setting));
		}

		private static List<Setting> append(List<Setting> settings, Setting setting) {
			return Stream.concat(settings.stream(), Stream.of(setting)).toList();
		}

		Path write(Path directory) throws Exception {
			return Files.write(directory.resolve("application.yml"),
					this.settings.stream().map(Setting::line).toList());
		}

		@Override
		public String toString() {
			return this.problem;
		}

	}

	record Setting(String property, String value) {

		String line() {
			return "\"" + this.property + "\": " + this.value;
		}

		/**
		 * Return the expected text of the analysis about this setting.
		 */
		String expectedText(Path file, List<Setting> settings) {
			return String.format("    Property: %s%n    Value: \"%s\"%n    Origin: URL [file:%s] - %d:%d",
					this.property, this.value.replace("'", ""), file, settings.indexOf(this) + 1,
					this.property.length() + 5);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class })
	static class Application {

	}

}
