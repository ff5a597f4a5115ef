package dev.idspring.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between a driver and its database and counts round trips: how often the driver
 * sends something after it was answered.
 */
public final class CountingProxy implements AutoCloseable {

	private final TestDatabase database;

	private final URI target;

	private final ServerSocket server;

	private final AtomicLong trips = new AtomicLong();

	public CountingProxy(TestDatabase database) {
		this.database = database;
		this.target = URI.create(database.url().substring("jdbc:".length()));
		try {
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start(() -> {
			while (true) {
				connect(this.server.accept());
			}
		});
	}

	/**
	 * Return the database as it is reached through this proxy.
	 */
	public TestDatabase database() {
		String url = this.database.url()
			.replace("//" + this.target.getAuthority(), "//127.0.0.1:" + this.server.getLocalPort());
		return new TestDatabase(url, this.database.username(), this.database.password(), this.database.platform());
	}

	public long trips() {
		return this.trips.get();
	}

	private void connect(Socket client) throws IOException {
		Socket database = new Socket(this.target.getHost(), this.target.getPort());
		client.setTcpNoDelay(true);
		database.setTcpNoDelay(true);
		AtomicBoolean answered = new AtomicBoolean(true);
		start(() -> pass(client, database, () -> {
			if (answered.getAndSet(false)) {
				this.trips.incrementAndGet();
			}
		}));
		start(() -> pass(database, client, () -> answered.set(true)));
	}

	private static void pass(Socket from, Socket to, Runnable onBytes) throws IOException {
		try (from; to) {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			byte[] buffer = new byte[64 * 1024];
			for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
				onBytes.run();
				out.write(buffer, 0, count);
			}
		}
	}

	private static void start(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// the connection is over, as both ends will see
			}
		}, "counting-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private interface Task {

		void run() throws IOException;

	}

}
