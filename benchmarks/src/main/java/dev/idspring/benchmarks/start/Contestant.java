package dev.idspring.benchmarks.start;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A library that is added to the application.
 */
public enum Contestant {

	/** No library. */
	PLAIN("none", ""),

	/** This project's starter. */
	STARTER("ours", "id-(core|jdbc|spring-boot)-(?!.*-tests).*", "--ids.jdbc.initialize-schema=%s"),

	/** Flyway with one migration, which an unmeasured earlier start has applied. */
	FLYWAY("Flyway", "(spring-boot-(starter-)?)?flyway-.*"),

	/** Quartz with a job store in the database, but without any jobs. */
	QUARTZ("Quartz", "((spring-boot-(starter-)?)?quartz|spring-context-support)-.*",
			"--spring.quartz.jdbc.initialize-schema=%s", "--spring.quartz.job-store-type=jdbc",
			"--spring.quartz.properties.org.quartz.jobStore.driverDelegateClass="
					+ "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate"),

	/**
	 * Liquibase with one change set, which an unmeasured earlier start has applied.
	 * Liquibase sends no usage statistics.
	 */
	LIQUIBASE("Liquibase", "((spring-boot-(starter-)?)?liquibase|commons-(collections4|io|lang3|text)|opencsv)-.*",
			"--spring.liquibase.analytics-enabled=false");

	/**
	 * The libraries of the plain application. The other libraries in {@code lib} are for
	 * contestants or for other parts of the benchmarks.
	 */
	private static final Pattern LIBRARIES = Pattern
		.compile("(spring-(?!boot-(test|data|netty)|test|data|oxm).*|tomcat-.*|jackson-.*"
				+ "|logback-.*|slf4j-.*|jul-to-slf4j-.*|log4j-.*|snakeyaml-.*|HikariCP-.*|micrometer-.*|commons-logging-.*"
				+ "|jspecify-.*|jakarta\\.annotation-api-.*|HdrHistogram-.*|LatencyUtils-.*|postgresql-.*)\\.jar");

	private final String title;

	private final Pattern addedJars;

	private final List<String> arguments;

	Contestant(String title, String addedJars, String... arguments) {
		this.title = title;
		this.addedJars = Pattern.compile("(" + addedJars + ")\\.jar");
		this.arguments = List.of(arguments);
	}

	/**
	 * Return the title in the report.
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Return whether a jar is on the class path of the application with this contestant.
	 * Jars that only other contestants add are left out.
	 */
	boolean usesJar(String jar) {
		return adds(jar) || LIBRARIES.matcher(jar).matches()
				&& Stream.of(values()).noneMatch((contestant) -> contestant.adds(jar));
	}

	private boolean adds(String jar) {
		return this.addedJars.matcher(jar).matches();
	}

	/**
	 * Return the command-line arguments of the application.
	 * @param initializeSchema whether to create tables: {@code always} or {@code never}
	 */
	List<String> arguments(String initializeSchema) {
		return this.arguments.stream().map((argument) -> argument.formatted(initializeSchema)).toList();
	}

}
