package dev.idspring.autoconfigure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.idspring.IdSetupException;
import dev.idspring.time.CompositeSettings;
import dev.idspring.time.DecimalUidSettings;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeScheme;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Makes layouts of ids of time from properties.
 */
final class TimeSchemes {

	private static final int JAVASCRIPT_BITS = 53;

	/** What decides how much room there is for the time, by strategy. */
	private static final Map<String, List<String>> WIDTHS = Map.of(Strategy.SNOWFLAKE.id(),
			List.of("time-bits", "node-bits", "tail-bits"), Strategy.DECIMAL_UID.id(),
			List.of("random-digits", "node-digits"), Strategy.COMPOSITE.id(),
			List.of("prefix-digits", "sequence-digits"));

	private final GeneratorPropertiesBinder binder;

	private final SettingProperties names;

	private final TimeSource timeSource;

	TimeSchemes(GeneratorPropertiesBinder binder, SettingProperties names, TimeSource timeSource) {
		this.binder = binder;
		this.names = names;
		this.timeSource = timeSource;
	}

	TimeScheme scheme(String name, GeneratorProperties properties, boolean prefixGiven) {
		TimeScheme scheme = switch (properties.strategy()) {
			case DECIMAL_UID -> decimalUid(properties.decimalUid()).scheme();
			case COMPOSITE -> composite(properties.composite(), prefixGiven).scheme();
			default -> snowflake(name, properties.snowflake()).scheme();
		};
		scheme.verifyBegun(this.timeSource.instant());
		verifyNotOver(name, scheme);
		return scheme;
	}

	/**
	 * Refuse a layout that has ended before a key space is created with it, whose
	 * definition could not be corrected any more.
	 */
	private void verifyNotOver(String name, TimeScheme scheme) {
		Instant now = this.timeSource.instant();
		Instant last = scheme.layout().lastInstant();
		if (now.isAfter(last)) {
			String epoch = this.names.property(name, scheme.strategy() + ".epoch");
			List<String> properties = new ArrayList<>();
			WIDTHS.getOrDefault(scheme.strategy(), List.of())
				.forEach((width) -> properties.add(this.names.property(name, scheme.strategy() + "." + width)));
			String widths = String.join(", ", properties);
			properties.add(epoch);
			throw new IdSetupException(
					"Id generator '" + name + "' can make no ids: by " + epoch + ", which is " + scheme.layout().epoch()
							+ ", and " + widths + " the last instant that ids can carry was " + last + ", and it is "
							+ now + " by the clock of this machine.",
					"If no ids exist yet, correct them: a later epoch, or more room for the time. If ids exist, set "
							+ SettingProperties.own(name, "key-space")
							+ " to the name of a new key space, and a later epoch.",
					properties, null);
		}
	}

	SnowflakeSettings snowflake(String name, GeneratorProperties.Snowflake snowflake) {
		SnowflakeSettings preset = snowflake.preset().settings();
		SnowflakeSettings settings = new SnowflakeSettings(or(snowflake.epoch(), preset.epoch()),
				or(snowflake.timeBits(), preset.timeBits()), or(snowflake.nodeBits(), preset.nodeBits()),
				or(snowflake.tailBits(), preset.tailBits()), or(snowflake.tail(), preset.tail()), snowflake.format());
		int bits = settings.timeBits() + settings.nodeBits() + settings.tailBits();
		if (snowflake.preset() == SnowflakeSettings.Preset.JAVASCRIPT && bits > JAVASCRIPT_BITS) {
			String wider = WIDTHS.getOrDefault(Strategy.SNOWFLAKE.id(), List.of())
				.stream()
				.filter((width) -> this.binder.isOwn(name, "snowflake." + width))
				.findFirst()
				.orElse("preset");
			String property = this.names.property(name, "snowflake." + wider);
			throw new IdSetupException(
					property + " makes " + bits
							+ " bits in all, but numbers of the javascript preset must have at most " + JAVASCRIPT_BITS
							+ ": " + (bits - JAVASCRIPT_BITS) + " fewer.",
					"Correct the value.", List.of(property), null);
		}
		return settings;
	}

	private static <T> T or(@Nullable T value, T other) {
		return (value != null) ? value : other;
	}

	private static DecimalUidSettings decimalUid(GeneratorProperties.DecimalUid decimalUid) {
		return new DecimalUidSettings(decimalUid.epoch(), decimalUid.randomDigits(), decimalUid.nodeDigits(),
				decimalUid.signed());
	}

	static CompositeSettings composite(GeneratorProperties.Composite composite, boolean prefixGiven) {
		return new CompositeSettings(composite.epoch(), prefixGiven, composite.prefixDigits(),
				composite.sequenceDigits());
	}

}
