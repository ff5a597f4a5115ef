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
 * Connections that a pool can spare. Even an idle one may take long to obtain: some
 * drivers search for a server when the pool checks whether the connection is alive.
 * Therefore a few separate threads ask the pool. A connection that arrives when there is
 * no demand is returned.
 */
final class SpareConnections {

	/** The most threads and connections at any time, all together. */
	static final int MOST = 2;

	private static final Log logger = LogFactory.getLog(SpareConnections.class);

	/**
	 * How long a connection waits for a demand: longer than an accidental pause between
	 * demands.
	 */
	private static final Duration PATIENCE = Duration.ofMillis(250);

	private final BooleanSupplier available;

	private final Callable<Connection> pool;

	private final Semaphore permits = new Semaphore(MOST);

	private final SynchronousQueue<Connection> arrived = new SynchronousQueue<>();

	/** The connections in use. Each has a permit. */
	private final Queue<Connection> lent = new ConcurrentLinkedQueue<>();

	/**
	 * Create spare connections.
	 * @param available whether the pool seems to have one, which need not be exact
	 * @param pool returns a connection, and may take long
	 */
	SpareConnections(BooleanSupplier available, Callable<Connection> pool) {
		this.available = available;
		this.pool = pool;
	}

	/**
	 * Return a connection if there is one.
	 * @param atMost how long to wait
	 * @return the connection, to be closed after use, or {@code null}
	 */
	@Nullable Connection poll(Duration atMost) throws SQLException {
		takeBack();
		if (this.available.getAsBoolean() && this.permits.tryAcquire()) {
			Thread thread = new Thread(this::ask, "ids-spare-connection");
			thread.setDaemon(true);
			try {
				thread.start();
			}
			catch (Throwable ex) {
				this.permits.release();
				throw ex;
			}
		}
		if (this.permits.availablePermits() == MOST) {
			return null;
		}
		try {
			return this.arrived.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SQLException("Interrupted while waiting for a connection", ex);
		}
	}

	private void takeBack() throws SQLException {
		for (Connection connection : this.lent) {
			if (connection.isClosed() && this.lent.remove(connection)) {
				this.permits.release();
			}
		}
	}

	private void ask() {
		boolean used = false;
		try {
			Connection connection = this.pool.call();
			this.lent.add(connection);
			used = true;
			if (!this.arrived.offer(connection, PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
				// the next demand takes the permit back
				connection.close();
			}
		}
		catch (Exception ex) {
			logger.debug("The application's pool has no connection to spare", ex);
		}
		finally {
			if (!used) {
				this.permits.release();
			}
		}
	}

}
