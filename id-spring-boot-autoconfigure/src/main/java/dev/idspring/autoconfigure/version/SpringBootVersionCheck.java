package dev.idspring.autoconfigure.version;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.idspring.IdSetupException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;

/**
 * Makes startup fail if this starter does not support the version of Spring Boot that the
 * application uses. If the version cannot be determined, the check passes. This check
 * runs before any auto-configuration is loaded, and uses only types that are the same in
 * Spring Boot 3.5 and 4.
 */
final class SpringBootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext>, Ordered {

	private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\..*");

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		verify(SpringBootVersion.getVersion());
	}

	static void verify(@Nullable String version) {
		Matcher parts = VERSION.matcher(String.valueOf(version));
		if (!parts.matches()) {
			return;
		}
		int major = Integer.parseInt(parts.group(1));
		int minor = Integer.parseInt(parts.group(2));
		if (major == SpringBootLine.MAJOR && minor >= SpringBootLine.LOWEST_MINOR) {
			return;
		}
		throw new IdSetupException(
				SpringBootLine.STARTER + " is for Spring Boot " + SpringBootLine.VERSIONS
						+ ", but this application runs on Spring Boot " + version + ".",
				(major == SpringBootLine.OTHER_MAJOR)
						? "Depend on dev.idspring:" + SpringBootLine.OTHER_STARTER + " instead."
						: "Use Spring Boot " + SpringBootLine.VERSIONS + ".");
	}

}
