package dev.idspring.benchmarks.raw;

import java.time.Duration;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.text.Alphabet;
import dev.idspring.time.ClockSettings;
import dev.idspring.time.NodeSettings;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.worker.TimeSource;

/**
 * Opens this project's generators with a store in memory, so that only the speed of the
 * generator itself is measured.
 */
public final class InMemory {

	/** The number of ids per millisecond and node in the standard layout. */
	public static final int SNOWFLAKE_TAILS = 4096;

	private InMemory() {
	}

	/**
	 * Open a generator of the default strategy with default settings, except that blocks
	 * may grow to ten million ids.
	 */
	public static ManagedIdGenerator coprime() {
		BlockSettings blocks = BlockSettings.defaults();
		return coprime(new BlockSettings(blocks.size(), 10_000_000, blocks.waitTimeout(), blocks.outageReserve()));
	}

	/**
	 * Open a generator of the default strategy with default settings.
	 */
	public static ManagedIdGenerator coprimeByDefault() {
		return coprime(BlockSettings.defaults());
	}

	private static ManagedIdGenerator coprime(BlockSettings blocks) {
		return BlockIdGenerator
			.coprime("coprime", new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), new InMemoryKeySpaceStore())
			.blockSettings(blocks)
			.open();
	}

	/**
	 * Open a generator of snowflake ids with default settings. In a burst, ids may run
	 * ahead of the clock by up to a second. After the burst, the layout limits the rate.
	 */
	public static ManagedIdGenerator snowflake() {
		return snowflake(ClockSettings.defaults(), Duration.ofSeconds(30));
	}

	/**
	 * Open a generator of snowflake ids that may run ahead of the clock by up to an hour.
	 * No benchmark reaches this limit, so all calls are within a burst.
	 */
	public static ManagedIdGenerator snowflakeInBursts() {
		return snowflake(new ClockSettings(Duration.ofHours(1), ClockSettings.defaults().maxSkew()),
				Duration.ofMinutes(10));
	}

	private static ManagedIdGenerator snowflake(ClockSettings clock, Duration lease) {
		return TimeIdGenerator.builder("snowflake", SnowflakeSettings.Preset.STANDARD.settings().scheme())
			.store(new InMemoryKeySpaceStore(), new InMemorySlotStore(TimeSource.system()))
			.node(NodeSettings.lease(lease))
			.clock(clock)
			.open();
	}

}
