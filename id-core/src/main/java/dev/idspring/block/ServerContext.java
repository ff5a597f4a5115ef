package dev.idspring.block;

import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.store.BlockSource;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;

/**
 * What a server is made of.
 *
 * @param generator the name of the generator
 * @param opened the key space
 * @param source where blocks come from
 * @param settings sizes and timeouts
 * @param timeSource tells the time
 * @param listeners learn what happens
 */
record ServerContext(String generator, ReservedKeySpace opened, BlockSource source, BlockSettings settings,
		TimeSource timeSource, Listeners listeners) {

	/**
	 * Return until when a caller may wait, or an attempt may take, that begins now.
	 */
	Deadline deadline() {
		return Deadline.after(this.timeSource, this.settings.waitTimeout());
	}

}
