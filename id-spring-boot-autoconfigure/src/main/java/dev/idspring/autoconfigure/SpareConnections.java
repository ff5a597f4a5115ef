package dev.idspring.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Requests idle connections from a pool on separate threads. Even an idle connection may
 * take a long time to obtain, because some drivers search for a server while the pool
 * tests the connection. If no caller takes a connection soon after it arrives, the
 * connection is returned to the pool.
 */
final class SpareConnections {

	/**
	 * The maximum number of connections that are requested or in use at any time. Each
	 * request has its own thread.
	 */
	static final int MAX_CONNECTIONS = 2;

	private static final Log logger = LogFactory.getLog(SpareConnections.class);

	/**
	 * How long a connection waits for a caller before it is returned to the pool. This is
	 * longer than the usual pause between two calls of {@link #poll}.
	 */
	private static final Duration OFFER_TIME = Duration.ofMillis(250);

	private final BooleanSupplier hasIdleConnection;

	private final Callable<Connection> pool;

	private final Semaphore permits = new Semaphore(MAX_CONNECTIONS);

	private final SynchronousQueue<Connection> arrivals = new SynchronousQueue<>();

	/**
	 * The connections that have been taken from the pool. Each of them uses a permit
	 * until {@link #releaseClosed()} finds it closed.
	 */
	private final Queue<Connection> takenConnections = new ConcurrentLinkedQueue<>();

	/**
	 * Create an instance.
	 * @param hasIdleConnection returns whether the pool seems to have an idle connection;
	 * an estimate is enough
	 * @param pool obtains a connection from the pool, which may take a long time
	 */
	SpareConnections(BooleanSupplier hasIdleConnection, Callable<Connection> pool) {
		this.hasIdleConnection = hasIdleConnection;
		this.pool = pool;
	}

	/**
	 * Return a connection if the pool can spare one.
	 * @param timeout how long to wait
	 * @return the connection, to be closed after use, or {@code null} if the pool could
	 * not spare one in time
	 */
	@Nullable Connection poll(Duration timeout) throws SQLException {
		releaseClosed();
		if (this.hasIdleConnection.getAsBoolean() && this.permits.tryAcquire()) {
			Thread thread = new Thread(this::requestConnection, "ids-spare-connection");
			thread.setDaemon(true);
			try {
				thread.start();
			}
			catch (Throwable ex) {
				this.permits.release();
				throw ex;
			}
		}
		if (this.permits.availablePermits() == MAX_CONNECTIONS) {
			return null;
		}
		try {
			return this.arrivals.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SQLException("Interrupted while waiting for a connection", ex);
		}
	}

	private void releaseClosed() throws SQLException {
		for (Connection connection : this.takenConnections) {
			if (connection.isClosed() && this.takenConnections.remove(connection)) {
				this.permits.release();
			}
		}
	}

	private void requestConnection() {
		boolean permitInUse = false;
		try {
			Connection connection = this.pool.call();
			this.takenConnections.add(connection);
			permitInUse = true;
			if (!this.arrivals.offer(connection, OFFER_TIME.toNanos(), TimeUnit.NANOSECONDS)) {
				// the next call of poll releases the permit
				connection.close();
			}
		}
		catch (Exception ex) {
			logger.debug("Cannot obtain a spare connection from the application's pool", ex);
		}
		finally {
			if (!permitInUse) {
				this.permits.release();
			}
		}
	}

}
