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

	COPRIME("`coprime`, 8 characters", false) {

		@Override
		ManagedIdGenerator open(SimulatedFleet fleet, World.LivingSupply supply) {
			return counter(fleet, supply, "coprime", new CoprimeSettings(Alphabet.of("base62"), 8, 8, null, 0));
		}

	},

	SEQUENTIAL("`sequential`", false) {

		@Override
		ManagedIdGenerator open(SimulatedFleet fleet, World.LivingSupply supply) {
			return counter(fleet, supply, "sequential", new SequentialSettings("sequential", 1, Long.MAX_VALUE - 1));
		}

	},

	RECYCLED("`recycled`", true) {

		@Override
		ManagedIdGenerator open(SimulatedFleet fleet, World.LivingSupply supply) {
			BlockSettings blocks = BlockSettings.defaults();
			RecycledSettings settings = new RecycledSettings(1_000_000, RecycledSettings.MAX_CAPACITY);
			return BlockIdGenerator.builder(SimulatedFleet.NAME, "recycled", settings, fleet.keySpaces())
				.reservations(SeriesReservations.factory(fleet.slots(),
						new SeriesSettings(settings.seriesSize(), 1, LEASE, new SlotListener() {
						})))
				.blockSettings(
						new BlockSettings(blocks.size(), blocks.size(), blocks.waitTimeout(), blocks.outageReserve()))
				.timeSource(fleet.world())
				.supplies((number) -> supply)
				.open();
		}

	},

	SNOWFLAKE("`snowflake`, 14 node bits, 8 tail bits", true) {

		@Override
		ManagedIdGenerator open(SimulatedFleet fleet, World.LivingSupply supply) {
			SnowflakeSettings standard = SnowflakeSettings.Preset.STANDARD.settings();
			SnowflakeSettings settings = new SnowflakeSettings(standard.epoch(), 41, 14, 8, standard.tail(),
					standard.format());
			return SimulatedNode.open(TimeIdGenerator.builder(SimulatedFleet.NAME, settings.scheme())
				.store(fleet.keySpaces(), fleet.slots())
				.node(NodeSettings.lease(LEASE)), supply, fleet.world());
		}

	};

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final String title;

	private final boolean leased;

	FleetStrategy(String title, boolean leased) {
		this.title = title;
		this.leased = leased;
	}

	String title() {
		return this.title;
	}

	/**
	 * Return whether instances renew leases, which makes a day of a large fleet long.
	 */
	boolean isLeased() {
		return this.leased;
	}

	abstract ManagedIdGenerator open(SimulatedFleet fleet, World.LivingSupply supply);

	private static ManagedIdGenerator counter(SimulatedFleet fleet, World.LivingSupply supply, String strategy,
			KeySpaceSettings settings) {
		return BlockIdGenerator.builder(SimulatedFleet.NAME, strategy, settings, fleet.keySpaces())
			.timeSource(fleet.world())
			.supplies((number) -> supply)
			.open();
	}

}
