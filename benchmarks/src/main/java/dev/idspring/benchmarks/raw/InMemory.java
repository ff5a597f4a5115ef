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
 * Our generators, with a store in memory: what is left is the speed of the generator
 * itself.
 */
public final class InMemory {

	/** How many ids a millisecond and node the standard layout has. */
	public static final int SNOWFLAKE_TAILS = 4096;

	private InMemory() {
	}

	/**
	 * The default strategy with its default settings, but for blocks that may grow to ten
	 * million.
	 */
	public static ManagedIdGenerator coprime() {
		BlockSettings blocks = BlockSettings.defaults();
		return coprime(new BlockSettings(blocks.size(), 10_000_000, blocks.waitTimeout(), blocks.outageReserve()));
	}

	/**
	 * The default strategy with its default settings.
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
	 * Snowflake ids with the default settings: after a second's worth of ids they come as
	 * fast as the layout has them.
	 */
	public static ManagedIdGenerator snowflake() {
		return snowflake(ClockSettings.defaults(), Duration.ofSeconds(30));
	}

	/**
	 * Snowflake ids that may be so far ahead of the clock that no benchmark gets there:
	 * each of its calls is one within a burst.
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
