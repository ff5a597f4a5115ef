package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The type of a column, as written in SQL.
 *
 * @param sql the type with its size
 */
record DeclaredType(String sql) {

	/**
	 * Matches the types for arbitrary text. Types for special text, such as {@code name}
	 * in PostgreSQL, do not match.
	 */
	private static final Pattern TEXT_TYPES = Pattern
		.compile("(?i)(n|national |bp|var|nvar|var|tiny|medium|long)*(char|text|citext).*");

	private static final Pattern PARTS = Pattern
		.compile("(?i)(?<name>\\w+)[^(]*(?:\\((?<size>\\d+)(?:, ?(?<scale>-?\\d+))?\\).*)?");

	/**
	 * The databases in which a column of type {@code bit(n)} counts as a whole number of
	 * n bits. In most other databases, {@code bit} is a boolean.
	 */
	private static final Set<String> BIT_STRING_DATABASES = Set.of("PostgreSQL", "MySQL", "MariaDB");

	private static final Map<String, Integer> BITS = Map.ofEntries(Map.entry("tinyint", 7), Map.entry("smallint", 15),
			Map.entry("int2", 15), Map.entry("mediumint", 23), Map.entry("int", 31), Map.entry("integer", 31),
			Map.entry("int4", 31), Map.entry("bigint", 63), Map.entry("int8", 63));

	private static final Map<String, String> SERIAL_TYPES = Map.of("smallserial", "smallint", "serial", "integer",
			"bigserial", "bigint");

	static DeclaredType of(String typeName, int size, int scale) {
		// no column can be changed to a serial type: use the integer type behind it
		String name = SERIAL_TYPES.getOrDefault(typeName, typeName);
		String lower = name.toLowerCase(Locale.ROOT);
		boolean sized = size > 0 && size < Integer.MAX_VALUE && !name.contains("(")
				&& (TEXT_TYPES.matcher(name).matches() || lower.equals("bit"));
		boolean exact = size > 0 && (lower.startsWith("numeric") || lower.startsWith("decimal"));
		return new DeclaredType(exact ? name + "(" + size + "," + scale + ")" : sized ? name + "(" + size + ")" : name);
	}

	boolean isText() {
		return TEXT_TYPES.matcher(this.sql).matches();
	}

	/**
	 * Return whether another type can hold greater numbers or longer strings than this
	 * one.
	 * @param product the product name of the database
	 */
	boolean isNarrowerThan(DeclaredType other, String product) {
		BigInteger end = end(product);
		BigInteger otherEnd = other.end(product);
		if (end != null && otherEnd != null) {
			return end.compareTo(otherEnd) < 0;
		}
		Integer length = length();
		Integer otherLength = other.length();
		return length != null && other.isText() && (otherLength == null || length < otherLength);
	}

	private boolean isUnsigned() {
		return this.sql.toLowerCase(Locale.ROOT).contains("unsigned");
	}

	/**
	 * Return the first word of the type, in lower case. If the type does not begin with a
	 * word, return the whole type.
	 */
	String name() {
		Matcher parts = PARTS.matcher(this.sql);
		return parts.matches() ? parts.group("name").toLowerCase(Locale.ROOT) : this.sql;
	}

	/**
	 * Return the maximum number of characters, or {@code null} if the type is not a text
	 * type or has no maximum.
	 */
	@Nullable Integer length() {
		Matcher parts = PARTS.matcher(this.sql);
		return (isText() && parts.matches() && parts.group("size") != null) ? Integer.valueOf(parts.group("size"))
				: null;
	}

	/**
	 * Return the greatest number that the type can hold, or {@code null} if it does not
	 * hold whole numbers.
	 * @param product the product name of the database
	 */
	@Nullable BigInteger end(String product) {
		Matcher parts = PARTS.matcher(this.sql);
		if (!parts.matches()) {
			return null;
		}
		String name = name();
		Integer bits = BITS.get(name);
		String size = parts.group("size");
		if (bits != null) {
			// in SQLite, all integer types have 64 bits
			return ones(product.equals("SQLite") ? Long.SIZE - 1 : isUnsigned() ? bits + 1 : bits);
		}
		if (size == null) {
			return null;
		}
		if (name.equals("bit") && BIT_STRING_DATABASES.contains(product)
				&& !this.sql.toLowerCase(Locale.ROOT).contains("varying")) {
			return ones(Integer.parseInt(size));
		}
		String scale = parts.group("scale");
		boolean isWhole = (name.equals("numeric") || name.equals("decimal")) && (scale == null || scale.equals("0"));
		return isWhole ? BigInteger.TEN.pow(Integer.parseInt(size)).subtract(BigInteger.ONE) : null;
	}

	private static BigInteger ones(int bits) {
		return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
	}

}
