package dev.idspring.jdbc;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DatabaseAddressTests {

	@ParameterizedTest
	@CsvSource(delimiter = ' ', value = { "jdbc:postgresql://host:5432/db jdbc:postgresql://host:5432/db",
			"jdbc:postgresql://host/db?user=a&password=b jdbc:postgresql://host/db?***",
			"jdbc:mysql://a:b@host/db jdbc:mysql://***@host/db", "jdbc:mysql://a:b@c@host/db jdbc:mysql://***@host/db",
			"jdbc:mysql://a:b@host/db?c=d jdbc:mysql://***@host/db?***",
			"jdbc:mysql://(host=h,password=b)/db jdbc:mysql://(***", "jdbc:mysql://a:b?c@host/db jdbc:mysql://***",
			"jdbc:postgresql://host/db?user=a@b&password=c jdbc:postgresql://***",
			"jdbc:oracle:thin:a/b@host:1521:sid jdbc:oracle:thin:***@host:1521:sid",
			"jdbc:oracle:thin:@//host:1521/db jdbc:oracle:thin:@//host:1521/db",
			"jdbc:sqlserver://host;user=a;password={b;c} jdbc:sqlserver://host;***",
			"jdbc:db2://host:50000/db:user=a;password=b; jdbc:db2://host:50000/db:***",
			"jdbc:h2:mem:db;USER=a;PASSWORD=b jdbc:h2:mem:db;***", "a:b@host a:***@host" })
	void credentialsAreHidden(String url, String shown) {
		assertThat(DatabaseAddress.withoutCredentials(url)).isEqualTo(shown);
	}

}
