package dev.idspring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.autoconfigure.GeneratorProperties.SecretKey;
import dev.idspring.autoconfigure.GeneratorProperties.Snowflake.Format;
import dev.idspring.autoconfigure.GeneratorProperties.Text;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.text.Alphabet;
import dev.idspring.text.ScopePattern;
import dev.idspring.text.Secret;
import dev.idspring.text.TextSettings;
import org.jspecify.annotations.Nullable;

/**
 * Reads the properties that determine how the ids of a generator are written as text.
 * Some of these settings have two names. For the strategy {@code coprime}, the alphabet
 * and the lengths can also be set as {@code coprime.*}. For {@code snowflake}, the
 * alphabet can also be set by {@code snowflake.format}. A single secret can be set as
 * {@code text.secret} or in the list {@code text.secrets}.
 */
final class TextProperties {

	static final String HOW_TO_WRITE_SECRETS = "Set a single secret as ids.text.secret. Set several secrets as a list:"
			+ " ids.text.secrets[0].key, ids.text.secrets[1].key, ids.text.secrets[1].from. Each secret has a key. Each"
			+ " secret after the first also has from, the number of ids before that secret. For a single generator,"
			+ " replace ids. with ids.generators.<name>. in these names.";

	/**
	 * Matches values of {@code from} that messages may show. Any other value is hidden,
	 * because it may be a secret that was set as {@code from} by mistake.
	 */
	private static final Pattern SHOWABLE = Pattern.compile("[-+.:/ \\dTZtz]{0,40}");

	private static final String DIGITS = "0123456789";

	private final GeneratorPropertiesBinder binder;

	private final String name;

	private final GeneratorProperties properties;

	private final Text text;

	TextProperties(GeneratorPropertiesBinder binder, String name) {
		this.binder = binder;
		this.name = name;
		this.properties = binder.bind(name);
		this.text = this.properties.text();
	}

	/**
	 * Return the settings of a coprime key space. They include its alphabet and lengths.
	 */
	CoprimeSettings coprime() {
		GeneratorProperties.Coprime coprime = this.properties.coprime();
		String alphabet = either("alphabet", this.text.alphabet(), "coprime.alphabet", coprime.alphabet());
		Integer length = either("length", this.text.length(), "coprime.length", coprime.length());
		Integer maxLength = either("max-length", this.text.maxLength(), "coprime.max-length", coprime.maxLength());
		int initialLength = (length != null) ? length : 6;
		return new CoprimeSettings(Alphabet.of((alphabet != null) ? alphabet : "base62"), initialLength,
				(maxLength != null) ? maxLength : initialLength, coprime.multiplier(), coprime.offset());
	}

	/**
	 * Return the pattern for the text form of scoped numbers.
	 */
	ScopePattern pattern() {
		String pattern = this.text.pattern();
		return (pattern != null) ? ScopePattern.of(pattern, this.properties.period()) : ScopePattern.number();
	}

	/**
	 * Return the text settings, except for those that {@link #coprime} and
	 * {@link #pattern} return. Coprime and scoped generators ignore inherited secrets,
	 * which are meant for other generators.
	 */
	TextSettings settings() {
		Strategy strategy = this.properties.strategy();
		String alphabet = (strategy == Strategy.SNOWFLAKE)
				? either("alphabet", this.text.alphabet(), "snowflake.format", formatAlphabet()) : this.text.alphabet();
		boolean onlyOwnSecrets = strategy == Strategy.COPRIME || this.properties.scoped();
		return new TextSettings(uses("alphabet") ? alphabet(alphabet) : null,
				uses("length") ? this.text.length() : null, uses("max-length") ? this.text.maxLength() : null,
				this.text.prefix(), this.text.check(), (onlyOwnSecrets && !hasOwnSecrets()) ? List.of() : secrets());
	}

	/**
	 * Return whether {@link #settings} contains the given property (the alphabet or a
	 * length). Scoped generators do not inherit these properties. For {@code coprime}
	 * without a preset, {@link #coprime} returns them.
	 */
	private boolean uses(String property) {
		return this.properties.scoped() ? this.binder.isOwn(this.name, "text." + property)
				: this.properties.strategy() != Strategy.COPRIME || this.properties.coprime().preset() != null;
	}

	private boolean hasOwnSecrets() {
		return this.binder.isOwn(this.name, "text.secret") || this.binder.isOwn(this.name, "text.secrets[0].key");
	}

	/**
	 * Return the alphabet of the configured format. For the format {@code decimal}, the
	 * result is {@code null} unless the format is set explicitly, together with an
	 * alphabet, a length or a secret. Without any of these three, ids are decimal numbers
	 * without leading zeros.
	 */
	private @Nullable String formatAlphabet() {
		Format format = this.properties.snowflake().format();
		boolean explicit = this.binder.isOwn(this.name, "snowflake.format")
				|| this.binder.isOwn(GeneratorPropertiesBinder.DEFAULT_NAME, "snowflake.format");
		boolean needed = this.text.alphabet() != null || this.text.length() != null || this.text.maxLength() != null
				|| !secrets().isEmpty();
		return (format == Format.DECIMAL && explicit && needed) ? DIGITS : format.alphabet();
	}

	private static @Nullable Alphabet alphabet(@Nullable String alphabet) {
		return (alphabet != null) ? Alphabet.of(alphabet) : null;
	}

	private <T> @Nullable T either(String property, @Nullable T value, String other, @Nullable T otherValue) {
		if (value != null && otherValue != null && !isSame(value, otherValue)) {
			List<String> names = List.of(this.binder.property(this.name, "text." + property),
					this.binder.property(this.name, other));
			throw new IdSetupException(
					names.get(0) + " and " + names.get(1)
							+ " are two names of the same setting, but have different values.",
					"Remove one of them, or set both to the same value.", names, null);
		}
		return (value != null) ? value : otherValue;
	}

	/**
	 * Return whether two values are equivalent. Strings are alphabets, which can be
	 * written in several ways.
	 */
	private static boolean isSame(Object value, Object other) {
		return (value instanceof String one && other instanceof String two) ? Alphabet.of(one).equals(Alphabet.of(two))
				: value.equals(other);
	}

	/**
	 * Return the secrets, which are configured either as a single secret or as a list. If
	 * the generator itself sets only one of these two properties, an inherited value of
	 * the other is ignored.
	 */
	private List<Secret> secrets() {
		String single = this.text.secret();
		boolean ownSingle = this.binder.isOwn(this.name, "text.secret");
		boolean ownList = this.binder.isOwn(this.name, "text.secrets[0].key");
		if (single != null && !this.text.secrets().isEmpty() && ownSingle == ownList) {
			List<String> names = List.of(this.binder.property(this.name, "text.secret"),
					this.binder.property(this.name, "text.secrets[0].key"));
			throw new IdSetupException(names.get(0) + " and " + names.get(1) + " are both set.",
					"Move the single secret to the first position of the list, without from.", names, null);
		}
		if (single != null && (ownSingle || !ownList)) {
			return List.of(Secret.of(single));
		}
		List<Secret> secrets = new ArrayList<>();
		for (SecretKey key : this.text.secrets()) {
			String element = "text.secrets[" + secrets.size() + "].";
			if (key.key() == null) {
				throw missing(element, "key", "from");
			}
			if (key.from() == null && !secrets.isEmpty()) {
				throw missing(element, "from", "key");
			}
			try {
				Secret secret = Secret.of(key.key());
				secrets.add((key.from() != null) ? from(secret, key.from().strip()) : secret);
			}
			catch (InvalidSettingException ex) {
				throw this.binder.explain(this.name, ex, (parameter) -> element + parameter);
			}
		}
		return secrets;
	}

	private IdSetupException missing(String element, String member, String otherMember) {
		String given = this.binder.property(this.name, element + otherMember);
		String missing = given.substring(0, given.length() - otherMember.length()) + member;
		return new IdSetupException(missing + " is not set.", HOW_TO_WRITE_SECRETS, List.of(missing), null);
	}

	private static Secret from(Secret secret, String from) {
		try {
			return secret.from(Long.parseLong(from));
		}
		catch (NumberFormatException ex) {
			throw new InvalidSettingException(Secret.class, "from", SHOWABLE.matcher(from).matches() ? from : "******",
					"must be the number of ids before this secret; only the strategy sequential takes a second secret");
		}
	}

}
