package dev.idspring.jdbc;

import java.sql.DriverManager;
import java.sql.SQLException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link DriverMessages}.
 */
class DriverMessagesTests {

	/**
	 * The URL is quoted, which is why there is something to be left out.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "jdbc:nosuch://app:S3cr3t@db/ids", "jdbc:nosuch:app/S3cr3t@db:1521/ids" })
	void urlThatADriverQuotes(String url) {
		SQLException failure = catchThrowableOfType(SQLException.class, () -> DriverManager.getConnection(url));
		assertThat((Throwable) failure).hasMessageContaining("S3cr3t");
		SQLException cause = DriverMessages.cause(failure);
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
			"to //app:S3/cr@3t@db:5432/ids | to //******@db:5432/ids", //
			"Access denied for user 'app'@'%' (using password: YES) | Access denied for user 'app'@'%' (using password: YES)",
			"Connection to db:5432 refused. | Connection to db:5432 refused." })
	void whatIsLeftOut(String message, String cleaned) {
		assertThat(DriverMessages.clean(message)).isEqualTo(cleaned);
	}

	@Test
	void exceptionThatSaysNothingStaysWhatItIs() {
		SQLException failure = new SQLException((String) null, "08001", new SQLException("refused"));
		assertThat((Throwable) DriverMessages.cause(failure)).isSameAs(failure);
	}

	@Test
	void causesAndSuppressedExceptionsAreLookedAt() {
		SQLException failure = new SQLException("refused", "08001", 7, new IllegalStateException("pwd=S3cr3t"));
		failure.getCause().addSuppressed(new SQLException("jdbc:S3cr3t"));
		SQLException cause = DriverMessages.cause(failure);
		assertThat((Throwable) cause).hasMessage("java.sql.SQLException: refused")
			.hasStackTraceContaining("java.lang.IllegalStateException: pwd=******")
			.hasStackTraceContaining("java.sql.SQLException: jdbc:******");
		assertThat(cause.getErrorCode()).isEqualTo(7);
	}

	@Test
	void causesThatGoRoundInACircleEnd() {
		SQLException failure = new SQLException("jdbc:x");
		SQLException other = new SQLException("refused", failure);
		failure.initCause(other);
		assertThat((Throwable) DriverMessages.cause(failure)).isNotSameAs(failure);
	}

}
