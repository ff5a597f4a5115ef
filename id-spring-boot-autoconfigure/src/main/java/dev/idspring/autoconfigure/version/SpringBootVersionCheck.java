package dev.idspring.autoconfigure.version;

import dev.idspring.IdSetupException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;

/**
 * Fails the start if the application runs on another line of Spring Boot than this
 * starter supports. It runs before any auto-configuration is read, and uses only types
 * that are the same in both lines.
 */
final class SpringBootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext>, Ordered {

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		verify(SpringBootVersion.getVersion());
	}

	static void verify(@Nullable String version) {
		if (version != null && !version.startsWith(SpringBootLine.MAJOR + ".")) {
			throw new IdSetupException(
					SpringBootLine.STARTER + " is for Spring Boot " + SpringBootLine.MAJOR
							+ ", but this application runs on Spring Boot " + version + ".",
					"Depend on dev.idspring:" + SpringBootLine.OTHER_STARTER + " instead.");
		}
	}

}
