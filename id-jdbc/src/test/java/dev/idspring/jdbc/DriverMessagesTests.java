package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.h2.jdbcx.JdbcDataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link DriverMessages}.
 */
class DriverMessagesTests {

	private final DriverMessages messages = new DriverMessages(new DriverManagerDataSource());

	/**
	 * The URL is quoted, which is why there is something to be left out.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "jdbc:nosuch://app:S3cr3t@db/ids", "jdbc:nosuch:app/S3cr3t@db:1521/ids" })
	void urlThatADriverQuotes(String url) {
		SQLException failure = catchThrowableOfType(SQLException.class, () -> DriverManager.getConnection(url));
		assertThat((Throwable) failure).hasMessageContaining("S3cr3t");
		SQLException cause = (SQLException) this.messages.cause(failure);
		assertThat(cause.toString()).contains(failure.getClass().getName()).doesNotContain("S3cr3t");
		assertThat(cause.getSQLState()).isEqualTo(failure.getSQLState());
		assertThat(cause.getErrorCode()).isEqualTo(failure.getErrorCode());
		assertThat(cause.getStackTrace()).isEqualTo(failure.getStackTrace());
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', delimiter = '|', value = { //
			"bad URL 'jdbc:x:y;PASSWORD=a b'c' here | bad URL 'jdbc:******", //
			"JDBC:X://h is wrong | jdbc:******", //
			"host=db password=S3cr3t port=1 | host=db password=****** port=1", //
			"PWD = 'a b;c'; UID=\"app\", x=1 | PWD = ******; UID=******, x=1", //
			"(sslpassword=abc) and client_secret=xyz&a=b | (sslpassword=******) and client_secret=******&a=b", //
			"{user=app, password=x,S3cr3t} | {user=******, password=******}", //
			"user=app, password=my S3cr3t | user=******, password=******", //
			"password=x, y S3cr3t, ssl=true | password=******, ssl=true", //
			"{\"user\": \"app\", \"password\": \"S\\\"3, cr3t\"} | {\"user\": \"app\", \"password\": ******}", //
			"{'accessToken': 'S3cr3t'} | {'accessToken': ******}", //
			"Password: S3cr3t | Password: ******", //
			"unexpected token: WRONG required: AS in statement | unexpected token: WRONG required: AS in statement", //
			"to //app:S3/cr@3t@db:5432/ids | to //******@db:5432/ids", //
			"No driver for app/S3cr3t@db | No driver for app/******@db", //
			"Access denied for user 'app'@'%' (using password: YES) | Access denied for user 'app'@'%' (using password: YES)",
			"Connection to db:5432 refused. | Connection to db:5432 refused." })
	void whatIsLeftOut(String message, String cleaned) {
		assertThat(this.messages.clean(message)).isEqualTo(cleaned);
	}

	@Test
	void exceptionThatSaysNothingStaysWhatItIs() {
		SQLException failure = new SQLException((String) null, "08001", new SQLException("refused"));
		assertThat(this.messages.cause(failure)).isSameAs(failure);
	}

	@Test
	void causesAndSuppressedExceptionsAreLookedAt() {
		SQLException failure = new SQLException("refused", "08001", 7, new IllegalStateException("pwd=S3cr3t"));
		failure.getCause().addSuppressed(new SQLException("jdbc:S3cr3t"));
		SQLException cause = (SQLException) this.messages.cause(failure);
		assertThat((Throwable) cause).hasMessage("refused")
			.hasToString("java.sql.SQLException: refused")
			.hasStackTraceContaining("java.lang.IllegalStateException: pwd=******")
			.hasStackTraceContaining("java.sql.SQLException: jdbc:******");
		assertThat(cause.getErrorCode()).isEqualTo(7);
	}

	@Test
	void causesThatGoRoundInACircleEnd() {
		SQLException failure = new SQLException("jdbc:x");
		SQLException other = new SQLException("refused", failure);
		failure.initCause(other);
		assertThat(this.messages.cause(failure)).isNotSameAs(failure);
	}

	/**
	 * Where the secret is, the message of a driver, and what may be shown of it.
	 */
	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', delimiter = '|', value = { //
			"jdbc:mariadb://app:S3cr3t@db:1/ids | | Incorrect port value : S3cr3t@db | Incorrect port value : ******@db", //
			"jdbc:mysql://app:S3%40cr3t@db/ids | | Bad S3%40cr3t, means S3@cr3t, ends cr3t | Bad ******, means ******, ends ******", //
			"jdbc:oracle:thin:app/S3cr3t@db:1521/ids | | Unknown service S3cr3t | Unknown service ******", //
			"jdbc:postgresql://db/ids?user=app&password=S3c:r3t | | Bad port r3t of app | Bad port ****** of app", //
			"jdbc:postgresql://db/ids?sslpassword=S3cr3t | | Bad S3cr3t | Bad ******", //
			"jdbc:sqlserver://db;user=app;password={S3;cr3t};encrypt=true | | cr3t and S3;cr3t of encrypt | ****** and ****** of encrypt", //
			"jdbc:h2:mem:ids;PASSWORD=S3\\;cr3t;CACHE=1 | | CACHE S3\\;cr3t or cr3t | CACHE ****** or ******", //
			"jdbc:mysql://(host=db,password=S3,cr3t,port=1)/ids | | port cr3t | port ******", //
			"jdbc:x:ids | my S3cr3t, 1 | No S3cr3t, but my S3cr3t, 1 | No ******, but ******", //
			"jdbc:x:ids | S3cr3t-S3cr3t | xS3cr3t-S3cr3tx | x******x" })
	void knownSecretsAreLeftOut(String url, String password, String message, String cleaned) {
		assertThat(messages(url, "app", password).clean(message)).isEqualTo(cleaned);
	}

	/**
	 * What protects nobody must not make noise of messages.
	 */
	@ParameterizedTest
	@CsvSource({ "app", "sa", "a", "ids", "localhost", "password", "Connection", "user" })
	void messagesStayReadable(String password) {
		String message = "Connection a to localhost for user app, database ids: Access denied (using password: YES)";
		assertThat(messages("jdbc:mysql://app:" + password + "@localhost/ids?password=" + password, "app", password)
			.clean(message)).isEqualTo(message);
	}

	@Test
	void shortSecretIsLeftOutAsAWordOnly() {
		assertThat(messages("jdbc:x:ids", "app", "key").clean("key: keys of monkey ids_key_space, 'key'"))
			.isEqualTo("******: keys of monkey ids_key_space, '******'");
	}

	@Test
	void secretsAreFoundBehindOtherDataSources() {
		HikariDataSource pool = new HikariDataSource();
		Properties properties = new Properties();
		properties.put("trustStorePassword", "Tru5t");
		properties.put("ssl", "true");
		pool.setDataSourceProperties(properties);
		JdbcDataSource h2 = new JdbcDataSource();
		h2.setUrl("jdbc:h2:mem:ids");
		h2.setPassword("H2S3cr3t");
		pool.setDataSource(h2);
		AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

			@Override
			protected Object determineCurrentLookupKey() {
				return "";
			}

		};
		routing.setTargetDataSources(Map.of("one", new DelegatingDataSource(pool)));
		routing.setDefaultTargetDataSource(new DriverManagerDataSource("jdbc:x:ids", "app", "D3fault"));
		routing.afterPropertiesSet();
		assertThat(new DriverMessages(routing).clean("Tru5t true H2S3cr3t D3fault"))
			.isEqualTo("****** true ****** ******");
	}

	@Test
	void passwordThatHasChangedIsKnown() {
		DriverManagerDataSource dataSource = new DriverManagerDataSource("jdbc:x:ids", "app", "first");
		DriverMessages messages = new DriverMessages(dataSource);
		assertThat(messages.clean("first second")).isEqualTo("****** second");
		dataSource.setPassword("second");
		assertThat(messages.clean("first second")).isEqualTo("first ******");
	}

	@Test
	void dataSourceThatTellsNothingOrFails() {
		DataSource dataSource = new AbstractDataSource() {

			@Override
			public Connection getConnection() {
				throw new UnsupportedOperationException();
			}

			@Override
			public Connection getConnection(String username, String password) {
				throw new UnsupportedOperationException();
			}

			@SuppressWarnings("unused")
			public String getPassword() {
				throw new UnsupportedOperationException();
			}

			@SuppressWarnings("unused")
			public DataSource getTargetDataSource() {
				return this;
			}

		};
		assertThat(new DriverMessages(dataSource).clean("refused")).isEqualTo("refused");
	}

	private static DriverMessages messages(String url, String username, String password) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setUsername(username);
		pool.setPassword(password);
		return new DriverMessages(pool);
	}

}
