package dev.idspring.benchmarks.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A proxy that simulates a slow network between a client and its database. It delays the
 * client's requests, and forwards the responses immediately. Statements that a driver
 * sends together are delayed only once, as in a real network. The proxy also counts round
 * trips. A new round trip begins when a client sends its first data, or the first data
 * after a response.
 */
final class DelayingProxy implements AutoCloseable {

	private final ServerSocket server;

	private final InetSocketAddress target;

	private final long delay;

	private final AtomicLong roundTrips = new AtomicLong();

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	/**
	 * Start a proxy.
	 * @param target the address of the database
	 * @param delay the delay of the client's requests
	 */
	DelayingProxy(InetSocketAddress target, Duration delay) {
		try {
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.target = target;
		this.delay = delay.toNanos();
		start("accept", this::accept);
	}

	int port() {
		return this.server.getLocalPort();
	}

	long roundTrips() {
		return this.roundTrips.get();
	}

	private void accept() throws Exception {
		while (true) {
			Socket client = this.server.accept();
			start("connect", () -> connect(client));
		}
	}

	private void connect(Socket client) throws Exception {
		parkUntil(System.nanoTime() + this.delay);
		this.sockets.add(client);
		Socket database = new Socket();
		this.sockets.add(database);
		database.connect(this.target);
		client.setTcpNoDelay(true);
		database.setTcpNoDelay(true);
		BlockingQueue<Parcel> delayed = new LinkedBlockingQueue<>();
		AtomicBoolean answeredSinceRequest = new AtomicBoolean(true);
		start("request", () -> readRequests(client, delayed, answeredSinceRequest));
		start("deliver", () -> deliverRequests(delayed, database));
		forwardResponses(database, client, answeredSinceRequest);
	}

	private void readRequests(Socket client, BlockingQueue<Parcel> delayed, AtomicBoolean answeredSinceRequest)
			throws Exception {
		try {
			InputStream in = client.getInputStream();
			byte[] buffer = new byte[64 * 1024];
			int count;
			while ((count = in.read(buffer)) >= 0) {
				if (answeredSinceRequest.getAndSet(false)) {
					this.roundTrips.incrementAndGet();
				}
				delayed.put(new Parcel(System.nanoTime() + this.delay, Arrays.copyOf(buffer, count)));
			}
		}
		finally {
			delayed.put(new Parcel(System.nanoTime(), new byte[0]));
		}
	}

	private void deliverRequests(BlockingQueue<Parcel> delayed, Socket database) throws Exception {
		try (database) {
			OutputStream out = database.getOutputStream();
			Parcel parcel;
			while ((parcel = delayed.take()).content().length > 0) {
				parkUntil(parcel.due());
				out.write(parcel.content());
			}
		}
		finally {
			this.sockets.remove(database);
		}
	}

	private void forwardResponses(Socket database, Socket client, AtomicBoolean answeredSinceRequest) throws Exception {
		try (client) {
			InputStream in = database.getInputStream();
			OutputStream out = client.getOutputStream();
			byte[] buffer = new byte[64 * 1024];
			int count;
			while ((count = in.read(buffer)) >= 0) {
				answeredSinceRequest.set(true);
				out.write(buffer, 0, count);
			}
		}
		finally {
			this.sockets.remove(client);
		}
	}

	/**
	 * Wait until a time. This is more precise than {@code Thread.sleep}.
	 */
	private static void parkUntil(long due) {
		for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	private static void start(String name, Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (Exception ex) {
				// the connection is closed, which both ends will detect
			}
		}, "proxy-" + name);
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		try {
			this.server.close();
			for (Socket socket : this.sockets) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private interface Task {

		void run() throws Exception;

	}

	/**
	 * Bytes of a client's request that are delayed.
	 *
	 * @param due the time at which they are delivered
	 * @param content the bytes, empty at the end of the stream
	 */
	private record Parcel(long due, byte[] content) {

	}

}
