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
 * Some properties below {@code text} have alternatives: {@code coprime.alphabet},
 * {@code coprime.length}, {@code coprime.max-length}, {@code snowflake.format} and
 * {@code text.secret}.
 */
final class TextProperties {

	static final String HOW_TO_WRITE_SECRETS = "Set a single secret as ids.text.secret. Set several secrets as a list,"
			+ " in which each secret has a key, and each secret after the first also has the number of ids before that"
			+ " secret: ids.text.secrets[0].key, ids.text.secrets[1].key, ids.text.secrets[1].from. Secrets of a"
			+ " single generator belong under ids.generators.<name>.";

	/**
	 * Matches values of {@code from} that messages may show. Any other value is hidden,
	 * because it may be a key that was written in the wrong place.
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
	 * Return the settings of a coprime key space, which has its own alphabet and length.
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
	 * Return the pattern for the numbers of scopes.
	 */
	ScopePattern pattern() {
		String pattern = this.text.pattern();
		return (pattern != null) ? ScopePattern.of(pattern, this.properties.period()) : ScopePattern.number();
	}

	/**
	 * Return the text settings, except for those that {@link #coprime} and
	 * {@link #pattern} return. Inherited secrets are ignored by coprime and scoped
	 * generators, because they are meant for other strategies.
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
	 * Return whether {@link #settings} contains a property. Scoped generators do not
	 * inherit alphabets and lengths. For {@code coprime} without a preset,
	 * {@link #coprime} returns them.
	 */
	private boolean uses(String property) {
		return this.properties.scoped() ? this.binder.isOwn(this.name, "text." + property)
				: this.properties.strategy() != Strategy.COPRIME || this.properties.coprime().preset() != null;
	}

	private boolean hasOwnSecrets() {
		return this.binder.isOwn(this.name, "text.secret") || this.binder.isOwn(this.name, "text.secrets[0].key");
	}

	/**
	 * Return the alphabet of the configured format. For the format {@code decimal}, this
	 * is {@code null} unless the format is set explicitly together with properties that
	 * require an alphabet. Without them, ids are decimal numbers of any length.
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
	 * Return the secrets, which are configured either as a single secret or as a list. A
	 * property that is set for the generator itself replaces one that is inherited under
	 * the other name.
	 */
	private List<Secret> secrets() {
		String single = this.text.secret();
		boolean ownSingle = this.binder.isOwn(this.name, "text.secret");
		boolean ownList = this.binder.isOwn(this.name, "text.secrets[0].key");
		if (single != null && !this.text.secrets().isEmpty() && ownSingle == ownList) {
			List<String> names = List.of(this.binder.property(this.name, "text.secret"),
					this.binder.property(this.name, "text.secrets[0].key"));
			throw new IdSetupException(names.get(0) + " and " + names.get(1) + " are both set.",
					"Make the single secret the first one of the list, without from.", names, null);
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
