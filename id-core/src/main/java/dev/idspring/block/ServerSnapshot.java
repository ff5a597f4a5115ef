package dev.idspring.block;

import dev.idspring.monitor.BlockSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * The snapshot of a server.
 *
 * @param block the blocks of this instance
 * @param empty whether a caller may find nothing in memory
 * @param issued how many ordinals were handed out
 * @param storeFailure why the store could not be asked, {@code null} if it answered
 * @param terminal why nothing is handed out any more, {@code null} while it is
 */
record ServerSnapshot(BlockSnapshot block, boolean empty, long issued, @Nullable String storeFailure,
		@Nullable RuntimeException terminal) {

}
