package dev.idspring.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.GeneratorKeys.Unissued;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;

/**
 * Creates the generators that reserve blocks: {@code coprime}, {@code sequential} and
 * {@code recycled}.
 *
 * @param factory provides the stores, and the settings that all generators share
 */
record CounterGenerators(IdGeneratorFactory factory) {

	private static final String PRESET = "coprime.preset";

	private static final List<String> REPLACED_BY_PRESET = List.of("coprime.alphabet", "coprime.length",
			"coprime.max-length", "coprime.multiplier", "coprime.offset", "text.alphabet", "text.length",
			"text.max-length");

	BlockIdGenerator openCoprime(String name, GeneratorProperties properties) {
		KeySpaceStore store = this.factory.store(name, properties);
		GeneratorProperties.Coprime coprime = properties.coprime();
		if (coprime.preset() != null) {
			rejectReplacedByPreset(name, coprime.preset());
			return openCounter(BlockIdGenerator.parkMiller(name, store), properties, KeySpaceSettings.parkMiller(),
					store);
		}
		CoprimeSettings settings = new TextProperties(this.factory.binder(), name).coprime();
		return openCounter(BlockIdGenerator.coprime(name, settings, store), properties, settings, store);
	}

	private void rejectReplacedByPreset(String name, GeneratorProperties.Coprime.Preset preset) {
		GeneratorPropertiesBinder binder = this.factory.binder();
		String presetProperty = binder.property(name, PRESET);
		String ownPreset = GeneratorPropertiesBinder.ownProperty(name, PRESET);
		for (String replaced : REPLACED_BY_PRESET) {
			// inherited coprime settings are allowed, because generators without a preset
			// may use them
			boolean own = replaced.startsWith("coprime.") || binder.isOwn(name, replaced);
			String property = GeneratorPropertiesBinder.ownProperty(own ? name : GeneratorPropertiesBinder.DEFAULT_NAME,
					replaced);
			// empty values count as not set
			if (binder.value(property).filter((value) -> !value.isEmpty()).isPresent()) {
				throw new IdSetupException(
						property + " is set together with " + presetProperty + ", which is " + Strategy.nameOf(preset)
								+ ".",
						"Remove one of them: the preset defines the keys and their text form."
								+ (own ? ""
										: " If other generators need " + property
												+ ", set it for each of them, under ids.generators.")
								+ (presetProperty.equals(ownPreset) ? "" : " If other generators need the preset, set "
										+ ownPreset + " to an empty value."),
						List.of(property, presetProperty), null);
			}
		}
	}

	BlockIdGenerator openSequential(String name, GeneratorProperties properties) {
		KeySpaceStore store = this.factory.store(name, properties);
		GeneratorProperties.Numbers numbers = properties.sequential();
		SequentialSettings settings = new SequentialSettings(numbers.start(), numbers.end());
		return openCounter(BlockIdGenerator.sequential(name, settings, store), properties, settings, store);
	}

	private BlockIdGenerator openCounter(BlockIdGenerator.Builder builder, GeneratorProperties properties,
			KeySpaceSettings settings, KeySpaceStore store) {
		this.factory.applySharedSettings(
				builder.blockSettings(blockSettings(properties.block(), properties.block().maxSize())), properties);
		return open(builder, properties, settings, store,
				(keySpace, stored, deadline) -> Unissued.from(stored.nextOrdinal(), keySpace));
	}

	BlockIdGenerator openRecycled(String name, GeneratorProperties properties) {
		KeySpaceStore store = this.factory.store(name, properties);
		SlotStore slots = this.factory.slots(name, properties);
		GeneratorProperties.Recycled recycled = properties.recycled();
		RecycledSettings settings = new RecycledSettings(recycled.seriesSize(), recycled.capacity());
		SeriesSettings series = new SeriesSettings(recycled.seriesPerInstance(), properties.lease());
		BlockIdGenerator.Builder builder = BlockIdGenerator.recycled(name, settings, series, store, slots);
		// pass the size as the maximum, because blocks of series do not grow, and
		// BlockSettings rejects a configured maximum that is less than the size
		this.factory.applySharedSettings(
				builder.blockSettings(blockSettings(properties.block(), properties.block().size())), properties);
		return open(builder, properties, settings, store, Unissued.inSeries(slots, settings.seriesSize()));
	}

	private BlockIdGenerator open(BlockIdGenerator.Builder builder, GeneratorProperties properties,
			KeySpaceSettings settings, KeySpaceStore store, Unissued unissued) {
		if (properties.namesColumn()) {
			new ColumnVerification(this.factory).verify(builder, properties, settings, store, unissued);
		}
		BlockIdGenerator generator = builder.open();
		this.factory.addKeys(builder.name(),
				GeneratorKeys.of(properties, builder.keySpaceName(), generator.keySpace(), (deadline) -> {
					List<OrdinalRange> ranges = new ArrayList<>(
							unissued.read(builder.keySpaceName(), generator.keySpace(), store, deadline));
					// after the refresh, all ids that this instance has reserved but not
					// yet issued are in memory
					generator.refresh(deadline.remaining()).join();
					ranges.addAll(generator.inMemory());
					return ranges;
				}));
		return generator;
	}

	private static BlockSettings blockSettings(GeneratorProperties.Block block, long maxSize) {
		return new BlockSettings(block.size(), maxSize, block.waitTimeout(), block.outageReserve());
	}

}
