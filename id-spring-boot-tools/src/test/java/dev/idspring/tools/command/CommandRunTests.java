package dev.idspring.tools.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.testsupport.RequiresSpringBoot;
import dev.idspring.tools.command.IdsCommand.Option;
import dev.idspring.tools.command.CommandLine.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link CommandRun}: the behavior that all commands share.
 */
@ExtendWith(OutputCaptureExtension.class)
class CommandRunTests {

	@Test
	void helpListsCommandsWithRightsAndOptions() {
		Result result = CommandLine.run(Empty.class, "help");
		assertThat(result.exitCode()).isZero();
		assertThat(result.out()).startsWith("Usage: java -jar <application>.jar --ids.command=<command>")
			.contains("0 (done), 1 (found problems) or 2 (could not run)", "--ids.output=json");
		for (IdsCommand command : IdsCommand.all()) {
			assertThat(result.out())
				.contains("\n" + command.help().name() + "\n  " + command.help().purpose() + "\n  Rights: ");
		}
		assertThat(result.out()).containsPattern("    --ids.skip-ahead.confirm +true to skip\\.");
	}

	@Test
	void helpAsJsonListsCommandsWithRightsAndOptions() {
		Result result = CommandLine.run(Empty.class, "help", "ids.output=json");
		assertThat(result.exitCode()).isZero();
		assertThat(result.out().strip()).doesNotContain("\n");
		Map<String, Object> report = JsonPath.read(result.out(), "$");
		assertThat(report).containsEntry("command", "help").containsEntry("outcome", "done");
		assertThat(report.get("message")).asString().startsWith("Usage: java -jar");
		assertThat(JsonPath.<List<String>>read(result.out(), "$.commands[*].name"))
			.containsExactlyElementsOf(IdsCommand.names());
		assertThat(JsonPath.<List<String>>read(result.out(), "$.commands[*].rights")).hasSize(8);
		assertThat(JsonPath.<Map<String, String>>read(result.out(), "$.commands[3].options"))
			.containsKey("ids.skip-ahead.by");
	}

	@Test
	void helpNamesEachOptionOfACommand() {
		assertThat(options("skip-ahead"))
			.containsExactlyInAnyOrderElementsOf(propertyNames("skip-ahead", IdsProperties.SkipAhead.class));
		assertThat(options("adopt"))
			.containsExactlyInAnyOrderElementsOf(propertyNames("adopt", IdsProperties.Adopt.class));
		assertThat(options("backfill"))
			.containsExactlyInAnyOrderElementsOf(propertyNames("backfill", IdsProperties.Backfill.class));
		assertThat(options("leave"))
			.containsExactlyInAnyOrderElementsOf(propertyNames("leave", IdsProperties.Leave.class));
		assertThat(options("ddl")).containsExactlyInAnyOrderElementsOf(propertyNames("ddl", IdsProperties.Ddl.class));
		assertThat(options("schema")).containsAll(propertyNames("schema", IdsProperties.Schema.class));
	}

	@Test
	void listenerNamesAllCommandsWithOptions() {
		assertThat(IdsCommand.names())
			.filteredOn((name) -> options(name).stream().anyMatch((option) -> option.startsWith("ids." + name + ".")))
			.hasSameElementsAs(CommandRunListener.OPTION_COMMANDS);
	}

	private static List<String> options(String command) {
		return IdsCommand.named(command).orElseThrow().help().options().stream().map(Option::property).toList();
	}

	private static List<String> propertyNames(String command, Class<?> options) {
		List<String> names = new ArrayList<>();
		for (var component : options.getRecordComponents()) {
			names.add("ids." + command + "." + DataObjectPropertyName.toDashedForm(component.getName()));
		}
		return names;
	}

	@Test
	void unknownCommandListsTheKnownOnes() {
		Result result = CommandLine.run(Empty.class, "skipahead");
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.out()).contains("ids.command is 'skipahead', which is not a command.")
			.contains("Use one of help, ddl, schema, skip-ahead, doctor, adopt, backfill, leave.");
	}

	@Test
	void failureAsJsonHasMessageAndRemedy() {
		Result result = CommandLine.run(Empty.class, "nope", "ids.output=json");
		assertThat(result.exitCode()).isEqualTo(2);
		Map<String, Object> report = JsonPath.read(result.out(), "$");
		assertThat(report).containsEntry("command", "nope")
			.containsEntry("outcome", "failed")
			.containsEntry("remedy", "Use one of help, ddl, schema, skip-ahead, doctor, adopt, backfill, leave.");
		assertThat(report.get("message")).asString().contains("'nope'").contains("Property: ids.command");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "help | ids.output=xml | ids.output", "skip-ahead | ids.skip-ahead.by=many | ids.skip-ahead.by",
					"ddl | spring.config.location=classpath:nope.yml | nope.yml" })
	void reportsAnInvalidProperty(String command, String property, String message) {
		Result result = CommandLine.run(Empty.class, command, property);
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.out()).contains(message);
	}

	@Test
	void reportsAsJsonThatPropertiesCannotBeRead() {
		Result result = CommandLine.run(Empty.class, "ddl", "spring.config.location=classpath:nope.yml",
				"ids.output=json");
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(JsonPath.<String>read(result.out(), "$.message")).contains("nope.yml");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "ids.skip-ahead.by=5 | --ids.command=skip-ahead --ids.skip-ahead.by=5",
					"ids.ddl.generator=events | --ids.command=ddl --ids.ddl.generator=events",
					"ids.schema.confirm=true | --ids.command=schema --ids.schema.confirm=true" })
	void startupFailsIfOptionsAreSetWithoutTheirCommand(String property, String remedy) {
		assertThatThrownBy(() -> new SpringApplication(Empty.class).run("--" + property))
			.hasMessageContaining(property.split("=")[0] + " is set, but ids.command is not")
			.hasMessageContaining("java -jar <application>.jar " + remedy);
	}

	@ParameterizedTest
	@CsvSource({ "ids.command=help, ids.command", "-Dids.text.secret=a-secret, ids.text.secret",
			"-ids.command=help, ids.command" })
	void argumentWithoutTwoDashesStartsTheApplicationWithAWarning(String argument, String name, CapturedOutput output) {
		SpringApplication application = new SpringApplication(Empty.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.run(argument).close();
		assertThat(output)
			.contains("An argument names " + name + " but sets no property. Write --" + name + "=<value> if")
			.doesNotContain("a-secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "other=ids.x", "ids" })
	void argumentThatNamesNoPropertyGivesNoWarning(String argument, CapturedOutput output) {
		SpringApplication application = new SpringApplication(Empty.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.run(argument).close();
		assertThat(output).contains("Started").doesNotContain("An argument names");
	}

	@ParameterizedTest
	@ValueSource(strings = { "--ids.command", "--ids.command schema" })
	void startupFailsIfTheCommandHasNoName(String arguments) {
		assertThatThrownBy(() -> new SpringApplication(Empty.class).run(arguments.split(" ")))
			.hasMessageContaining("The argument --ids.command names no command")
			.hasMessageContaining("Write --ids.command=help");
	}

	@Test
	void startupFailureNamesAllOptionsThatAreSetWithoutTheirCommand() {
		assertThatThrownBy(() -> new SpringApplication(Empty.class).run("--ids.skip-ahead.key-space=default",
				"--ids.skip-ahead.by=5"))
			.hasMessageContaining("ids.skip-ahead.by and ids.skip-ahead.key-space are set, but ids.command is not")
			.hasMessageContaining("java -jar <application>.jar --ids.command=skip-ahead --ids.skip-ahead.by=5"
					+ " --ids.skip-ahead.key-space=default. To start the application instead, remove these options.");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "schema | ids.store is redis: there are no tables to create. | ids.redis.initialize=always",
					"adopt | ids.store is redis: new instances must draw | Use ids.store=jdbc",
					"ddl | ids.store is redis, so a script for the database cannot reserve node 5 | ids.store=jdbc" })
	void commandThatNeedsADatabaseIsRejectedWithRedis(String command, String problem, String remedy) {
		Result result = CommandLine.run(Empty.class, command, "ids.store=redis", "ids.adopt.table=orders",
				"ids.adopt.generator=default", "ids.strategy=snowflake", "ids.ddl.generator=default", "ids.ddl.node=5",
				"ids.ddl.platform=postgresql");
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.out()).contains(problem, remedy);
	}

	/**
	 * If a configuration file could name a command, every start would run the command.
	 * Like such a file, the initializer sets the property after the listener read it.
	 */
	@Test
	void rejectsACommandInAConfigurationFile() {
		SpringApplication application = new SpringApplication(Empty.class);
		application.addInitializers((context) -> TestPropertyValues.of("ids.command=help").applyTo(context));
		assertThatThrownBy(() -> application.run())
			.hasMessageContaining("ids.command is set to 'help', but not by a command-line argument")
			.hasMessageContaining("java -jar <application>.jar --ids.command=help");
	}

	@RequiresSpringBoot(version = "4.0", because = "before 4.0, --ids.ddl= does not bind to a map")
	@Test
	void emptyOptionsCountAsUnset() {
		SpringApplication application = new SpringApplication(Empty.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.run("--ids.command=", "--ids.ddl=", "--ids.skip-ahead.key-space=").close();
	}

	@Configuration(proxyBeanMethods = false)
	static class Empty {

	}

}
