package dev.idspring.jdbc;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:mariadb:sequential://a,b/db", "jdbc:mariadb:sequential://vip/db",
			"jdbc:mariadb:loadbalance://a:3306,b:3307/db?user=x", "jdbc:mariadb:replication://a,b,c/db",
			"jdbc:mariadb:load-balance-read://a,b/db", "jdbc:mariadb://a,b/db",
			"jdbc:mariadb://address=(host=a)(port=3306)(type=primary),address=(host=b)(type=replica)/db",
			"jdbc:mysql://a:3306,b/db", "jdbc:mysql:loadbalance://a,b/db", "jdbc:mysql:replication://a,b/db",
			"jdbc:mysql+srv://cluster/db", "jdbc:mysql+srv:loadbalance://cluster/db",
			"jdbc:mysql://(host=a,port=1),(host=b,port=2)/db", "jdbc:mysql://user:secret@[a:1,b:2]/db",
			"jdbc:mysql://address=(host=a)(port=1),address=(host=b)(port=2)/db", "jdbc:postgresql://a,b/db",
			"jdbc:postgresql://a:5432,b:5433/db?targetServerType=primary", "jdbc:postgresql://a,b",
			"jdbc:postgresql://[::1]:5432,[::2]:5432/db", "jdbc:postgresql://a,b?user=x" })
	void identifiesUrlsWithSeveralHosts(String url) {
		assertThat(DatabaseAddress.hasSeveralHosts(url)).isTrue();
		assertThat(DatabaseAddress.timeout(url, Duration.ofSeconds(6))).hasSeconds(30);
		assertThat(DatabaseAddress.timeout(url, Duration.ofSeconds(31))).hasSeconds(31);
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:mariadb://a/db", "jdbc:mariadb://a/db?sessionVariables=x=1,y=2",
			"jdbc:mariadb://address=(host=a)(port=3306)/db", "jdbc:mysql://a:3306/db",
			"jdbc:mysql://(host=a,port=3306)/db", "jdbc:mysql://[::1]:3306/db?x=a,b",
			"jdbc:postgresql://a/db?options=a,b", "jdbc:postgresql://[::1]/db", "jdbc:postgresql:db",
			"jdbc:postgresql:///db", "jdbc:postgresql://a?x=b,c", "jdbc:h2:mem:a,b", "jdbc:sqlite:a,b",
			"jdbc:mariadb://sequential:3306/replication" })
	void identifiesUrlsWithoutSeveralHosts(String url) {
		assertThat(DatabaseAddress.hasSeveralHosts(url)).isFalse();
		assertThat(DatabaseAddress.timeout(url, Duration.ofSeconds(6))).hasSeconds(6);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ' ', value = { "jdbc:postgresql://host:5432/db?user=a host:5432",
			"jdbc:postgresql://host/db host", "jdbc:postgresql://a:5432,b:5433/db a:5432,b:5433",
			"jdbc:postgresql://[::1]:5432/db [::1]:5432", "jdbc:mysql://a:b@host:3306/db host:3306",
			"jdbc:mariadb:sequential://a:3306,b/db a:3306,b", "jdbc:oracle:thin:@//host:1521/db host:1521",
			"jdbc:oracle:thin:a/b@host:1521:sid host:1521", "jdbc:sqlserver://host:1433;user=a;password=b host:1433",
			"jdbc:db2://host:50000/db:user=a;password=b; host:50000", "jdbc:h2:tcp://host:9092/x;USER=a host:9092" })
	void extractsTheServerFromTheUrl(String url, String server) {
		assertThat(DatabaseAddress.server(url)).contains(server);
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:h2:mem:db;PASSWORD=host:1", "jdbc:h2:file:./data/links", "jdbc:postgresql:db",
			"jdbc:postgresql:///db", "jdbc:mysql://(host=h,password=b)/db", "jdbc:mysql://a:b?c@host/db",
			"jdbc:postgresql://host/db?user=a@b&password=c", "jdbc:tc:postgresql:///db", "a:b@host" })
	void findsNoServerIfTheUrlNamesNoneOrIsAmbiguous(String url) {
		assertThat(DatabaseAddress.server(url)).isEmpty();
	}

}
