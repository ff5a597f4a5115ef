package dev.idspring.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A proxy between a client and its server. It counts round trips. A round trip begins
 * when the client sends data for the first time or after an answer. The proxy can close
 * connections, delay or redirect new ones, and discard data.
 */
public class TestProxy implements AutoCloseable {

	private final ServerSocket server;

	private final Set<Link> links = ConcurrentHashMap.newKeySet();

	private final AtomicLong trips = new AtomicLong();

	private final AtomicReference<String> unansweredWords = new AtomicReference<>();

	private volatile InetSocketAddress target;

	private volatile CountDownLatch gate = new CountDownLatch(0);

	public TestProxy(String host, int port) {
		this.target = new InetSocketAddress(host, port);
		try {
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start(() -> {
			while (true) {
				Socket client = this.server.accept();
				this.gate.await();
				connect(client);
			}
		});
	}

	public int port() {
		return this.server.getLocalPort();
	}

	public long trips() {
		return this.trips.get();
	}

	/**
	 * Redirect new connections to another port.
	 */
	public void redirectTo(int port) {
		this.target = new InetSocketAddress(this.target.getHostString(), port);
	}

	/**
	 * Make new connections wait until {@link #admit()} is called.
	 */
	public void hold() {
		this.gate = new CountDownLatch(1);
	}

	/**
	 * Connect the waiting clients to the server.
	 */
	public void admit() {
		this.gate.countDown();
	}

	/**
	 * Close all connections.
	 */
	public void cut() {
		this.links.forEach(Link::close);
	}

	/**
	 * From now on, discard all data of the present connections, but leave the connections
	 * open.
	 */
	public void silence() {
		this.links.forEach((link) -> link.silent = true);
	}

	/**
	 * When a client next sends data with the given words, forward the data, but discard
	 * the answer and all later answers on this connection.
	 */
	public void loseAnswerTo(String words) {
		this.unansweredWords.set(words);
	}

	private void connect(Socket client) throws IOException {
		Socket server = new Socket();
		Link link = new Link(client, server);
		// the link is added before it connects, so that cut() also closes it
		this.links.add(link);
		if (this.server.isClosed()) {
			// close() may not have seen the link
			link.close();
			return;
		}
		try {
			server.connect(this.target);
			client.setTcpNoDelay(true);
			server.setTcpNoDelay(true);
		}
		catch (IOException ex) {
			this.links.remove(link);
			link.close();
			return;
		}
		AtomicBoolean answered = new AtomicBoolean(true);
		start(() -> pass(link, client, server, () -> {
			if (answered.getAndSet(false)) {
				this.trips.incrementAndGet();
			}
		}));
		start(() -> pass(link, server, client, () -> answered.set(true)));
	}

	private void pass(Link link, Socket from, Socket to, Runnable onBytes) throws IOException {
		try {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			byte[] buffer = new byte[64 * 1024];
			for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
				onBytes.run();
				String words = this.unansweredWords.get();
				if (from == link.client && words != null
						&& new String(buffer, 0, count, StandardCharsets.ISO_8859_1).contains(words)
						&& this.unansweredWords.compareAndSet(words, null)) {
					link.answersLost = true;
				}
				if (!link.silent && !(link.answersLost && from == link.server)) {
					out.write(buffer, 0, count);
				}
			}
		}
		finally {
			this.links.remove(link);
			link.close();
		}
	}

	private static void start(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException | InterruptedException ex) {
				// the connection or the proxy has been closed
			}
		}, "test-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Refuse new connections and close the present ones.
	 */
	@Override
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		admit();
		cut();
	}

	private interface Task {

		void run() throws IOException, InterruptedException;

	}

	/**
	 * The two sockets of a client's connection: one to the client and one to the server.
	 */
	private static final class Link {

		private final Socket client;

		private final Socket server;

		private volatile boolean silent;

		private volatile boolean answersLost;

		Link(Socket client, Socket server) {
			this.client = client;
			this.server = server;
		}

		void close() {
			try {
				this.client.close();
				this.server.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
