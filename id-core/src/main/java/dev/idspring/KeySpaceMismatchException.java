package dev.idspring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the configuration differs from the stored definition of a key space, or if
 * the key space was closed. The definition is fixed when the key space is created, except
 * that secrets may be added for the strategy {@code sequential}. The upper bound, which
 * may be raised, is not part of the definition.
 *
 * @since 0.1.0
 */
public class KeySpaceMismatchException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private static final String STRATEGY = "strategy";

	private static final String SECRETS = "text.secrets";

	private final Reason reason;

	private final String stored;

	private final String configured;

	/**
	 * Create an exception with both definitions.
	 * @param reason why the generator cannot use the key space
	 * @param message the message, which names the generator or key space and the values
	 * involved, and says what to do
	 * @param stored the stored definition
	 * @param configured the configured definition
	 */
	public KeySpaceMismatchException(Reason reason, String message, String stored, String configured) {
		super(message);
		this.reason = reason;
		this.stored = stored;
		this.configured = configured;
	}

	/**
	 * Create an exception whose message names the settings that differ.
	 * @param keySpace the name of the key space
	 * @param stored the stored definition
	 * @param configured the configured definition
	 * @return the exception
	 */
	public static KeySpaceMismatchException ofDefinitions(String keySpace, String stored, String configured) {
		Map<String, String> storedSettings = settings(stored);
		Map<String, String> configuredSettings = settings(configured);
		Set<String> names = differentNames(storedSettings, configuredSettings);
		String configuredSecret = storedSettings.containsKey(SECRETS) ? "another secret" : "a secret";
		return new KeySpaceMismatchException(Reason.DEFINITION, "Key space '" + keySpace + "' was created with "
				+ describe(names, storedSettings, "a secret") + ", but the configuration has "
				+ describe(names, configuredSettings, configuredSecret)
				+ ". A key space has fixed settings. Only its upper bound may be raised and, with the strategy"
				+ " sequential, secrets may be added. The key space may also belong to another application that uses"
				+ " the same tables.", stored, configured);
	}

	/**
	 * Create an exception for a key space that was closed, because the database now
	 * generates the keys of its table.
	 * @param keySpace the name of the key space
	 * @param stored the stored definition
	 * @param configured the configured definition
	 * @return the exception
	 */
	public static KeySpaceMismatchException ofClosed(String keySpace, String stored, String configured) {
		return new KeySpaceMismatchException(Reason.CLOSED,
				"Key space '" + keySpace + "' was closed by the script that the command 'leave' printed: an identity"
						+ " column or a sequence now generates the keys of its table. Remove the generator, and start"
						+ " instances that no longer use it.",
				stored, configured);
	}

	/**
	 * Create an exception for an instance that was started with fewer secrets than the
	 * key space has now.
	 * @param keySpace the name of the key space
	 * @param stored the stored definition
	 * @param configured the definition of this instance
	 * @return the exception
	 */
	public static KeySpaceMismatchException ofSecrets(String keySpace, String stored, String configured) {
		return new KeySpaceMismatchException(Reason.FEWER_SECRETS,
				"Key space '" + keySpace + "' has " + secrets(stored) + " secrets, but this instance was started with "
						+ secrets(configured)
						+ ", so it would give its ids the text forms of other ids. Restart the instance with the"
						+ " secrets that the other instances have.",
				stored, configured);
	}

	/**
	 * Return why the generator cannot use the key space.
	 * @return the reason
	 */
	public Reason getReason() {
		return this.reason;
	}

	/**
	 * Return the stored definition.
	 * @return the definition
	 */
	public String getStored() {
		return this.stored;
	}

	/**
	 * Return the configured definition.
	 * @return the definition
	 */
	public String getConfigured() {
		return this.configured;
	}

	/**
	 * Return the names of the settings that differ. If the strategies differ, no other
	 * settings are compared. The names of text settings begin with {@code text.}.
	 * @return the names, in the order of the stored definition; names that only the
	 * configured definition contains come last
	 */
	public Set<String> getDifferentSettings() {
		return differentNames(settings(this.stored), settings(this.configured));
	}

	private static Set<String> differentNames(Map<String, String> storedSettings,
			Map<String, String> configuredSettings) {
		if (!Objects.equals(storedSettings.get(STRATEGY), configuredSettings.get(STRATEGY))) {
			return Set.of(STRATEGY);
		}
		Set<String> names = new LinkedHashSet<>(storedSettings.keySet());
		names.addAll(configuredSettings.keySet());
		names.removeIf((name) -> Objects.equals(storedSettings.get(name), configuredSettings.get(name)));
		if (names.contains("length") || names.contains("alphabet")) {
			// the multiplier is not reported, because it depends on these settings
			names.remove("multiplier");
		}
		if (names.contains(SECRETS)) {
			// the "from" of a secret is comparable only if the secrets are the same
			names.removeIf((name) -> name.startsWith(SECRETS + "["));
		}
		return names;
	}

	private static String describe(Set<String> names, Map<String, String> settings, String secret) {
		return names.stream()
			.map((name) -> describe(name, settings.get(name), secret))
			.collect(Collectors.joining(", "));
	}

	private static String describe(String name, @Nullable String value, String secret) {
		if (name.equals(SECRETS)) {
			return (value != null) ? secret : "no secret";
		}
		return (value != null) ? name + "=" + value : "no " + name;
	}

	private static Map<String, String> settings(String definition) {
		Map<String, String> settings = new LinkedHashMap<>();
		String namePrefix = "";
		// in a definition of composite, the word "time" is not a setting
		for (String token : (STRATEGY + "=" + definition)
			.split(" (?:time )?(?=(?:text|check|scoped)(?: |$)|[a-z-]+=)")) {
			List<String> setting = List.of(token.split("=", 2));
			if (token.equals("text")) {
				namePrefix = "text.";
			}
			else {
				settings.put(namePrefix + setting.get(0), setting.get(setting.size() - 1));
			}
		}
		settings.computeIfPresent("text.pattern", (name, value) -> value.replace("%20", " ").replace("%25", "%"));
		String secrets = settings.get(SECRETS);
		if (secrets != null) {
			splitSecrets(secrets, settings);
		}
		return settings;
	}

	private static void splitSecrets(String secrets, Map<String, String> settings) {
		List<String> fingerprints = new ArrayList<>();
		for (String secret : secrets.split(",")) {
			List<String> parts = List.of(secret.split("/", 2));
			if (!fingerprints.isEmpty()) {
				settings.put(SECRETS + "[" + fingerprints.size() + "].from", parts.get(0));
			}
			fingerprints.add(parts.get(parts.size() - 1));
		}
		settings.put(SECRETS, String.join(",", fingerprints));
	}

	private static long secrets(String definition) {
		return settings(definition).keySet().stream().filter((name) -> name.startsWith(SECRETS)).count();
	}

	/**
	 * Why a generator cannot use a key space.
	 *
	 * @since 0.1.0
	 */
	public enum Reason {

		/** The settings differ from those of the key space. */
		DEFINITION,

		/** The instance has fewer secrets than the key space. */
		FEWER_SECRETS,

		/** An added secret would also apply to ids that are already reserved. */
		SECRET_FROM,

		/** The key space was closed, because the database now generates the keys. */
		CLOSED

	}

}
