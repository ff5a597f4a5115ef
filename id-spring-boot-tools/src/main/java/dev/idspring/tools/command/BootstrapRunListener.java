package dev.idspring.tools.command;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.boot.bootstrap.ConfigurableBootstrapContext;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Base class of a run listener that reads the bootstrap context. It is a separate class
 * because Spring Boot 3 and 4 have {@link ConfigurableBootstrapContext} in different
 * packages.
 */
abstract class BootstrapRunListener implements SpringApplicationRunListener {

	@Override
	public final void environmentPrepared(ConfigurableBootstrapContext bootstrapContext,
			ConfigurableEnvironment environment) {
		environmentPrepared(environment, bootstrapContext.getOrElse(CommandRun.Console.class, null));
	}

	/**
	 * Called when the environment is ready.
	 * @param console the console that a test has registered, or {@code null}
	 */
	abstract void environmentPrepared(ConfigurableEnvironment environment, CommandRun.@Nullable Console console);

}
