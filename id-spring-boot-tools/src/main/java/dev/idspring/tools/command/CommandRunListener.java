package dev.idspring.tools.command;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.idspring.IdSetupException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.boot.bootstrap.ConfigurableBootstrapContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

/**
 * Runs the command that {@code ids.command} names when the application has its properties
 * and bean definitions but no bean yet, and exits. So there is no web server, and no
 * runner or listener of the application runs.
 * <p>
 * Comes first, before configuration files are read: a command is given on the command
 * line (or by a system property or environment variable), or else every start would run
 * it.
 */
final class CommandRunListener implements SpringApplicationRunListener, Ordered {

	private static final String COMMAND = "ids.command";

	private static final String JAVA = "java -jar <application>.jar --" + COMMAND + "=";

	private static final Map<String, Object> SETTINGS = Map.of("spring.main.web-application-type", "none",
			"spring.main.banner-mode", "off", "spring.main.log-startup-info", "false");

	/** Known without the commands, as nearly all starts run none. */
	static final Set<String> WITH_OPTIONS = Set.of("adopt", "backfill", "ddl", "leave", "schema", "skip-ahead");

	/** Without its dashes, as a system property, or without its value. */
	private static final Pattern MALFORMED = Pattern.compile("(?:-D?)?(ids\\.[^=]+=.*)|--(?<name>ids\\.command)");

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
	public void environmentPrepared(ConfigurableBootstrapContext bootstrapContext,
			ConfigurableEnvironment environment) {
		String name = environment.getProperty(COMMAND);
		if (StringUtils.hasText(name)) {
			this.run = new CommandRun(name.strip(), environment, Objects.requireNonNull(
					bootstrapContext.getOrElseSupply(CommandRun.Console.class, CommandRun.Console::ofProcess)));
			environment.getPropertySources().addFirst(new MapPropertySource("idsCommand", SETTINGS));
		}
	}

	@Override
	public void contextLoaded(ConfigurableApplicationContext application) {
		if (this.run != null) {
			this.run.run(application);
		}
		else {
			refuseMalformed();
			refuseOptions(application.getEnvironment());
		}
	}

	@Override
	public void failed(@Nullable ConfigurableApplicationContext application, Throwable failure) {
		if (this.run != null) {
			this.run.fail(failure, application);
		}
	}

	/**
	 * Refuse arguments that Spring takes for no options, or for an option without a
	 * value: they had no effect.
	 */
	private void refuseMalformed() {
		for (String argument : this.arguments) {
			Matcher malformed = MALFORMED.matcher(argument);
			if (malformed.matches()) {
				boolean last = this.arguments.indexOf(argument) == this.arguments.size() - 1;
				String value = argument.contains("=") ? ""
						: "=" + (last ? "<value>" : this.arguments.get(this.arguments.indexOf(argument) + 1));
				throw new IdSetupException("The argument " + argument + " has no effect.",
						"Write --" + Objects.requireNonNullElse(malformed.group(1), malformed.group("name")) + value
								+ " instead, or remove it.");
			}
		}
	}

	/**
	 * Refuse to start the application with options of a command: they had no effect.
	 */
	private static void refuseOptions(Environment environment) {
		String command = environment.getProperty(COMMAND);
		if (StringUtils.hasText(command)) {
			throw new IdSetupException(COMMAND + " is '" + command + "', but not on the command line.",
					"Remove it, and run the command with " + JAVA + command + ".", List.of(COMMAND), null);
		}
		for (String name : WITH_OPTIONS) {
			Map<String, String> options = new TreeMap<>();
			Binder.get(environment)
				.bind("ids." + name, Bindable.mapOf(String.class, String.class))
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
						"Run the command with " + JAVA + name + arguments
								+ ", or remove the option to start the application.",
						List.copyOf(options.keySet()), null);
			}
		}
	}

}
