package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.springframework.util.FileSystemUtils;

/**
 * Three PostgreSQL servers that replicate asynchronously, a Patroni process for each of
 * them, and an etcd server through which the Patroni processes agree on a leader. All
 * these servers and processes are reachable only from this machine. The leader's lock in
 * etcd expires twenty seconds after its last renewal.
 */
public final class PatroniCluster implements AutoCloseable {

	/** Where Debian installs PostgreSQL. */
	private static final String PROGRAMS = "/usr/lib/postgresql/15/bin";

	private static final int NODES = 3;

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);

	/** PostgreSQL refuses to run as root. Debian's package creates the user postgres. */
	private static final String USER = System.getProperty("user.name").replaceFirst("^root$", "postgres");

	private final HttpClient http = HttpClient.newHttpClient();

	private final int etcdPort = ServerProcess.freePort();

	private final List<Node> nodes = new ArrayList<>();

	private final String command;

	private final Path directory;

	private final ServerProcess etcd;

	/**
	 * Start a cluster.
	 * @param command the command that runs Patroni
	 */
	public PatroniCluster(String command) {
		this.command = command;
		try {
			this.directory = Files.createTempDirectory("ids-patroni");
			Files.setOwner(this.directory,
					this.directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER));
			String clients = "http://127.0.0.1:" + this.etcdPort;
			String peers = "http://127.0.0.1:" + ServerProcess.freePort();
			this.etcd = start("etcd", "etcd", "--data-dir=" + this.directory.resolve("etcd"),
					"--listen-client-urls=" + clients, "--advertise-client-urls=" + clients,
					"--listen-peer-urls=" + peers, "--initial-advertise-peer-urls=" + peers,
					"--initial-cluster=default=" + peers)
				.await(() -> ServerProcess.isListening(this.etcdPort));
			Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
			for (int i = 0; i < NODES; i++) {
				this.nodes.add(new Node("node" + i));
			}
			this.nodes.forEach(Node::start);
			awaitReplicas();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private ServerProcess start(String name, String... command) {
		// env and setpriv replace themselves with the command that follows them, so
		// signals to the process reach the last command
		Stream<String> asUser = USER.equals(System.getProperty("user.name")) ? Stream.empty()
				: Stream.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups");
		return ServerProcess.start(this.directory.resolve(name + ".log"),
				Stream.of(Stream.of("env", "--chdir=" + this.directory), asUser, Stream.of(command))
					.flatMap((words) -> words)
					.toList());
	}

	/**
	 * Create a database.
	 */
	public void create(String database) {
		on("postgres", leader()).execute("create database " + database);
	}

	/**
	 * Return a database on one server.
	 */
	private TestDatabase on(String database, int node) {
		return new TestDatabase("jdbc:postgresql://" + this.nodes.get(node).address() + "/" + database
				+ "?connectTimeout=2&loginTimeout=5", "postgres", "", "postgresql");
	}

	/**
	 * Return a database whose driver connects to the first server that accepts writes.
	 * @param node the server to try first
	 */
	public TestDatabase startingAt(String database, int node) {
		String hosts = IntStream.range(0, NODES)
			.mapToObj((i) -> this.nodes.get((node + i) % NODES).address())
			.collect(Collectors.joining(","));
		return new TestDatabase(
				"jdbc:postgresql://" + hosts + "/" + database
						+ "?targetServerType=primary&hostRecheckSeconds=0&connectTimeout=2&loginTimeout=5",
				"postgres", "", "postgresql");
	}

	/**
	 * Return the version of Patroni.
	 */
	public String version() {
		return ask(request(0, "/patroni").GET()).replaceFirst("(?s).*\"version\": \"([0-9.]+)\".*", "$1");
	}

	/**
	 * Return the server that holds the lock.
	 */
	public int leader() {
		return leaders().findFirst().orElseThrow();
	}

	private IntStream leaders() {
		return IntStream.range(0, NODES)
			.filter((i) -> ask(request(i, "/primary").GET().timeout(ANSWER_TIMEOUT)).startsWith("200"));
	}

	/**
	 * Wait until another server holds the lock and accepts writes.
	 */
	public void awaitLeaderOtherThan(int oldLeader) {
		Awaitility.await()
			.atMost(TIMEOUT)
			.until(() -> leaders().anyMatch((i) -> i != oldLeader && isTrue(i, "not pg_is_in_recovery()")));
	}

	/**
	 * Wait until all other servers follow the leader.
	 */
	public void awaitReplicas() {
		String replicas = "(select count(*) from pg_stat_replication where state = 'streaming')";
		Awaitility.await()
			.atMost(TIMEOUT)
			.until(() -> leaders().anyMatch((i) -> isTrue(i, replicas + " = " + (NODES - 1))));
	}

	private boolean isTrue(int node, String condition) {
		TestDatabase database = on("postgres", node);
		try (Connection connection = DriverManager.getConnection(database.url(), database.username(),
				database.password());
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("select " + condition)) {
			return rows.next() && rows.getBoolean(1);
		}
		catch (SQLException ex) {
			return false;
		}
	}

	/**
	 * Close the connections that an application has to one server.
	 * @param application its {@code ApplicationName}
	 */
	public void disconnect(int node, String application) {
		on("postgres", node).execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = '"
				+ application + "'");
	}

	/**
	 * Make another server the leader in a planned switch-over.
	 */
	public void switchOver() {
		int leader = leader();
		String answer = ask(request(leader, "/switchover")
			.POST(HttpRequest.BodyPublishers.ofString("{\"leader\":\"node" + leader + "\"}"))
			.timeout(TIMEOUT));
		if (!answer.startsWith("200")) {
			throw new IllegalStateException(answer);
		}
	}

	private HttpRequest.Builder request(int node, String path) {
		return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.nodes.get(node).restPort + path));
	}

	private String ask(HttpRequest.Builder request) {
		try {
			HttpResponse<String> answer = this.http.send(request.build(), HttpResponse.BodyHandlers.ofString());
			return answer.statusCode() + " " + answer.body();
		}
		catch (IOException ex) {
			return ex.toString();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Kill a server and its Patroni, so that they cannot notify the others.
	 */
	public void kill(int node) {
		this.nodes.get(node).kill();
	}

	/**
	 * Start a server that was killed, and its Patroni.
	 */
	public void restart(int node) {
		this.nodes.get(node).start();
	}

	/**
	 * Freeze the Patroni of a server. The server itself continues to run.
	 */
	public void freeze(int node) {
		this.nodes.get(node).patroni.signal("STOP");
	}

	/**
	 * Let a Patroni continue.
	 */
	public void thaw(int node) {
		this.nodes.get(node).patroni.signal("CONT");
	}

	private void kill() {
		this.nodes.forEach(Node::kill);
		this.etcd.kill();
	}

	@Override
	public void close() {
		kill();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private final class Node {

		private final int restPort = ServerProcess.freePort();

		private final int port = ServerProcess.freePort();

		private final String name;

		private final Path data;

		private final Path settings;

		private ServerProcess patroni;

		Node(String name) throws IOException {
			this.name = name;
			this.data = PatroniCluster.this.directory.resolve(name);
			this.settings = Files.writeString(PatroniCluster.this.directory.resolve(name + ".yml"), """
					scope: ids
					name: %s
					restapi: { listen: '127.0.0.1:%d', connect_address: '127.0.0.1:%2$d' }
					etcd3: { host: '127.0.0.1:%d' }
					bootstrap:
					  dcs: { ttl: 20, loop_wait: 2, retry_timeout: 9, postgresql: { use_pg_rewind: true } }
					  initdb: [ encoding: UTF8, data-checksums ]
					postgresql:
					  listen: 127.0.0.1:%d
					  connect_address: 127.0.0.1:%4$d
					  bin_dir: %s
					  data_dir: %s
					  pgpass: %6$s.pgpass
					  parameters: { unix_socket_directories: '' }
					  pg_hba: [ host all all 127.0.0.1/32 trust, host replication all 127.0.0.1/32 trust ]
					  authentication: { superuser: { username: postgres }, replication: { username: replicator } }
					  basebackup: { checkpoint: fast }
					""".formatted(name, this.restPort, PatroniCluster.this.etcdPort, this.port, PROGRAMS, this.data));
		}

		void start() {
			this.patroni = PatroniCluster.this.start(this.name,
					(PatroniCluster.this.command + " " + this.settings).split(" "));
		}

		/**
		 * Kill all processes. Kill Patroni first, because it would otherwise start the
		 * server again.
		 */
		void kill() {
			if (this.patroni != null) {
				this.patroni.kill();
			}
			Path file = this.data.resolve("postmaster.pid");
			try {
				long pid = Long.parseLong(Files.readAllLines(file).get(0).trim());
				ProcessHandle.of(pid).ifPresent((server) -> {
					List<ProcessHandle> processes = Stream.concat(Stream.of(server), server.descendants()).toList();
					processes.forEach((process) -> Signals.send("KILL", process));
					processes.forEach((process) -> process.onExit().join());
				});
				// otherwise a later process with this process id could be killed
				Files.delete(file);
			}
			catch (IOException ex) {
				// the server is not running
			}
		}

		String address() {
			return "127.0.0.1:" + this.port;
		}

	}

}
