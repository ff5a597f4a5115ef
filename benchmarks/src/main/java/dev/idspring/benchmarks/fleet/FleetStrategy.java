package dev.idspring.benchmarks.fleet;

import java.time.Duration;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.Alphabet;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.keyspace.RecycledSettings;
import dev.idspring.keyspace.SequentialSettings;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.slot.SeriesReservations;
import dev.idspring.slot.SeriesReservations.SeriesSettings;
import dev.idspring.slot.SlotListener;
import dev.idspring.time.NodeSettings;
import dev.idspring.time.SimulatedNode;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;

/**
 * Strategies with their default settings, but for what a large fleet needs.
 */
enum FleetStrategy {

	COPRIME("`coprime`, 8 characters", Lease.NONE,
			(fleet, supply, lease) -> counter(fleet, supply, "coprime",
					new CoprimeSettings(Alphabet.of("base62"), 8, 8, null, 0))),

	/**
	 * In large fleets what can be seen is that of {@link #COPRIME}, and takes as long.
	 */
	SEQUENTIAL("`sequential`", Lease.NONE, (fleet, supply, lease) -> counter(fleet, supply, "sequential",
			new SequentialSettings("sequential", 1, Long.MAX_VALUE - 1))) {

		@Override
		boolean isFor(int instances) {
			return instances < LARGE;
		}

	},

	RECYCLED("`recycled`", Lease.DEFAULT, FleetStrategy::series),

	RECYCLED_LONG("`recycled`, `ids.lease: 5m`", Lease.LONG, FleetStrategy::series),

	SNOWFLAKE("`snowflake`, 14 node bits, 8 tail bits", Lease.DEFAULT, FleetStrategy::nodes),

	SNOWFLAKE_LONG("`snowflake`, 14 node bits, 8 tail bits, `ids.lease: 5m`", Lease.LONG, FleetStrategy::nodes);

	private static final int LARGE = 3_000;

	private final String title;

	private final Duration lease;

	private final Opening opening;

	FleetStrategy(String title, Duration lease, Opening opening) {
		this.title = title;
		this.lease = lease;
		this.opening = opening;
	}

	String title() {
		return this.title;
	}

	/**
	 * Return whether instances renew leases, which makes a day of a large fleet long.
	 */
	boolean isLeased() {
		return this.lease != Lease.NONE;
	}

	/**
	 * Return whether ids are made of time, which nobody can lose.
	 */
	boolean isOfTime() {
		return this == SNOWFLAKE || this == SNOWFLAKE_LONG;
	}

	/**
	 * Return whether a fleet of that size is worth a look.
	 */
	boolean isFor(int instances) {
		return this.lease != Lease.LONG || instances >= LARGE;
	}

	ManagedIdGenerator open(SimulatedFleet fleet, World.LivingSupply supply) {
		return this.opening.open(fleet, supply, this.lease);
	}

	private static ManagedIdGenerator counter(SimulatedFleet fleet, World.LivingSupply supply, String strategy,
			KeySpaceSettings settings) {
		return BlockIdGenerator.builder(SimulatedFleet.NAME, strategy, settings, fleet.keySpaces())
			.timeSource(fleet.world())
			.supplies((number) -> supply)
			.open();
	}

	private static ManagedIdGenerator series(SimulatedFleet fleet, World.LivingSupply supply, Duration lease) {
		BlockSettings blocks = BlockSettings.defaults();
		RecycledSettings settings = new RecycledSettings(1_000_000, RecycledSettings.MAX_CAPACITY);
		return BlockIdGenerator.builder(SimulatedFleet.NAME, "recycled", settings, fleet.keySpaces())
			.reservations(SeriesReservations.factory(fleet.slots(),
					new SeriesSettings(settings.seriesSize(), 1, lease, new SlotListener() {
					})))
			.blockSettings(
					new BlockSettings(blocks.size(), blocks.size(), blocks.waitTimeout(), blocks.outageReserve()))
			.timeSource(fleet.world())
			.supplies((number) -> supply)
			.open();
	}

	private static ManagedIdGenerator nodes(SimulatedFleet fleet, World.LivingSupply supply, Duration lease) {
		SnowflakeSettings standard = SnowflakeSettings.Preset.STANDARD.settings();
		SnowflakeSettings settings = new SnowflakeSettings(standard.epoch(), 41, 14, 8, standard.tail(),
				standard.format());
		return SimulatedNode.open(TimeIdGenerator.builder(SimulatedFleet.NAME, settings.scheme())
			.store(fleet.keySpaces(), fleet.slots())
			.node(NodeSettings.lease(lease)), supply, fleet.world());
	}

	/**
	 * For how long series and nodes are kept.
	 */
	private static final class Lease {

		static final Duration NONE = Duration.ZERO;

		static final Duration DEFAULT = Duration.ofSeconds(30);

		static final Duration LONG = Duration.ofMinutes(5);

	}

	/**
	 * Opens a generator of an instance.
	 */
	@FunctionalInterface
	private interface Opening {

		ManagedIdGenerator open(SimulatedFleet fleet, World.LivingSupply supply, Duration lease);

	}

}
