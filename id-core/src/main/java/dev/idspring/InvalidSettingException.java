package dev.idspring;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a setting of a generator or store is invalid. The message names the Java
 * parameter. {@link #describe} returns the message with another name for the parameter,
 * such as the name of a property.
 *
 * @since 0.1.0
 */
public final class InvalidSettingException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private static final int MAX_QUOTED = 40;

	private final Class<?> settings;

	private final String parameter;

	private final transient @Nullable Object value;

	private final String requirement;

	private final List<String> related;

	/**
	 * Create an exception.
	 * @param settings the type that has the parameter
	 * @param parameter the name of the parameter
	 * @param value the invalid value
	 * @param requirement the end of the message, such as "must be at least 2" in "x is 1
	 * but must be at least 2", with a {@code %s} for the name of each related parameter
	 * @param related the names of the other parameters of {@code settings} that the value
	 * conflicts with
	 */
	public InvalidSettingException(Class<?> settings, String parameter, @Nullable Object value, String requirement,
			String... related) {
		super(describe(parameter, value, requirement, List.of(related), UnaryOperator.identity()));
		this.settings = settings;
		this.parameter = parameter;
		this.value = value;
		this.requirement = requirement;
		this.related = List.of(related);
	}

	/**
	 * Verify that a parameter meets a requirement.
	 * @param valid whether the requirement is met
	 * @param settings the type that has the parameter
	 * @param parameter the name of the parameter
	 * @param value the value
	 * @param requirement the end of the message, such as "must be at least 2" in "x is 1
	 * but must be at least 2", with a {@code %s} for the name of each related parameter
	 * @param related the names of other parameters that the requirement involves
	 * @throws InvalidSettingException if the requirement is not met
	 */
	public static void require(boolean valid, Class<?> settings, String parameter, @Nullable Object value,
			String requirement, String... related) {
		if (!valid) {
			throw new InvalidSettingException(settings, parameter, value, requirement, related);
		}
	}

	/**
	 * Verify that a parameter is not {@code null}.
	 * @param <T> the type of the parameter
	 * @param settings the type that has the parameter
	 * @param parameter the name of the parameter
	 * @param value the value
	 * @return the value
	 * @throws InvalidSettingException if the value is {@code null}
	 */
	public static <T> T requireGiven(Class<?> settings, String parameter, @Nullable T value) {
		if (value == null) {
			throw new InvalidSettingException(settings, parameter, null, "must be given");
		}
		return value;
	}

	/**
	 * Verify that a collection is not {@code null} and contains no {@code null}.
	 * @param <T> the type of the elements
	 * @param settings the type that has the parameter
	 * @param parameter the name of the parameter
	 * @param value the value
	 * @return an immutable copy of the collection
	 * @throws InvalidSettingException if the collection or an element is {@code null}
	 */
	public static <T> List<T> requireElements(Class<?> settings, String parameter, @Nullable Collection<T> value) {
		Collection<T> elements = requireGiven(settings, parameter, value);
		require(elements.stream().noneMatch(Objects::isNull), settings, parameter, elements, "must not contain null");
		return List.copyOf(elements);
	}

	/**
	 * Verify that a parameter lies in a range.
	 * @param <T> the type of the parameter
	 * @param settings the type that has the parameter
	 * @param parameter the name of the parameter
	 * @param value the value
	 * @param least the least valid value
	 * @param greatest the greatest valid value
	 * @throws InvalidSettingException if the value is {@code null} or out of range
	 */
	public static <T extends Comparable<T>> void requireRange(Class<?> settings, String parameter, @Nullable T value,
			T least, T greatest) {
		if (value == null || value.compareTo(least) < 0 || value.compareTo(greatest) > 0) {
			throw new InvalidSettingException(settings, parameter, value,
					"must be from " + text(least) + " to " + text(greatest));
		}
	}

	/**
	 * Return the type that has the parameter.
	 * @return the type, such as a record or a builder
	 */
	public Class<?> getSettings() {
		return this.settings;
	}

	/**
	 * Return the name of the parameter.
	 * @return the name of the parameter in Java
	 */
	public String getParameter() {
		return this.parameter;
	}

	/**
	 * Return the invalid value.
	 * @return the value, which is always {@code null} after deserialization
	 */
	public @Nullable Object getValue() {
		return this.value;
	}

	/**
	 * Return the other parameters that the value conflicts with.
	 * @return the names of parameters of {@link #getSettings()}
	 */
	public List<String> getRelated() {
		return this.related;
	}

	/**
	 * Describe the problem with other names for the parameters.
	 * @param names returns the name to use for a parameter of {@link #getSettings()}
	 * @return a sentence without a full stop
	 */
	public String describe(UnaryOperator<String> names) {
		return describe(this.parameter, this.value, this.requirement, this.related, names);
	}

	private static String describe(String parameter, @Nullable Object value, String requirement, List<String> related,
			UnaryOperator<String> names) {
		String rule = related.isEmpty() ? requirement
				: String.format(requirement, related.stream().map(names).toArray());
		return names.apply(parameter) + " is " + text(value) + " but " + rule;
	}

	private static String text(@Nullable Object value) {
		if (value instanceof Duration duration) {
			return DurationText.of(duration);
		}
		return (value instanceof String text) ? quote(text) : String.valueOf(value);
	}

	/**
	 * Quote the beginning of a value in printable ASCII characters, because an untrusted
	 * source may have sent a long value or control characters.
	 */
	private static String quote(String text) {
		String cut = (text.length() > MAX_QUOTED) ? text.substring(0, MAX_QUOTED) + "..." : text;
		return "'" + cut.replaceAll("[^ -~]", "?") + "'";
	}

}
