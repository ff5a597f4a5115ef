package dev.idspring.block;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.OrdinalRange;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The server that blocks are reserved for. Its guard is closed around all calls but those
 * that say otherwise.
 */
interface BlockReceiver {

	/**
	 * Return how many ordinals callers wait for.
	 */
	long demand();

	/**
	 * Keep what was reserved.
	 * @return whether callers are served
	 */
	boolean accept(OrdinalRange range);

	/**
	 * Drop what is in memory.
	 */
	void renew();

	/**
	 * Serve the callers that wait.
	 */
	void serve();

	/**
	 * Let callers know that nothing was reserved, and try again.
	 * @param deadline how long the attempt might take, {@code null} if it could not begin
	 */
	void failed(RuntimeException failure, @Nullable Deadline deadline);

	/**
	 * Reserve another block if that is due. Not guarded.
	 */
	void refill();

	/**
	 * Stop, because the store went backwards. Not guarded.
	 */
	void halt(KeySpaceRegressionException reason);

	/**
	 * Return why the server has stopped, {@code null} if it has not. Not guarded.
	 */
	@Nullable RuntimeException terminal();

	/**
	 * Return the exception for callers when the store gave nothing. Not guarded.
	 */
	IdStoreUnavailableException unavailable(String problem, @Nullable Throwable cause);

}
