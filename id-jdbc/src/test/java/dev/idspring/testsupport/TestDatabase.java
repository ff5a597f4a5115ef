package dev.idspring.testsupport;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;

/**
 * The address and the user of a database, on a real server or in this JVM.
 *
 * @param url the JDBC URL
 * @param username the name of a user with all privileges
 * @param password the password, which may be empty
 * @param platform the name of the platform, as in the names of its scripts
 */
public record TestDatabase(String url, String username, String password, String platform) {

	private static final Pattern ADDRESS = Pattern
		.compile("(?<server>jdbc:[a-z]+://[^/?]+/)(?<name>[^/?]*)(?<parameters>\\?.*)?");

	/**
	 * The kinds of databases on which the stores are tested.
	 */
	public enum Kind {

		H2(TestDatabase::h2), H2_FILE(TestDatabase::h2File), HSQLDB(TestDatabase::hsqldb), DERBY(TestDatabase::derby),
		SQLITE(TestDatabase::sqlite), POSTGRESQL(TestDatabase::postgresql), MARIADB(TestDatabase::mariadb),
		MYSQL_DRIVER(TestDatabase::mysql);

		private final Supplier<TestDatabase> factory;

		Kind(Supplier<TestDatabase> factory) {
			this.factory = factory;
		}

		public TestDatabase create() {
			return this.factory.get();
		}

		/**
		 * Return whether the database runs on a server, not in this JVM.
		 */
		public boolean isServer() {
			return this == POSTGRESQL || this == MARIADB || this == MYSQL_DRIVER;
		}

	}

	public static TestDatabase h2() {
		return new TestDatabase("jdbc:h2:mem:" + uniqueName() + ";DB_CLOSE_DELAY=-1", "sa", "", "h2");
	}

	public static TestDatabase h2File() {
		return new TestDatabase("jdbc:h2:file:" + newDirectory().resolve("db") + ";DB_CLOSE_ON_EXIT=FALSE", "sa", "",
				"h2");
	}

	public static TestDatabase hsqldb() {
		return new TestDatabase("jdbc:hsqldb:mem:" + uniqueName(), "sa", "", "hsqldb");
	}

	public static TestDatabase hsqldbFile() {
		return new TestDatabase("jdbc:hsqldb:file:" + newDirectory().resolve("db") + ";hsqldb.lock_file=false", "sa",
				"", "hsqldb");
	}

	public static TestDatabase derby() {
		return new TestDatabase("jdbc:derby:memory:" + uniqueName() + ";create=true", "", "", "derby");
	}

	public static TestDatabase derbyFile() {
		return new TestDatabase("jdbc:derby:" + newDirectory().resolve("db") + ";create=true", "", "", "derby");
	}

	public static TestDatabase sqlite() {
		return new TestDatabase("jdbc:sqlite:" + newDirectory().resolve("db.sqlite"), "", "", "sqlite");
	}

	public static TestDatabase postgresql() {
		return createOn(TestServers.postgresql());
	}

	public static TestDatabase mariadb() {
		return createOn(TestServers.mariadb());
	}

	/**
	 * Return a database for MySQL's driver and script: on the MySQL server that the
	 * environment provides, or otherwise on MariaDB.
	 */
	public static TestDatabase mysql() {
		return GivenServer.MYSQL.isGiven() ? createOn(TestServers.mysql()) : mysqlDriverOnMariadb();
	}

	private static TestDatabase mysqlDriverOnMariadb() {
		TestDatabase mariadb = mariadb();
		return new TestDatabase(mariadb.url.replace("jdbc:mariadb:", "jdbc:mysql:"), mariadb.username, mariadb.password,
				"mysql")
			.withUrlSuffix("?allowPublicKeyRetrieval=true");
	}

	/**
	 * Create a database on a server.
	 */
	public static TestDatabase createOn(TestDatabase server) {
		TestDatabase created = server.withName(uniqueName());
		server.execute("create database " + created.name());
		return created;
	}

	/**
	 * Drop the database, even if clients are connected.
	 */
	public void drop() {
		boolean postgresql = this.platform.equals("postgresql");
		withName(postgresql ? "postgres" : "").execute("drop database " + name() + (postgresql ? " with (force)" : ""));
	}

	private String name() {
		return address().group("name");
	}

	private TestDatabase withName(String name) {
		Matcher address = address();
		String parameters = Objects.requireNonNullElse(address.group("parameters"), "");
		return new TestDatabase(address.group("server") + name + parameters, this.username, this.password,
				this.platform);
	}

	private Matcher address() {
		Matcher address = ADDRESS.matcher(this.url);
		if (!address.matches()) {
			throw new IllegalStateException("A server URL must have the form jdbc:mariadb://host:3306/?user=root");
		}
		return address;
	}

	/**
	 * Append a suffix to the URL. Parameters begin with a question mark.
	 */
	public TestDatabase withUrlSuffix(String suffix) {
		boolean appendsParameters = suffix.startsWith("?") && this.url.contains("?");
		return new TestDatabase(this.url + (appendsParameters ? "&" + suffix.substring(1) : suffix), this.username,
				this.password, this.platform);
	}

	/**
	 * Make new text columns of MariaDB and MySQL distinguish between upper and lower
	 * case.
	 */
	public TestDatabase withBinaryCollation() {
		execute("alter database character set utf8mb4 collate utf8mb4_bin");
		return this;
	}

	/**
	 * Return a connection pool like that of an application.
	 */
	public HikariDataSource pool(int size) {
		HikariDataSource dataSource = new HikariDataSource();
		dataSource.setJdbcUrl(this.url);
		dataSource.setUsername(this.username);
		dataSource.setPassword(this.password);
		dataSource.setMaximumPoolSize(size);
		dataSource.setMinimumIdle(0);
		dataSource.setConnectionTimeout(10_000);
		return dataSource;
	}

	public void execute(String... sql) {
		try (HikariDataSource dataSource = pool(1)) {
			execute(dataSource, sql);
		}
	}

	public static void execute(DataSource dataSource, String... sql) {
		try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
			for (String statementText : sql) {
				statement.execute(statementText);
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String uniqueName() {
		return "t" + UUID.randomUUID().toString().replace("-", "").substring(0, 16);
	}

	private static Path newDirectory() {
		try {
			Path target = Files.createDirectories(Path.of("target", "databases"));
			return Files.createTempDirectory(target.toAbsolutePath(), "db");
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
