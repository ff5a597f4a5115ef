package dev.idspring.autoconfigure;

import dev.idspring.block.SlotListener;
import dev.idspring.store.Slot;
import dev.idspring.store.StoredSlot;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Logs when slots change hands.
 */
final class SlotLogger implements SlotListener {

	private static final Log logger = LogFactory.getLog(SlotLogger.class);

	@Override
	public void claimed(String generator, Slot slot) {
		if (logger.isDebugEnabled()) {
			logger.debug("Id generator '" + generator + "' took " + slot);
		}
	}

	@Override
	public void lost(String generator, Slot slot, StoredSlot now) {
		logger.warn("Id generator '" + generator + "' lost series " + slot.number()
				+ " because its lease expired; claiming another series. Was this process paused, or the database"
				+ " unreachable?");
	}

	@Override
	public void cloned(String generator, Slot slot, StoredSlot now) {
		logger.warn("Id generator '" + generator + "' shares series " + slot.number() + " with a clone of this"
				+ " process: a VM snapshot or a checkpoint was restored more than once. Claiming another series as a"
				+ " new owner; ids that were in memory when the process was cloned may repeat");
	}

}
