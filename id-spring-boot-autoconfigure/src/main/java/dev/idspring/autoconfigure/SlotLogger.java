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
		logger.warn("Id generator '" + generator + "' lost " + slot + " to another instance, as it was not heard of for"
				+ " longer than its lease; it takes another one. Was this process paused, or the database unreachable?");
	}

}
