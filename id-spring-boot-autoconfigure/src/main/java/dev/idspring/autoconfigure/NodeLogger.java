package dev.idspring.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.idspring.monitor.KeySpaceSnapshot;
import dev.idspring.monitor.NodeSnapshot;
import dev.idspring.store.Slot;
import dev.idspring.store.StoreDescription;
import dev.idspring.store.StoredSlot;
import dev.idspring.time.NodeListener;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.time.TimeScheme;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Logs what an operator wants to know of nodes, once: which one it is and until when its
 * ids last, that its window cannot be moved, that it can again, that it was lost.
 */
final class NodeLogger implements NodeListener {

	private static final Log logger = LogFactory.getLog(NodeLogger.class);

	private final @Nullable StoreDescription store;

	private final AtomicBoolean failing = new AtomicBoolean();

	NodeLogger(@Nullable StoreDescription store) {
		this.store = store;
	}

	void opened(TimeIdGenerator generator, String keySpaceName, TimeScheme scheme) {
		NodeSnapshot node = generator.snapshot().node();
		String number = (node != null) ? node.number() + " of "
				+ String.format(Locale.ROOT, "%,d", scheme.layout().nodes()) + " (" + node.source() + ")" : "unknown";
		logger.info("Id generator '" + generator.name() + "': " + scheme.strategy() + ", " + scheme.summary()
				+ "; node " + number + "; ids until " + scheme.layout().lastInstant() + " in key space '" + keySpaceName
				+ "'; store " + described());
		if (this.store == null) {
			logger
				.warn("Id generator '" + generator.name() + "' has no store: nothing keeps another instance from being"
						+ " node " + number + " too, nor a restart with a clock that was set back from repeating ids");
		}
	}

	private String described() {
		if (this.store == null) {
			return "none";
		}
		return this.store.type() + ((this.store.database() != null) ? " (" + this.store.database() + ")" : "");
	}

	@Override
	public void claimed(String generator, Slot slot) {
		if (logger.isDebugEnabled()) {
			logger.debug("Id generator '" + generator + "' took node " + slot.number());
		}
	}

	@Override
	public void lost(String generator, Slot slot, StoredSlot now) {
		logger.warn("Id generator '" + generator + "' lost node " + slot.number()
				+ " because its lease expired; claiming another node. Was this process paused, or the database"
				+ " unreachable?");
	}

	@Override
	public void cloned(String generator, Slot slot, StoredSlot now) {
		logger.warn("Id generator '" + generator + "' shares node " + slot.number() + " with a clone of this process:"
				+ " a VM snapshot or a checkpoint was restored more than once. Claiming another node as a new owner;"
				+ " ids that were in memory when the process was cloned may repeat");
	}

	@Override
	public void reserved(String generator, long number, Instant windowEnd) {
		if (this.failing.compareAndSet(true, false)) {
			logger.info("Id generator '" + generator + "' can reserve time again, as node " + number);
		}
		if (logger.isDebugEnabled()) {
			logger.debug("Id generator '" + generator + "' reserved time until " + windowEnd + " as node " + number);
		}
	}

	@Override
	public void failed(String generator, RuntimeException failure, Duration left) {
		if (this.failing.compareAndSet(false, true)) {
			logger.warn("Id generator '" + generator + "' cannot reserve time and will try again; ids flow for "
					+ left.toMillis() + " ms", failure);
		}
		else if (logger.isDebugEnabled()) {
			logger.debug("Id generator '" + generator + "' still cannot reserve time", failure);
		}
	}

	@Override
	public void low(String generator, KeySpaceSnapshot keySpace) {
		logger.warn("Id generator '" + generator + "' makes ids of key space '" + keySpace.name() + "' until "
				+ keySpace.exhaustedAt()
				+ " only. Prepare a new key space with a later epoch, or a wider one, in time");
	}

	@Override
	public void stopped(String generator, RuntimeException reason) {
		logger.error("Id generator '" + generator + "' has stopped", reason);
	}

}
