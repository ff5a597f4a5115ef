package dev.idspring.tools.command;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

import dev.idspring.testsupport.Instances;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.BootstrapRegistry.InstanceSupplier;

import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Runs commands of an application in this JVM.
 */
public final class CommandLine {

	private CommandLine() {
	}

	/**
	 * Run a command.
	 * @param application the application's configuration
	 * @param command the command
	 * @param properties the other arguments, without dashes
	 */
	public static Result run(Class<?> application, String command, String... properties) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		AtomicInteger exitCode = new AtomicInteger(-1);
		SpringApplication spring = new SpringApplication(application);
		spring
			.addBootstrapRegistryInitializer((registry) -> registry.register(CommandRun.Console.class, InstanceSupplier
				.of(new CommandRun.Console(new PrintStream(out, true, StandardCharsets.UTF_8), exitCode::set))));
		String[] arguments = new String[properties.length + 1];
		Arrays.setAll(arguments, (i) -> "--" + ((i == 0) ? "ids.command=" + command : properties[i - 1]));
		// in a real process, the JVM exits before the exception is thrown
		assertThatException().isThrownBy(() -> spring.run(arguments));
		return new Result(exitCode.get(), out.toString(StandardCharsets.UTF_8));
	}

	/**
	 * Run a command of the application to which the instances belong.
	 */
	public static Result run(Instances instances, String command, String... properties) {
		return run(Instances.Application.class, command, instances.properties(properties).toArray(String[]::new));
	}

	/**
	 * The result of a command.
	 */
	public record Result(int exitCode, String out) {

	}

}
