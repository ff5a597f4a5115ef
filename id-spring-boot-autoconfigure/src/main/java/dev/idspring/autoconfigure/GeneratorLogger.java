package dev.idspring.autoconfigure;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.idspring.DurationText;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogMessage;

/**
 * Logs the events of a generator. Routine events, such as reservations, are logged at
 * debug level. Events that an operator needs to know about are logged at a higher level:
 * for example, a key space that is nearly used up, reservations that begin to fail or
 * succeed again, the loss of a node or a series, and a generator that stops. Only the
 * first of consecutive failed reservations is logged as a warning.
 */
final class GeneratorLogger implements IdGeneratorListener {

	private static final Log logger = LogFactory.getLog(GeneratorLogger.class);

	/**
	 * A new {@code coprime} key space with fewer keys than this is probably a
	 * configuration mistake.
	 */
	private static final BigInteger FEW_KEYS = BigInteger.valueOf(10_000);

	private final @Nullable StoreDescription store;

	private final String unit;

	private final @Nullable String endSetting;

	private final String leaseProperty;

	private final AtomicBoolean failing = new AtomicBoolean();

	/**
	 * Create a logger.
	 * @param store the description of the store, or {@code null} if there is no store
	 * @param unit the word for what the generator claims: "node" or "series"
	 * @param endSetting the property that raises the end of the key space, with the new
	 * value if only one value does so, or {@code null} if there is no such property
	 * @param leaseProperty the property that sets the lease
	 */
	GeneratorLogger(@Nullable StoreDescription store, String unit, @Nullable String endSetting, String leaseProperty) {
		this.store = store;
		this.unit = unit;
		this.endSetting = endSetting;
		this.leaseProperty = leaseProperty;
	}

	@Override
	public void opened(String generator, String summary, GeneratorSnapshot snapshot) {
		KeySpaceSnapshot keySpace = snapshot.keySpace();
		String left = (snapshot.node() != null) ? "ids until " + keySpace.exhaustedAt() + " in"
				: String.format(Locale.ROOT, "%,d of %,d keys left in", keySpace.remaining(), keySpace.capacity());
		String storeText = (this.store == null) ? "none"
				: this.store.type() + ((this.store.database() != null) ? " (" + this.store.database() + ")" : "");
		logger.info(line(generator, ": %s; %s key space '%s'; store %s", summary, left, keySpace.name(), storeText));
		if (this.store == null) {
			logger.warn(line(generator,
					" has no store: ids repeat if another instance has the same node, or after a restart if"
							+ " the clock was set back"));
		}
		if (snapshot.strategy().equals("coprime") && keySpace.reserved().signum() == 0
				&& keySpace.capacity().compareTo(FEW_KEYS) < 0) {
			logger.warn(line(generator,
					" has only %,d keys in its new key space '%s'. If that is not enough, raise the bound (%s), or"
							+ " choose a larger length and another key space now: the length of a key space cannot be"
							+ " changed later",
					keySpace.capacity(), keySpace.name(), this.endSetting));
		}
	}

	@Override
	public void lowered(String generator, String keySpaceName, long capacity, long stored) {
		// the setting may include a value, as in ids.decimal-uid.signed=false
		String property = String.valueOf(this.endSetting).split("=", 2)[0];
		String keys = this.unit.equals("node") ? "milliseconds" : "keys";
		logger.warn(line(generator,
				" uses only %,d %s of key space '%s', as set by %s, but the store records a bound of %,d %s."
						+ " Restore the previous value unless you lowered it intentionally: instances with the larger"
						+ " bound issue keys beyond the smaller one",
				capacity, keys, keySpaceName, property, stored, keys));
	}

	@Override
	public void reserved(String generator, long count, Duration took) {
		recovered(generator, "ids");
		logger.debug(line(generator, " reserved %s ids in %s ms", count, took.toMillis()));
	}

	@Override
	public void failed(String generator, RuntimeException failure, long inMemory) {
		failed(generator, failure, "ids", inMemory + " are left in memory");
	}

	@Override
	public void windowExtended(String generator, long node, Instant end) {
		recovered(generator, "time");
		logger.debug(line(generator, " reserved time until %s as node %s", end, node));
	}

	@Override
	public void windowFailed(String generator, RuntimeException failure, Duration left) {
		failed(generator, failure, "time", "it can create ids for another " + left.toMillis() + " ms");
	}

	private void recovered(String generator, String what) {
		if (this.failing.compareAndSet(true, false)) {
			logger.info(line(generator, " can reserve %s again", what));
		}
	}

	private void failed(String generator, RuntimeException failure, String what, String left) {
		if (this.failing.compareAndSet(false, true)) {
			logger.warn(line(generator, " cannot reserve %s and will try again; %s", what, left), failure);
		}
		else {
			logger.debug(line(generator, " still cannot reserve %s", what), failure);
		}
	}

	@Override
	public void claimed(String generator, long number) {
		logger.debug(line(generator, " claimed %s %s", this.unit, number));
	}

	@Override
	public void lost(String generator, long number) {
		logger.warn(line(generator,
				" lost %s %s; claiming another %1$s. The lease of the lost %1$s expired while this process was paused"
						+ " or could not reach the store, the store failed over, or an operator skipped ids of the key"
						+ " space",
				this.unit, number));
	}

	@Override
	public void cloned(String generator, long number) {
		logger.warn(line(generator,
				" shares %s %s with a clone of this process: a VM snapshot or a checkpoint was restored more than once."
						+ " The generator claims another %1$s under a new owner id. Ids that were in memory when the"
						+ " process was cloned may repeat",
				this.unit, number));
	}

	@Override
	public void leaseTooShort(String generator, long ownerCount, Duration lease, Duration minLease) {
		logger.warn(line(generator,
				" has a short lease for so many instances: its key space has %1$,d leases of %3$s (one per %2$s)."
						+ " Renewal takes about %4$,d transactions per second. Set %5$s=%6$dm or more in all instances",
				ownerCount, this.unit, DurationText.of(lease), 3 * ownerCount / lease.toSeconds(), this.leaseProperty,
				minLease.plusMinutes(1).minusNanos(1).toMinutes()));
	}

	@Override
	public void memoryDropped(String generator, long count) {
		logger.info(line(generator, " dropped %s reserved ids", count));
	}

	@Override
	public void low(String generator, KeySpaceSnapshot keySpace) {
		String end = (keySpace.soonestEnd() != null) ? ", which may be used up by " + keySpace.soonestEnd() : "";
		String remedy = (this.endSetting != null) ? "Raise its bound (" + this.endSetting + "), or prepare" : "Prepare";
		logger.warn(line(generator,
				" is running out of ids: %,d of %,d keys are left in key space '%s'%s. %s a new key space in time",
				keySpace.remaining(), keySpace.capacity(), keySpace.name(), end, remedy));
	}

	@Override
	public void stopped(String generator, RuntimeException reason) {
		logger.error(line(generator, " has stopped"), reason);
	}

	@Override
	public void notGivenBack(String generator, RuntimeException failure) {
		LogMessage message = line(generator, " could not give back its unused reservations");
		if (this.failing.get()) {
			logger.debug(message, failure);
		}
		else {
			logger.warn(message, failure);
		}
	}

	@Override
	public void closed(String generator, long givenBack, long abandoned) {
		logger.debug(line(generator, " is closed: %s unused ids were given back, %s were not", givenBack, abandoned));
	}

	/**
	 * Return a message that is formatted only if its log level is enabled.
	 */
	private static LogMessage line(String generator, String format, @Nullable Object... values) {
		return LogMessage.of(() -> "Id generator '" + generator + "'" + String.format(Locale.ROOT, format, values));
	}

}
