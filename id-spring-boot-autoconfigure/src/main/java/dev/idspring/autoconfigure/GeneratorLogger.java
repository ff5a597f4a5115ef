package dev.idspring.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Logs what an operator wants to know, once: what is left of the key space, that
 * reserving began to fail, that it works again, that a node or series was lost, that the
 * generator stopped.
 */
final class GeneratorLogger implements IdGeneratorListener {

	private static final Log logger = LogFactory.getLog(GeneratorLogger.class);

	private final @Nullable StoreDescription store;

	private final String unit;

	private final String bound;

	private final AtomicBoolean failing = new AtomicBoolean();

	/**
	 * Create a logger.
	 * @param store where reservations are kept, {@code null} if nowhere
	 * @param unit what the generator claims: a node or a series
	 * @param bound the property that says where the key space ends
	 */
	GeneratorLogger(@Nullable StoreDescription store, String unit, String bound) {
		this.store = store;
		this.unit = unit;
		this.bound = bound;
	}

	@Override
	public void opened(String generator, String summary, GeneratorSnapshot snapshot) {
		KeySpaceSnapshot keySpace = snapshot.keySpace();
		String left = (snapshot.node() != null) ? "ids until " + keySpace.exhaustedAt() + " in"
				: String.format(Locale.ROOT, "%,d of %,d keys left in", keySpace.remaining(), keySpace.capacity());
		logger.info("Id generator '" + generator + "': " + summary + "; " + left + " key space '" + keySpace.name()
				+ "'; store " + described());
		if (this.store == null) {
			logger
				.warn("Id generator '" + generator + "' has no store: another instance can be the same node, and after"
						+ " a restart with a clock that was set back ids repeat");
		}
	}

	private String described() {
		if (this.store == null) {
			return "none";
		}
		return this.store.type() + ((this.store.database() != null) ? " (" + this.store.database() + ")" : "");
	}

	@Override
	public void lowered(String generator, String keySpaceName, long capacity, long stored) {
		logger.warn(String.format(Locale.ROOT,
				"Id generator '%s' uses only %,d keys of key space '%s', by %s, but the store remembers a bound of %,d"
						+ " keys. Restore the previous value unless this is intentional: instances with the larger bound"
						+ " go on beyond this one",
				generator, capacity, keySpaceName, this.bound, stored));
	}

	@Override
	public void reserved(String generator, long count, Duration took) {
		recovered(generator, "ids");
		if (logger.isDebugEnabled()) {
			logger.debug("Id generator '" + generator + "' reserved " + count + " ids in " + took.toMillis() + " ms");
		}
	}

	@Override
	public void failed(String generator, RuntimeException failure, long inMemory) {
		failed(generator, failure, "ids", inMemory + " are left in memory");
	}

	@Override
	public void windowMoved(String generator, long node, Instant end) {
		recovered(generator, "time");
		if (logger.isDebugEnabled()) {
			logger.debug("Id generator '" + generator + "' reserved time until " + end + " as node " + node);
		}
	}

	@Override
	public void windowFailed(String generator, RuntimeException failure, Duration left) {
		failed(generator, failure, "time", "it makes ids for another " + left.toMillis() + " ms");
	}

	private void recovered(String generator, String what) {
		if (this.failing.compareAndSet(true, false)) {
			logger.info("Id generator '" + generator + "' can reserve " + what + " again");
		}
	}

	private void failed(String generator, RuntimeException failure, String what, String left) {
		if (this.failing.compareAndSet(false, true)) {
			logger.warn("Id generator '" + generator + "' cannot reserve " + what + " and will try again; " + left,
					failure);
		}
		else if (logger.isDebugEnabled()) {
			logger.debug("Id generator '" + generator + "' still cannot reserve " + what, failure);
		}
	}

	@Override
	public void claimed(String generator, long number) {
		if (logger.isDebugEnabled()) {
			logger.debug("Id generator '" + generator + "' claimed " + this.unit + " " + number);
		}
	}

	@Override
	public void lost(String generator, long number) {
		logger.warn("Id generator '" + generator + "' lost " + this.unit + " " + number
				+ " because its lease expired; claiming another " + this.unit
				+ ". Was this process paused, or the database unreachable?");
	}

	@Override
	public void cloned(String generator, long number) {
		logger.warn(
				"Id generator '" + generator + "' shares " + this.unit + " " + number + " with a clone of this process:"
						+ " a VM snapshot or a checkpoint was restored more than once. Claiming another " + this.unit
						+ " as a new owner; ids that were in memory when the process was cloned may repeat");
	}

	@Override
	public void memoryDropped(String generator, long count) {
		logger.info("Id generator '" + generator + "' dropped " + count + " reserved ids");
	}

	@Override
	public void low(String generator, KeySpaceSnapshot keySpace) {
		String end = (keySpace.soonestEnd() != null) ? "; its last id is due at " + keySpace.soonestEnd() : "";
		logger.warn(String.format(Locale.ROOT,
				"Id generator '%s' is running out of ids: %,d of %,d keys are left in key space '%s'%s."
						+ " Raise its bound, %s, or prepare a new key space, in time",
				generator, keySpace.remaining(), keySpace.capacity(), keySpace.name(), end, this.bound));
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
