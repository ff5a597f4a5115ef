package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.springframework.util.FileSystemUtils;

/**
 * A group of three MySQL servers (InnoDB Cluster without its shell). It is reachable only
 * from this machine. A router directs connections to the primary, as MySQL Router does.
 * Member 0 is the first primary.
 */
public final class MysqlGroup implements AutoCloseable {

	private static final int MEMBERS = 3;

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final String PARAMETERS = "?allowPublicKeyRetrieval=true&sslMode=DISABLED&connectTimeout=5000";

	private final Path directory;

	private final boolean singlePrimary;

	private final List<Member> members = new ArrayList<>();

	private final TestProxy router;

	private final Thread routerThread = new Thread(this::route, "test-router");

	private volatile int routedMember;

	private volatile boolean closed;

	/**
	 * Start a group.
	 * @param singlePrimary whether only one member accepts changes
	 * @param arguments additional arguments of all servers
	 */
	public MysqlGroup(boolean singlePrimary, String... arguments) {
		this.singlePrimary = singlePrimary;
		try {
			this.directory = Files.createTempDirectory("ids-group");
			String group = UUID.randomUUID().toString();
			List<Integer> groupPorts = IntStream.range(0, MEMBERS).mapToObj((i) -> ServerProcess.freePort()).toList();
			for (int groupPort : groupPorts) {
				Member member = new Member(this.members.size(), group, groupPort, groupPorts, arguments);
				this.members.add(member);
				member.start();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.members.forEach(Member::prepare);
		bootstrap(0);
		IntStream.range(1, MEMBERS).forEach((i) -> execute(i, "start group_replication"));
		Awaitility.await().atMost(TIMEOUT).until(() -> countOnline(0) == MEMBERS);
		this.router = new TestProxy("127.0.0.1", this.members.get(0).port);
		this.routerThread.setDaemon(true);
		this.routerThread.start();
	}

	/**
	 * Let a member start a new group.
	 */
	public void bootstrap(int member) {
		execute(member, "set global group_replication_bootstrap_group = on", "start group_replication",
				"set global group_replication_bootstrap_group = off");
	}

	private int countOnline(int member) throws SQLException {
		return Integer.parseInt(ask(member, "select count(*) from performance_schema.replication_group_members"
				+ " where member_state = 'ONLINE'"));
	}

	/**
	 * Direct connections to the primary, and cut those to the previous primary. In a
	 * group with several primaries, use the same member as long as it accepts changes.
	 */
	private void route() {
		while (!this.closed) {
			if (!isPrimary(this.routedMember)) {
				IntStream.range(0, MEMBERS).filter(this::isPrimary).findFirst().ifPresent(this::routeTo);
			}
			Thread.yield();
		}
	}

	private void routeTo(int member) {
		this.router.redirectTo(this.members.get(member).port);
		this.routedMember = member;
		this.router.cut();
	}

	private boolean isPrimary(int member) {
		try {
			return "1".equals(ask(member,
					"select count(*) from performance_schema.replication_group_members where member_id = @@server_uuid"
							+ " and member_role = 'PRIMARY' and member_state = 'ONLINE'"));
		}
		catch (SQLException ex) {
			return false;
		}
	}

	/**
	 * Create a database, and return it with the address of the router.
	 */
	public TestDatabase create(String database) {
		execute(this.routedMember, "create database " + database);
		return new TestDatabase(url(this.router.port(), database), "root", "", "mysql");
	}

	/**
	 * Return a database on one member.
	 */
	public TestDatabase on(String database, int member) {
		return new TestDatabase(url(this.members.get(member).port, database), "root", "", "mysql");
	}

	/**
	 * Return the member to which the router directs connections.
	 */
	public int primary() {
		return this.routedMember;
	}

	/**
	 * Make another member the primary in a planned switch-over. In a group with several
	 * primaries, this method only redirects the router to that member.
	 */
	public void changePrimary(int member) {
		if (this.singlePrimary) {
			String uuid = this.members.get(member).uuid();
			execute(this.routedMember, "select group_replication_set_as_primary('" + uuid + "')");
		}
		else {
			routeTo(member);
		}
	}

	/**
	 * Kill a member, so that it cannot notify the others.
	 */
	public void kill(int member) {
		this.members.get(member).process.kill();
	}

	/**
	 * Run statements on one member.
	 */
	public void execute(int member, String... sql) {
		try (Connection connection = this.members.get(member).connect();
				Statement statement = connection.createStatement()) {
			for (String each : sql) {
				statement.execute(each);
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(Arrays.toString(sql), ex);
		}
	}

	private String ask(int member, String sql) throws SQLException {
		return this.members.get(member).ask(sql);
	}

	private static String url(int port, String database) {
		return "jdbc:mysql://127.0.0.1:" + port + "/" + database + PARAMETERS;
	}

	@Override
	public void close() {
		this.closed = true;
		if (this.router != null) {
			this.router.close();
		}
		this.members.forEach((member) -> member.process.kill());
		try {
			this.routerThread.join();
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static List<String> mysqld(Path data, String... arguments) {
		List<String> command = new ArrayList<>(List.of(GivenServer.MYSQLD.location().split(" ")));
		command.add("--datadir=" + data);
		command.addAll(List.of(arguments));
		return command;
	}

	/**
	 * The data of a new server. Each member copies it, because initializing a server
	 * takes seconds.
	 */
	private static final class Template {

		static final Path DATA = initialize();

		private static Path initialize() {
			try {
				Path directory = Files.createTempDirectory("ids-mysql");
				Path data = directory.resolve("data");
				Path log = directory.resolve("log");
				Process process = new ProcessBuilder(mysqld(data, "--initialize-insecure")).redirectErrorStream(true)
					.redirectOutput(log.toFile())
					.start();
				if (process.onExit().join().exitValue() != 0) {
					throw new IllegalStateException(Files.readString(log));
				}
				// without this file, each server creates its own identity
				Files.delete(data.resolve("auto.cnf"));
				Runtime.getRuntime()
					.addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(directory.toFile())));
				return data;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

	private final class Member {

		private final int port = ServerProcess.freePort();

		private final List<String> command;

		private final Path log;

		private ServerProcess process;

		Member(int number, String group, int groupPort, List<Integer> groupPorts, String... moreArguments)
				throws IOException {
			Path data = MysqlGroup.this.directory.resolve("member" + number);
			this.log = MysqlGroup.this.directory.resolve("log" + number);
			FileSystemUtils.copyRecursively(Template.DATA, data);
			String seeds = groupPorts.stream().map((each) -> "127.0.0.1:" + each).collect(Collectors.joining(","));
			this.command = mysqld(data, "--port=" + this.port, "--bind-address=127.0.0.1", "--mysqlx=0",
					"--socket=" + data.resolve("socket"), "--pid-file=" + data.resolve("pid"),
					"--secure-file-priv=NULL", "--max-connections=300", "--server-id=" + (number + 1),
					"--log-bin=binary", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--report-host=127.0.0.1",
					"--report-port=" + this.port, "--plugin-load-add=group_replication.so",
					"--loose-group_replication_group_name=" + group, "--loose-group_replication_start_on_boot=OFF",
					"--loose-group_replication_local_address=127.0.0.1:" + groupPort,
					"--loose-group_replication_group_seeds=" + seeds,
					"--loose-group_replication_ip_allowlist=127.0.0.1",
					"--loose-group_replication_recovery_get_public_key=ON",
					"--loose-group_replication_single_primary_mode=" + (MysqlGroup.this.singlePrimary ? "ON" : "OFF"));
			this.command.addAll(List.of(moreArguments));
		}

		void start() {
			this.process = ServerProcess.start(this.log, this.command);
		}

		/**
		 * Create the user and the settings that a member needs for replication. These
		 * changes are not replicated, because each member makes them itself.
		 */
		void prepare() {
			this.process.await(() -> ServerProcess.isListening(this.port));
			MysqlGroup.this.execute(MysqlGroup.this.members.indexOf(this), "set sql_log_bin = 0",
					"create user replicator@'%' identified by ''",
					"grant replication slave, connection_admin, backup_admin, group_replication_stream on *.* to"
							+ " replicator@'%'",
					"set sql_log_bin = 1", "reset binary logs and gtids",
					"change replication source to source_user = 'replicator', source_password = ''"
							+ " for channel 'group_replication_recovery'");
		}

		Connection connect() throws SQLException {
			return DriverManager.getConnection(url(this.port, ""), "root", "");
		}

		String ask(String sql) throws SQLException {
			try (Connection connection = connect();
					Statement statement = connection.createStatement();
					ResultSet rows = statement.executeQuery(sql)) {
				rows.next();
				return rows.getString(1);
			}
		}

		String uuid() {
			try {
				return ask("select @@server_uuid");
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
