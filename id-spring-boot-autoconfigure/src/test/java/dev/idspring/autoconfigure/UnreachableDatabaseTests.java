package dev.idspring.autoconfigure;

import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.util.Properties;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.autoconfigure.StartupFailures.Application;
import dev.idspring.autoconfigure.StartupFailures.Setup;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.idspring.autoconfigure.StartupFailures.assertAnalysis;
import static dev.idspring.autoconfigure.StartupFailures.assertStartupFails;
import static dev.idspring.autoconfigure.StartupFailures.description;
import static dev.idspring.autoconfigure.StartupFailures.failure;
import static dev.idspring.autoconfigure.StartupFailures.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests the failure analysis if the application cannot connect to the database: the
 * address is wrong, the server does not answer, or no connection is available.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnreachableDatabaseTests {

	@TempDir
	private Path directory;

	@ParameterizedTest
	@FewInvocations(2)
	@ValueSource(strings = { "embedded", "never", "platform", "shared" })
	void unreachableDatabaseIsReportedWithoutThePassword(String mode, CapturedOutput output) throws Exception {
		// no process uses this port
		String server = "localhost:1";
		String address = "jdbc:postgresql://" + server + "/links";
		Setup failure = settings().with("spring.datasource.hikari.connection-timeout", "250")
			.with("ids.block.wait-timeout", "2s")
			.with("ids.jdbc.connection", mode.equals("shared") ? "shared" : "dedicated");
		failure = mode.equals("platform") ? failure.with("ids.jdbc.platform", "postgresql")
				: failure.with("ids.jdbc.initialize-schema", mode.equals("embedded") ? "embedded" : "never");
		TestDatabase database = new TestDatabase(address + "?user=me&password=s3cret", "me", "s3cret", "postgresql");
		assertStartupFails(failure.write(this.directory), database, Application.class);
		assertAnalysis(output, "The address of the database comes from spring.datasource.url",
				mode.equals("shared") ? "" : "Start the server, or correct its host and port.");
		// if the pool is shared, the message depends on what times out first: the pool,
		// or the starter, which waits for twice the wait timeout
		assertThat(description(output))
			.containsAnyOf(mode.equals("shared")
					? new String[] { "did not answer within 4000 ms", server + " refuses the connection" }
					: new String[] { server + " refuses the connection" })
			.contains(
					String.format("    Property: spring.datasource.url%n    Value: \"%s?***\"%n    Origin: ", address))
			.doesNotContain("s3cret", ".. The", "The driver rejects");
	}

	@Test
	void unknownHostIsReported(CapturedOutput output) throws Exception {
		TestDatabase database = new TestDatabase("jdbc:mariadb://nonexistent.invalid:3306/links?password=s3cret", "me",
				"s3cret", "mysql");
		assertStartupFails(settings().with("ids.block.wait-timeout", "500ms").write(this.directory), database,
				Application.class);
		assertAnalysis(output, "the host of nonexistent.invalid:3306 is unknown",
				"Correct the host, or make sure that this machine can resolve its name (DNS).");
		assertThat(description(output)).contains("Property: spring.datasource.url").doesNotContain("s3cret");
	}

	@Test
	void unresponsiveServerIsReported(CapturedOutput output) throws Exception {
		try (ServerSocket silent = new ServerSocket(0)) {
			String server = "localhost:" + silent.getLocalPort();
			TestDatabase database = new TestDatabase(
					"jdbc:mysql://" + server + "/links?connectTimeout=300&socketTimeout=300", "me", "s3cret", "mysql");
			assertStartupFails(settings().with("ids.block.wait-timeout", "500ms").write(this.directory), database,
					Application.class);
			assertAnalysis(output, server + " did not answer in time", "that no firewall blocks the connection");
		}
	}

	@Test
	void exhaustedPoolIsReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.block.wait-timeout", "500ms")
			.with("ids.jdbc.connection", "shared")
			.with("ids.jdbc.initialize-schema", "never")
			.with("spring.datasource.hikari.connection-timeout", "250")
			.with("spring.datasource.hikari.maximum-pool-size", "1")
			.write(this.directory), TestDatabase.h2(), ExhaustedPool.class);
		assertAnalysis(output, "no connection became available within 250ms", "all connections may have been in use");
	}

	@Test
	void databaseFileLockedByAnotherProcessIsReported(CapturedOutput output) throws Exception {
		String url = "jdbc:h2:file:" + this.directory.resolve("links");
		// a separate class loader acts as another process: it shares only the file with
		// the application
		URL[] jar = { org.h2.Driver.class.getProtectionDomain().getCodeSource().getLocation() };
		try (URLClassLoader otherProcess = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader())) {
			Driver driver = (Driver) otherProcess.loadClass(org.h2.Driver.class.getName())
				.getConstructor()
				.newInstance();
			try (Connection connection = driver.connect(url, new Properties())) {
				assertStartupFails(settings().with("ids.block.wait-timeout", "500ms").write(this.directory),
						new TestDatabase(url, "", "", "h2"), Application.class);
				assertThat(connection.isClosed()).isFalse();
			}
		}
		assertAnalysis(output, "another process has the file of the database open (SQLState 90020, code 90020)",
				"Stop the other process, which may be another instance of this application.");
		assertThat(output).contains("add ;AUTO_SERVER=TRUE to the URL in both, or run a database server")
			// the general advice about databases that cannot be reached
			.doesNotContain("neither a standby");
	}

	@Test
	void urlThatTheDriverRejectsIsReported(CapturedOutput output) throws Exception {
		TestDatabase database = new TestDatabase("jdbc:postgres://localhost/shop", "me", "pw", "postgresql");
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), database,
				Application.class);
		assertAnalysis(output,
				"The driver rejects the address, or the pool rejects a setting."
						+ " The address of the database comes from spring.datasource.url",
				"Start the application with --debug to log the message of the driver.");
		assertThat(description(output)).contains("Value: \"jdbc:postgres://localhost/shop\"");
	}

	@Test
	void parametersOfTheUrlAreHidden(CapturedOutput output) throws Exception {
		TestDatabase database = new TestDatabase("jdbc:h2:mem:x;IFEXISTS=TRUE;CACHE_SIZE=s3cret", "sa", "", "h2");
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), database,
				Application.class);
		assertAnalysis(output, "Cannot connect to the database of the id store: there is no database with this name",
				"Create the database, or correct its name in the address.");
		assertThat(description(output)).contains("Value: \"jdbc:h2:mem:x;***\"").doesNotContain("s3cret");
	}

	/**
	 * The only connection is in use.
	 */
	@Configuration(proxyBeanMethods = false)
	static class ExhaustedPool extends Application {

		@Bean
		static BeanPostProcessor exhausting() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					if (bean instanceof HikariDataSource pool) {
						assertThatNoException().isThrownBy(pool::getConnection);
					}
					return bean;
				}

			};
		}

	}

}
