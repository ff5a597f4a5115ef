package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.idspring.block.ReservationListener;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.KeySpaceSnapshot;
import dev.idspring.store.OrdinalRange;
import dev.idspring.store.StoreDescription;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Logs what an operator wants to know, once: what is left, that reserving began to fail,
 * that it works again, that a generator stopped.
 */
final class ReservationLogger implements ReservationListener {

	private static final Log logger = LogFactory.getLog(ReservationLogger.class);

	private final StoreDescription store;

	private final String bound;

	private final AtomicBoolean failing = new AtomicBoolean();

	/**
	 * Create a logger.
	 * @param store where reservations are kept
	 * @param bound the property that says where the key space ends
	 */
	ReservationLogger(StoreDescription store, String bound) {
		this.store = store;
		this.bound = bound;
	}

	@Override
	public void opened(String generator, String keySpaceName, KeySpace keySpace, long remaining) {
		logger.info(
				String.format(Locale.ROOT, "Id generator '%s': %s; %,d of %,d keys left in key space '%s'; store %s%s",
						generator, keySpace.summary(), remaining, keySpace.capacity(), keySpaceName, this.store.type(),
						(this.store.database() != null) ? " (" + this.store.database() + ")" : ""));
	}

	@Override
	public void lowered(String generator, String keySpaceName, long capacity, long stored) {
		logger.warn(String.format(Locale.ROOT,
				"Id generator '%s' uses %,d keys of key space '%s' only, by %s, but the store remembers a bound of %,d"
						+ " keys. Put it back unless it was lowered on purpose: instances with the larger bound go on"
						+ " beyond this one",
				generator, capacity, keySpaceName, this.bound, stored));
	}

	@Override
	public void reserved(String generator, OrdinalRange range, Duration took) {
		if (this.failing.compareAndSet(true, false)) {
			logger.info("Id generator '" + generator + "' can reserve ids again");
		}
		if (logger.isDebugEnabled()) {
			logger.debug("Id generator '" + generator + "' reserved " + range + " in " + took.toMillis() + " ms");
		}
	}

	@Override
	public void failed(String generator, RuntimeException failure, long inMemory) {
		if (this.failing.compareAndSet(false, true)) {
			logger.warn("Id generator '" + generator + "' cannot reserve ids and will try again; " + inMemory
					+ " are left in memory", failure);
		}
		else if (logger.isDebugEnabled()) {
			logger.debug("Id generator '" + generator + "' still cannot reserve ids", failure);
		}
	}

	@Override
	public void low(String generator, KeySpaceSnapshot keySpace) {
		String end = (keySpace.soonestEnd() != null)
				? "; at the present rate the last one will be gone at " + keySpace.soonestEnd() : "";
		logger.warn(String.format(Locale.ROOT,
				"Id generator '%s' is running out of ids: %,d of %,d keys are left in key space '%s'%s."
						+ " Raise its bound or prepare a new key space in time",
				generator, keySpace.remaining(), keySpace.capacity(), keySpace.name(), end));
	}

	@Override
	public void stopped(String generator, RuntimeException reason) {
		logger.error("Id generator '" + generator + "' has stopped", reason);
	}

	@Override
	public void closed(String generator, long givenBack, long abandoned) {
		if (logger.isDebugEnabled()) {
			logger.debug("Id generator '" + generator + "' is closed: gave back " + givenBack
					+ " unused ids, abandoned " + abandoned);
		}
	}

}
