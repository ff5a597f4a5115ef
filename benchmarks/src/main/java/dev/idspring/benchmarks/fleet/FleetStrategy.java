package dev.idspring.benchmarks.fleet;

import java.time.Duration;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.text.Alphabet;
import dev.idspring.time.NodeSettings;
import dev.idspring.time.SimulatedNode;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;

/**
 * The simulated strategies. They have default settings, except for those that a large
 * fleet must change.
 */
enum FleetStrategy {

	COPRIME("`coprime`", Sizes.SMALL, Lease.NONE, (fleet, executor, lease) -> openCoprime(fleet, executor, 6)),

	COPRIME_LONG("`coprime`, 8 characters", Sizes.LARGE, Lease.NONE,
			(fleet, executor, lease) -> openCoprime(fleet, executor, 8)),

	/**
	 * Simulated for small fleets only. In large fleets it makes the same reservations as
	 * {@link #COPRIME_LONG}.
	 */
	SEQUENTIAL("`sequential`", Sizes.SMALL, Lease.NONE,
			(fleet, executor, lease) -> openBlockGenerator(fleet, executor,
					BlockIdGenerator.sequential(SimulatedFleet.NAME, new SequentialSettings(1, Long.MAX_VALUE - 1),
							fleet.keySpaces()))),

	RECYCLED("`recycled`", Sizes.ALL, Lease.DEFAULT, FleetStrategy::openRecycled),

	SNOWFLAKE("`snowflake`", Sizes.SMALL, Lease.DEFAULT,
			(fleet, executor, lease) -> openSnowflake(fleet, executor, lease, 10, 12)),

	SNOWFLAKE_WIDE("`snowflake`, 14 node bits, 8 tail bits", Sizes.LARGE, Lease.DEFAULT,
			(fleet, executor, lease) -> openSnowflake(fleet, executor, lease, 14, 8));

	private final String title;

	private final Sizes sizes;

	private final Duration lease;

	private final GeneratorOpener opener;

	FleetStrategy(String title, Sizes sizes, Duration lease, GeneratorOpener opener) {
		this.title = title;
		this.sizes = sizes;
		this.lease = lease;
		this.opener = opener;
	}

	String title() {
		return this.title;
	}

	/**
	 * Return whether instances lease series or nodes.
	 */
	boolean isLeased() {
		return this.lease != Lease.NONE;
	}

	/**
	 * Return whether ids are time-based. Lost ids are not counted then, because time
	 * passes whether or not ids are issued.
	 */
	boolean isTimeBased() {
		return this == SNOWFLAKE || this == SNOWFLAKE_WIDE;
	}

	/**
	 * Return whether the strategy is simulated for a fleet of this size.
	 */
	boolean isSimulatedFor(int instances) {
		return this.sizes == Sizes.ALL || this.sizes == (isLarge(instances) ? Sizes.LARGE : Sizes.SMALL);
	}

	/**
	 * Return whether a fleet is so large that only two hours are simulated.
	 */
	static boolean isLarge(int instances) {
		return instances >= 1_000;
	}

	/**
	 * Return the lease for a fleet. Fleets of more than 1,000 instances need a longer
	 * lease.
	 */
	private Duration lease(int instances) {
		return (this.lease != Lease.NONE && instances > 1_000) ? Lease.LONG : this.lease;
	}

	ManagedIdGenerator open(SimulatedFleet fleet, Simulation.ProcessExecutor executor) {
		return this.opener.open(fleet, executor, lease(fleet.size()));
	}

	private static ManagedIdGenerator openCoprime(SimulatedFleet fleet, Simulation.ProcessExecutor executor,
			int length) {
		return openBlockGenerator(fleet, executor, BlockIdGenerator.coprime(SimulatedFleet.NAME,
				new CoprimeSettings(Alphabet.of("base62"), length, length, null, 0), fleet.keySpaces()));
	}

	private static ManagedIdGenerator openBlockGenerator(SimulatedFleet fleet, Simulation.ProcessExecutor executor,
			BlockIdGenerator.Builder builder) {
		return builder.timeSource(fleet.simulation()).executors((number) -> executor).open();
	}

	private static ManagedIdGenerator openRecycled(SimulatedFleet fleet, Simulation.ProcessExecutor executor,
			Duration lease) {
		BlockSettings blocks = BlockSettings.defaults();
		RecycledSettings settings = new RecycledSettings(1_000_000, RecycledSettings.MAX_CAPACITY);
		return BlockIdGenerator
			.recycled(SimulatedFleet.NAME, settings, new SeriesSettings(1, lease), fleet.keySpaces(), fleet.slots())
			.blockSettings(
					new BlockSettings(blocks.size(), blocks.size(), blocks.waitTimeout(), blocks.outageReserve()))
			.timeSource(fleet.simulation())
			.executors((number) -> executor)
			.open();
	}

	private static ManagedIdGenerator openSnowflake(SimulatedFleet fleet, Simulation.ProcessExecutor executor,
			Duration lease, int nodeBits, int tailBits) {
		SnowflakeSettings standard = SnowflakeSettings.Preset.STANDARD.settings();
		SnowflakeSettings settings = new SnowflakeSettings(standard.epoch(), 41, nodeBits, tailBits, standard.tail());
		return SimulatedNode.open(TimeIdGenerator.builder(SimulatedFleet.NAME, settings.scheme())
			.store(fleet.keySpaces(), fleet.slots())
			.node(NodeSettings.lease(lease)), executor, fleet.simulation());
	}

	/**
	 * The sizes of fleets for which a strategy is simulated.
	 */
	private enum Sizes {

		SMALL, LARGE, ALL

	}

	/**
	 * The leases of series and nodes.
	 */
	private static final class Lease {

		static final Duration NONE = Duration.ZERO;

		static final Duration DEFAULT = Duration.ofSeconds(30);

		static final Duration LONG = Duration.ofMinutes(5);

	}

	/**
	 * Opens the generator of an instance.
	 */
	@FunctionalInterface
	private interface GeneratorOpener {

		ManagedIdGenerator open(SimulatedFleet fleet, Simulation.ProcessExecutor executor, Duration lease);

	}

}
