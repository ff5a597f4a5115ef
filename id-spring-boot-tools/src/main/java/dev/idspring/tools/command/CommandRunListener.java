package dev.idspring.tools.command;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.idspring.IdSetupException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

/**
 * If the property {@code ids.command} names a command, runs this command instead of the
 * application, and then exits. The command runs after the bean definitions of the
 * application are loaded, and before beans are created. No web server starts, and Spring
 * calls no runner and no listener bean of the application.
 * <p>
 * This listener has the highest precedence, so it reads {@code ids.command} before
 * configuration files are loaded. The property must therefore be a command-line argument,
 * a system property or an environment variable. If a configuration file could set it,
 * every start of the application would run the command.
 */
final class CommandRunListener extends BootstrapRunListener implements Ordered {

	private static final Log logger = LogFactory.getLog(CommandRunListener.class);

	private static final String COMMAND = "ids.command";

	private static final String COMMAND_LINE = "java -jar <application>.jar --" + COMMAND + "=";

	private static final Map<String, Object> SETTINGS = Map.of("spring.main.web-application-type", "none",
			"spring.main.banner-mode", "off", "spring.main.log-startup-info", "false");

	/**
	 * The names of the commands that have options of the form {@code ids.<command>.*}.
	 * The names are repeated here so that a normal start of the application does not load
	 * the command classes.
	 */
	static final Set<String> OPTION_COMMANDS = Set.of("adopt", "backfill", "ddl", "leave", "schema", "skip-ahead");

	/** Matches {@code ids.x=y}, {@code -ids.x=y} and {@code -Dids.x=y}. */
	private static final Pattern IGNORED_ARGUMENT = Pattern.compile("(?:-D?)?(ids\\.[^=]+)=.*");

	private final List<String> arguments;

	private @Nullable CommandRun run;

	CommandRunListener(SpringApplication application, String[] arguments) {
		this.arguments = List.of(arguments);
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	void environmentPrepared(ConfigurableEnvironment environment, CommandRun.@Nullable Console console) {
		String name = environment.getProperty(COMMAND);
		if (StringUtils.hasText(name)) {
			this.run = new CommandRun(name.strip(), environment,
					(console != null) ? console : CommandRun.Console.ofProcess());
			environment.getPropertySources().addFirst(new MapPropertySource("idsCommand", SETTINGS));
		}
	}

	@Override
	public void contextLoaded(ConfigurableApplicationContext application) {
		if (this.run != null) {
			this.run.run(application);
		}
		else {
			warnAboutIgnoredArguments();
			rejectCommandWithoutName();
			rejectOptionsWithoutCommand(application.getEnvironment());
		}
	}

	@Override
	public void failed(@Nullable ConfigurableApplicationContext application, Throwable failure) {
		if (this.run != null) {
			this.run.fail(failure, application);
		}
	}

	/**
	 * Log a warning for each argument that names a property of this library but does not
	 * begin with {@code --}, because Spring sets no property from such an argument. The
	 * application still starts, because the argument may be meant for the application
	 * itself. The warning omits the value, which may be a secret.
	 */
	private void warnAboutIgnoredArguments() {
		for (String argument : this.arguments) {
			Matcher ignored = IGNORED_ARGUMENT.matcher(argument);
			if (ignored.matches()) {
				logger.warn("An argument names " + ignored.group(1) + " but sets no property. Write --"
						+ ignored.group(1) + "=<value> if the argument is meant for id generators.");
			}
		}
	}

	private void rejectCommandWithoutName() {
		if (this.arguments.contains("--" + COMMAND)) {
			throw new IdSetupException("The argument --" + COMMAND + " names no command.",
					"Write --" + COMMAND + "=help to list the commands, or remove the argument.", List.of(COMMAND),
					null);
		}
	}

	/**
	 * Fail if a configuration file sets {@code ids.command}, or if options of a command
	 * are set without the command. Otherwise the application would start and ignore these
	 * properties.
	 */
	private static void rejectOptionsWithoutCommand(Environment environment) {
		String command = environment.getProperty(COMMAND);
		if (StringUtils.hasText(command)) {
			throw new IdSetupException(
					COMMAND + " is set to '" + command
							+ "', but not by a command-line argument, a system property or an environment variable.",
					"Remove it, and run the command with " + COMMAND_LINE + command + ".", List.of(COMMAND), null);
		}
		Binder binder = Binder.get(environment);
		for (String name : OPTION_COMMANDS) {
			Map<String, String> options = new TreeMap<>();
			binder.bind("ids." + name, Bindable.mapOf(String.class, String.class))
				.ifBound((bound) -> bound.forEach((option, value) -> {
					if (StringUtils.hasText(value)) {
						options.put("ids." + name + "." + option, value);
					}
				}));
			if (!options.isEmpty()) {
				String arguments = options.entrySet()
					.stream()
					.map((option) -> " --" + option.getKey() + "=" + option.getValue())
					.collect(Collectors.joining());
				throw new IdSetupException(
						String.join(" and ", options.keySet()) + ((options.size() > 1) ? " are" : " is") + " set, but "
								+ COMMAND + " is not: the application would start without running a command.",
						"Run the command with " + COMMAND_LINE + name + arguments
								+ ". To start the application instead, remove "
								+ ((options.size() > 1) ? "these options." : "this option."),
						List.copyOf(options.keySet()), null);
			}
		}
	}

}
