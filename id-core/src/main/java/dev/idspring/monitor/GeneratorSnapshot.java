package dev.idspring.monitor;

import org.jspecify.annotations.Nullable;

/**
 * What operators see of a generator at one moment.
 *
 * @param strategy the name of the strategy, as in {@code ids.strategy}
 * @param status how the generator is doing
 * @param storeFailure why the store could not be asked, or {@code null} if it answered
 * @param definition what fixes the order of the keys
 * @param issued how many ids this instance has handed out; as exact as what remains of
 * the {@link BlockSnapshot block}, but never less than it was before
 * @param keySpace how much of the key space is used, by all instances
 * @param block the blocks of this instance
 * @param series the series of the key space, or {@code null} if the strategy has none
 * @param node the node of this instance, or {@code null} if the strategy has none
 * @param clock the clock that ids carry, or {@code null} if the strategy has none
 * @since 0.1.0
 */
public record GeneratorSnapshot(String strategy, GeneratorStatus status, @Nullable String storeFailure,
		String definition, long issued, KeySpaceSnapshot keySpace, BlockSnapshot block, @Nullable SeriesSnapshot series,
		@Nullable NodeSnapshot node, @Nullable ClockSnapshot clock) {

	/**
	 * Take a snapshot of a generator without node and clock.
	 * @param strategy the name of the strategy, as in {@code ids.strategy}
	 * @param status how the generator is doing
	 * @param storeFailure why the store could not be asked, or {@code null} if it
	 * answered
	 * @param definition what fixes the order of the keys
	 * @param issued how many ids this instance has handed out; as exact as what remains
	 * of the {@link BlockSnapshot block}, but never less than it was before
	 * @param keySpace how much of the key space is used, by all instances
	 * @param block the blocks of this instance
	 * @param series the series of the key space, or {@code null} if the strategy has none
	 */
	public GeneratorSnapshot(String strategy, GeneratorStatus status, @Nullable String storeFailure, String definition,
			long issued, KeySpaceSnapshot keySpace, BlockSnapshot block, @Nullable SeriesSnapshot series) {
		this(strategy, status, storeFailure, definition, issued, keySpace, block, series, null, null);
	}

}
