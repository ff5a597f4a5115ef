package dev.idspring.text;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.idspring.InvalidSettingException;

/**
 * A scope (such as a tenant) in one period. The numbers of each scope are counted
 * separately in each period. Scopes are compared code point by code point: {@code Acme}
 * and {@code acme} are different scopes, and so are the composed and the decomposed form
 * of an accented letter.
 *
 * @param parts 1 to 8 non-empty strings that identify the scope, without control
 * characters or unpaired surrogates, and with a {@link #name()} of at most 500
 * characters; or an empty list for numbers without a scope
 * @param period the name of the period, as {@link ScopePeriod#nameOf} returns it
 * @since 0.1.0
 */
public record IdScope(List<String> parts, String period) {

	private static final Pattern PERIOD = Pattern.compile("-|[0-9]{4}(-[0-9]{2}){0,2}");

	/** The value for numbers that have neither a scope nor a period. */
	public static final IdScope NONE = new IdScope(List.of(), "-");

	private static final int MAX_PARTS = 8;

	private static final int MAX_NAME_LENGTH = 500;

	/**
	 * Create a scope.
	 * @throws IllegalArgumentException if a part or the period is invalid; the message
	 * says why
	 */
	public IdScope {
		verify(parts);
		parts = List.copyOf(parts);
		InvalidSettingException.require(period != null && PERIOD.matcher(period).matches(), IdScope.class, "period",
				period,
				"must be a year such as 2026, a month such as 2026-11, a day such as 2026-11-30, or - for no period");
	}

	/**
	 * Verify that a list of parts is valid for a scope.
	 * @param parts the parts
	 * @throws IllegalArgumentException if the list is invalid; the message says why
	 */
	public static void verify(List<String> parts) {
		InvalidSettingException.requireGiven(IdScope.class, "parts", parts);
		require(parts.stream().noneMatch(Objects::isNull), "has a part that is null");
		require(parts.size() <= MAX_PARTS, "has " + parts.size() + " parts; at most " + MAX_PARTS + " can be stored");
		for (String part : parts) {
			require(!part.isEmpty(), "has an empty part");
			require(part.codePoints().noneMatch(IdScope::isUnusable),
					"has a control character or an unpaired surrogate in " + QuotedInput.of(part));
		}
		require(name(parts).length() <= MAX_NAME_LENGTH,
				"is longer than " + MAX_NAME_LENGTH + " characters: " + QuotedInput.of(name(parts)));
	}

	private static void require(boolean valid, String problem) {
		if (!valid) {
			throw new IllegalArgumentException("The scope " + problem + ".");
		}
	}

	private static boolean isUnusable(int codePoint) {
		int type = Character.getType(codePoint);
		return type == Character.CONTROL || type == Character.SURROGATE;
	}

	/**
	 * Return the key that identifies this scope among the scopes of its period in a
	 * store.
	 * @return 64 hexadecimal digits, or a dash if there are no parts
	 */
	public String key() {
		if (this.parts.isEmpty()) {
			return "-";
		}
		MessageDigest digest = UuidTag.sha256();
		this.parts.forEach((part) -> update(digest, part));
		update(digest, this.period);
		return HexFormat.of().formatHex(digest.digest());
	}

	/**
	 * Hash the length of a part before the part itself. Without the lengths, the parts
	 * {@code ab, c} and {@code a, bc} would have the same hash.
	 */
	private static void update(MessageDigest digest, String part) {
		byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
		digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
		digest.update(bytes);
	}

	/**
	 * Return a readable name, which consists of the parts separated by slashes. A
	 * backslash escapes a slash or a backslash inside a part.
	 * @return the name, at most 500 characters
	 */
	public String name() {
		return name(this.parts);
	}

	private static String name(List<String> parts) {
		return parts.stream()
			.map((part) -> part.replace("\\", "\\\\").replace("/", "\\/"))
			.collect(Collectors.joining("/"));
	}

	/**
	 * Split the name of a scope into its parts.
	 * @param name a name as {@link #name()} returns it
	 * @return the parts of the scope
	 */
	public static List<String> parts(String name) {
		InvalidSettingException.requireGiven(IdScope.class, "name", name);
		if (name.isEmpty()) {
			return List.of();
		}
		List<String> parts = new ArrayList<>();
		StringBuilder part = new StringBuilder();
		for (int i = 0; i < name.length(); i++) {
			char character = name.charAt(i);
			if (character == '/') {
				parts.add(part.toString());
				part.setLength(0);
				continue;
			}
			boolean escaped = character == '\\' && i + 1 < name.length();
			part.append(escaped ? name.charAt(++i) : character);
		}
		parts.add(part.toString());
		return List.copyOf(parts);
	}

	@Override
	public String toString() {
		return QuotedInput.of(name()) + (this.period.equals("-") ? "" : " in " + this.period);
	}

}
