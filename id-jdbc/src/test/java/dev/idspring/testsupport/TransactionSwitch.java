package dev.idspring.testsupport;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A connection pooler in front of PostgreSQL. The pooler opens two sessions for each
 * client, and switches to the other session after each transaction. It does not know in
 * which of the sessions the client has prepared a statement.
 */
public final class TransactionSwitch implements AutoCloseable {

	private static final int IDLE = 'I';

	private final TestDatabase database;

	private final URI target;

	private final ServerSocket server;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private volatile boolean switching = true;

	public TransactionSwitch(TestDatabase database) {
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
				Socket client = this.server.accept();
				this.sockets.add(client);
				start(() -> serve(client));
			}
		});
	}

	/**
	 * Return the database with the address of the pooler.
	 */
	public TestDatabase database() {
		String url = this.database.url()
			.replace("//" + this.target.getAuthority(), "//127.0.0.1:" + this.server.getLocalPort());
		return new TestDatabase(url + (url.contains("?") ? "&" : "?") + "sslmode=disable", this.database.username(),
				this.database.password(), this.database.platform());
	}

	/**
	 * Set whether the session changes after each transaction.
	 */
	public void switchSessions(boolean switching) {
		this.switching = switching;
	}

	private void serve(Socket client) throws IOException {
		try (client) {
			client.setTcpNoDelay(true);
			DataInputStream in = new DataInputStream(client.getInputStream());
			OutputStream out = client.getOutputStream();
			byte[] startup = new byte[in.readInt() - Integer.BYTES];
			in.readFully(startup);
			try (Session first = new Session(startup); Session second = new Session(startup)) {
				second.answer(out);
				first.answer(OutputStream.nullOutputStream());
				Session current = first;
				while (true) {
					int status = current.forward(in, out);
					if (status == IDLE && this.switching) {
						current = (current == first) ? second : first;
					}
				}
			}
		}
		finally {
			this.sockets.remove(client);
		}
	}

	private static void start(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// the connection or the pooler has been closed
			}
		}, "transaction-switch");
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

		void run() throws IOException;

	}

	/**
	 * A session of the server.
	 */
	private final class Session implements AutoCloseable {

		private final Socket socket;

		private final DataInputStream in;

		private final OutputStream out;

		Session(byte[] startup) throws IOException {
			this.socket = new Socket(TransactionSwitch.this.target.getHost(), TransactionSwitch.this.target.getPort());
			this.socket.setTcpNoDelay(true);
			this.in = new DataInputStream(this.socket.getInputStream());
			this.out = this.socket.getOutputStream();
			this.out.write(ByteBuffer.allocate(Integer.BYTES).putInt(startup.length + Integer.BYTES).array());
			this.out.write(startup);
		}

		/**
		 * Forward messages of the client up to the first one that requires an answer, and
		 * forward the answer.
		 * @return the transaction status of the session
		 */
		int forward(DataInputStream client, OutputStream answer) throws IOException {
			byte[] message;
			do {
				message = read(client);
				this.out.write(message);
			}
			while (message[0] != 'S' && message[0] != 'Q');
			return answer(answer);
		}

		/**
		 * Forward an answer. The server requires no password.
		 * @return the transaction status of the session
		 */
		int answer(OutputStream client) throws IOException {
			byte[] message;
			do {
				message = read(this.in);
				if (message[0] == 'K') {
					// like a real pooler, send a process id that no session has
					ByteBuffer.wrap(message).putInt(1 + Integer.BYTES, 1);
				}
				client.write(message);
			}
			while (message[0] != 'Z');
			return message[message.length - 1];
		}

		@Override
		public void close() throws IOException {
			this.socket.close();
		}

		private static byte[] read(DataInputStream from) throws IOException {
			byte type = from.readByte();
			int length = from.readInt();
			ByteBuffer message = ByteBuffer.allocate(length + 1).put(type).putInt(length);
			from.readFully(message.array(), 1 + Integer.BYTES, length - Integer.BYTES);
			return message.array();
		}

	}

}
