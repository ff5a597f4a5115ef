package dev.idspring.testsupport;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TestDatabase}.
 */
class TestDatabaseTests {

	/**
	 * The URL contains the credentials, like the URL of a server that the environment
	 * provides.
	 */
	@ParameterizedTest
	@Tag("wide")
	@EnumSource(value = TestDatabase.Kind.class, names = { "POSTGRESQL", "MARIADB" })
	void createsADatabaseOnAServerWithCredentialsInItsUrl(TestDatabase.Kind kind) {
		TestDatabase database = kind.create();
		String server = database.url()
			.replaceAll("/[^/]*$", database.platform().equals("postgresql") ? "/postgres" : "/") + "?user="
				+ database.username() + "&password=" + database.password();
		TestDatabase created = TestDatabase.createOn(new TestDatabase(server, null, null, database.platform()));
		assertThat(created.url()).endsWith("&password=" + database.password());
		created.withUrlSuffix("?tcpKeepAlive=true").execute("create table t (id bigint)", "insert into t values (1)");
		created.drop();
		assertThatException().isThrownBy(() -> created.execute("select * from t"));
	}

	@Test
	void unsupportedUrlIsRejected() {
		TestDatabase server = new TestDatabase("jdbc:h2:mem:x", "sa", "", "h2");
		assertThatIllegalStateException().isThrownBy(() -> TestDatabase.createOn(server))
			.withMessageContaining("jdbc:mariadb://host:3306/?user=root")
			.withMessageNotContaining("mem:x");
	}

}
