package dev.idspring.tools.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.testsupport.ChildProcess;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs commands of the starter with a web application in a separate JVM, and reads the
 * standard output and the exit code of that JVM.
 */
class CommandProcessTests {

	private final TestDatabase database = TestDatabase.h2File();

	@TempDir
	private Path directory;

	@Test
	void runsOnlyTheCommandAndPrintsOnlyItsReport() throws Exception {
		FinishedProcess created = run("schema", "ids.schema.confirm=true", "ids.output=json");
		assertThat(created.exitCode()).as(created.err()).isZero();
		assertThat(JsonPath.<Map<String, Object>>read(created.out(), "$")).containsEntry("created", true);
		assertThat(created.out().strip()).startsWith("{").endsWith("}").doesNotContain("\n");
		FinishedProcess problem = run("skip-ahead", "ids.skip-ahead.key-space=nope", "ids.skip-ahead.by=5");
		assertThat(problem.exitCode()).as(problem.err()).isEqualTo(1);
		assertThat(problem.out()).startsWith("There is no key space 'nope'").hasLineCount(1);
		FinishedProcess failure = run("skip-ahead", "ids.skip-ahead.key-space=default");
		assertThat(failure.exitCode()).as(failure.err()).isEqualTo(2);
		assertThat(failure.out()).startsWith("ids.skip-ahead.by is not set.");
		// logging goes to standard error
		assertThat(created.err()).contains("HikariPool");
		for (FinishedProcess process : new FinishedProcess[] { created, problem, failure }) {
			assertThat(process.out() + process.err()).doesNotContain("MUST NOT RUN", "Tomcat", "Started");
		}
	}

	@Test
	@Tag("wide")
	void exitCodeReflectsFindingsOfTheDoctor() throws Exception {
		run("schema", "ids.schema.confirm=true");
		FinishedProcess clean = run("doctor");
		assertThat(clean.exitCode()).as(clean.out() + clean.err()).isZero();
		this.database.execute("create table keyless (id int)");
		assertThat(run("doctor").exitCode()).isEqualTo(1);
		assertThat(run("doctor", "spring.datasource.url=jdbc:h2:mem:x;IFEXISTS=TRUE").exitCode()).isEqualTo(2);
	}

	@Test
	@Tag("wide")
	void exitCodeReflectsTheResultOfAdoptAndBackfill() throws Exception {
		run("schema", "ids.schema.confirm=true");
		this.database.execute("create table parcels (id bigint primary key, code varchar(20))",
				"insert into parcels (id) values (41)");
		String[] adopt = { "ids.strategy=sequential", "ids.adopt.table=parcels", "ids.adopt.generator=default",
				"ids.adopt.source=none", "ids.adopt.confirm=true" };
		assertThat(run("adopt").exitCode()).isEqualTo(2);
		assertThat(run("adopt", adopt).exitCode()).isZero();
		assertThat(run("adopt", adopt).exitCode()).as("a second time").isEqualTo(1);
		FinishedProcess filled = run("backfill", "ids.strategy=sequential", "ids.backfill.table=parcels",
				"ids.backfill.column=code", "ids.backfill.generator=default", "ids.backfill.confirm=true");
		assertThat(filled.exitCode()).as(filled.out()).isZero();
		assertThat(filled.out()).startsWith("Filled 1 row of");
		assertThat(run("backfill").exitCode()).isEqualTo(2);
	}

	private FinishedProcess run(String command, String... properties) throws Exception {
		Path out = this.directory.resolve("out");
		Path err = this.directory.resolve("err");
		Process process = ChildProcess
			.of(WebApplication.class,
					Stream
						.concat(Stream.of("ids.command=" + command, "spring.datasource.url=" + this.database.url(),
								"spring.datasource.username=sa", "spring.liquibase.enabled=false",
								"logging.level.com.zaxxer.hikari=info"), Stream.of(properties))
						.map((property) -> "--" + property)
						.toArray(String[]::new))
			.redirectOutput(out.toFile())
			.redirectError(err.toFile())
			.start();
		assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
		return new FinishedProcess(process.exitValue(), Files.readString(out), Files.readString(err));
	}

	private record FinishedProcess(int exitCode, String out, String err) {

	}

	/**
	 * Prints messages for actions that must not happen during a command.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@EnableAutoConfiguration(
			excludeName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
	static class WebApplication {

		public static void main(String[] args) {
			SpringApplication.run(WebApplication.class, args);
			alarm("code after startup");
		}

		static void alarm(String what) {
			System.out.println("MUST NOT RUN: " + what);
		}

		@Bean
		ApplicationRunner applicationRunner() {
			return (arguments) -> alarm("runner");
		}

		@Bean
		CommandLineRunner commandLineRunner() {
			return (arguments) -> alarm("command line runner");
		}

		@Bean
		ApplicationListener<ApplicationEvent> listener() {
			return (event) -> alarm("listener of " + event);
		}

		@Bean
		@Lazy(false)
		InitializingBean eager() {
			return () -> alarm("eager bean");
		}

		@Bean
		Job job() {
			return new Job();
		}

		@Bean
		LifecycleBean lifecycle() {
			return new LifecycleBean();
		}

	}

	static class Job {

		@Scheduled(fixedDelay = 1)
		void run() {
			WebApplication.alarm("job");
		}

	}

	static class LifecycleBean implements SmartLifecycle {

		@Override
		public void start() {
			WebApplication.alarm("lifecycle");
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

	}

}
