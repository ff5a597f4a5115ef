package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.springframework.util.FileSystemUtils;

/**
 * A Galera cluster of three MariaDB servers, all of which accept writes. It is reachable
 * only from this machine.
 */
public final class GaleraCluster implements AutoCloseable {

	private static final int NODES = 3;

	/** State transfers do not work as root; Debian's package creates another user. */
	private static final String USER = System.getProperty("user.name").replaceFirst("^root$", "mysql");

	private final Path directory;

	private final List<Node> nodes = new ArrayList<>();

	/**
	 * Start a cluster.
	 * @param arguments additional arguments of all servers
	 */
	public GaleraCluster(String... arguments) {
		try {
			this.directory = Files.createTempDirectory("ids-galera");
			Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwxr-xr-x"));
			List<Integer> groupPorts = IntStream.range(0, NODES).mapToObj((i) -> ServerProcess.freePort()).toList();
			String group = groupPorts.stream().map((port) -> "127.0.0.1:" + port).collect(Collectors.joining(","));
			for (int groupPort : groupPorts) {
				Node node = new Node(this.directory.resolve("node" + this.nodes.size()), groupPort);
				this.nodes.add(node);
				node.start(group, this.nodes.size(), List.of(arguments));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public void create(String database) {
		on("", 0).execute("create database " + database);
	}

	/**
	 * Return a database on one node.
	 */
	public TestDatabase on(String database, int node) {
		return new TestDatabase(this.nodes.get(node % NODES).url(database), "root", "", "mariadb");
	}

	/**
	 * Return a database whose driver connects to the given node, or to the next one if
	 * that node is down.
	 */
	public TestDatabase startingAt(String database, int node) {
		String hosts = IntStream.range(0, NODES)
			.mapToObj((i) -> "127.0.0.1:" + this.nodes.get((node + i) % NODES).port)
			.collect(Collectors.joining(","));
		return new TestDatabase("jdbc:mariadb:sequential://" + hosts + "/" + database, "root", "", "mariadb");
	}

	/**
	 * Return a database on the first and the second node.
	 * @param mode how MariaDB's driver chooses between them
	 */
	public TestDatabase onTwo(String mode, String database) {
		return new TestDatabase("jdbc:mariadb:" + mode + "://127.0.0.1:" + this.nodes.get(0).port + ",127.0.0.1:"
				+ this.nodes.get(1).port + "/" + database, "root", "", "mariadb");
	}

	/**
	 * Freeze a node. The kernel still accepts connections and data, but the node does not
	 * answer.
	 */
	public void freeze(int node) {
		this.nodes.get(node).process.signal("STOP");
	}

	/**
	 * Let a node continue.
	 */
	public void thaw(int node) {
		this.nodes.get(node).process.signal("CONT");
	}

	/**
	 * Wait until a node belongs to a cluster of the given size that has a quorum.
	 */
	public void awaitSize(int node, int size) {
		Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> this.nodes.get(node).belongsToClusterOf(size));
	}

	/**
	 * Kill a node, so that it cannot notify the others.
	 */
	public void kill(int node) {
		this.nodes.get(node).process.kill();
	}

	@Override
	public void close() {
		// the nodes are killed, because a node that stops normally would wait for another
		// one
		this.nodes.forEach((node) -> node.process.kill());
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static final class Node {

		private final Path data;

		private final int port = ServerProcess.freePort();

		private final int groupPort;

		private ServerProcess process;

		Node(Path data, int groupPort) {
			this.data = data;
			this.groupPort = groupPort;
		}

		void start(String group, int size, List<String> arguments) throws IOException {
			Path log = this.data.resolveSibling(this.data.getFileName() + ".log");
			install(log);
			List<String> command = new ArrayList<>(List.of("mariadbd", "--no-defaults", "--user=" + USER,
					"--datadir=" + this.data, "--port=" + this.port, "--bind-address=127.0.0.1",
					"--socket=" + this.data.resolve("socket"), "--pid-file=" + this.data.resolve("pid"), "--skip-ssl",
					"--max-connections=300", "--binlog-format=ROW", "--innodb-autoinc-lock-mode=2", "--wsrep-on=ON",
					"--wsrep-provider=" + GivenServer.GALERA.location(), "--wsrep-cluster-name=ids",
					"--wsrep-node-name=node" + size, "--wsrep-node-address=127.0.0.1", "--wsrep-sst-method=rsync",
					"--wsrep-sst-receive-address=127.0.0.1:" + ServerProcess.freePort(),
					"--wsrep-cluster-address=gcomm://" + ((size == 1) ? "" : group),
					"--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:" + this.groupPort
							+ ";ist.recv_addr=127.0.0.1:" + ServerProcess.freePort()));
			command.addAll(arguments);
			this.process = ServerProcess.start(log, command).await(() -> belongsToClusterOf(size));
		}

		private void install(Path log) throws IOException {
			Process install = new ProcessBuilder("mariadb-install-db", "--no-defaults", "--user=" + USER,
					"--datadir=" + this.data, "--auth-root-authentication-method=normal", "--skip-test-db")
				.redirectErrorStream(true)
				.redirectOutput(log.toFile())
				.start();
			install.onExit().join();
			if (install.exitValue() != 0) {
				throw new IllegalStateException(Files.readString(log));
			}
		}

		private boolean belongsToClusterOf(int size) {
			try (Connection connection = DriverManager.getConnection(url(""), "root", "");
					Statement statement = connection.createStatement();
					ResultSet rows = statement
						.executeQuery("select count(*) from information_schema.global_status where"
								+ " variable_name = 'wsrep_ready' and variable_value = 'ON'"
								+ " or variable_name = 'wsrep_cluster_size' and variable_value = '" + size + "'")) {
				rows.next();
				return rows.getInt(1) == 2;
			}
			catch (SQLException ex) {
				return false;
			}
		}

		String url(String database) {
			return "jdbc:mariadb://127.0.0.1:" + this.port + "/" + database;
		}

	}

}
