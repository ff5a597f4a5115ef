package dev.idspring.benchmarks.start;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the application that is started has more than it needs.
 */
public enum Contestant {

	/** Nothing. */
	PLAIN("none", ""),

	/** Ours. */
	STARTER("ours", "id-(core|jdbc|spring-boot)-(?!.*-tests).*", "--ids.jdbc.initialize-schema=%s"),

	/** One migration, which is verified once it has run. */
	FLYWAY("Flyway", "(spring-boot-(starter-)?)?flyway-.*"),

	/** Jobs in the database, of which there is none. */
	QUARTZ("Quartz", "((spring-boot-(starter-)?)?quartz|spring-context-support)-.*",
			"--spring.quartz.jdbc.initialize-schema=%s", "--spring.quartz.job-store-type=jdbc",
			"--spring.quartz.properties.org.quartz.jobStore.driverDelegateClass="
					+ "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate"),

	/**
	 * One change set, which is verified once it has run. It sends no statistics of use.
	 */
	LIQUIBASE("Liquibase", "((spring-boot-(starter-)?)?liquibase|commons-(collections4|io|lang3|text)|opencsv)-.*",
			"--spring.liquibase.analytics-enabled=false");

	/** What such an application has; the rest is there for other parts. */
	private static final Pattern LIBRARIES = Pattern.compile("(spring-(?!boot-test|test).*|tomcat-.*|jackson-.*"
			+ "|logback-.*|slf4j-.*|jul-to-slf4j-.*|log4j-.*|snakeyaml-.*|HikariCP-.*|micrometer-.*|commons-logging-.*"
			+ "|jspecify-.*|jakarta\\.annotation-api-.*|HdrHistogram-.*|LatencyUtils-.*|postgresql-.*)\\.jar");

	private final String title;

	private final Pattern added;

	private final List<String> arguments;

	Contestant(String title, String added, String... arguments) {
		this.title = title;
		this.added = Pattern.compile("(" + added + ")\\.jar");
		this.arguments = List.of(arguments);
	}

	/**
	 * Return whose starter it is.
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Return whether a jar belongs to the application. What a contestant adds is on the
	 * class path of no other.
	 */
	boolean has(String jar) {
		return adds(jar) || LIBRARIES.matcher(jar).matches()
				&& Stream.of(values()).noneMatch((contestant) -> contestant.adds(jar));
	}

	private boolean adds(String jar) {
		return this.added.matcher(jar).matches();
	}

	/**
	 * Return what the application is started with.
	 * @param schema whether to create tables: {@code always} or {@code never}
	 */
	List<String> arguments(String schema) {
		return this.arguments.stream().map((argument) -> argument.formatted(schema)).toList();
	}

}
