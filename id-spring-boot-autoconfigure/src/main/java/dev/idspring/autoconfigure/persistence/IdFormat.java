package dev.idspring.autoconfigure.persistence;

import dev.idspring.IdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The text form of values that are ids of one generator: of {@code long}, {@code Long},
 * {@code String} or a type with a single such value.
 *
 * @since 0.1.0
 */
public final class IdFormat {

	private final IdGenerator generator;

	private final boolean text;

	private final @Nullable TypedId type;

	IdFormat(IdGenerator generator, Class<?> type) {
		this.generator = generator;
		this.text = type == String.class;
		this.type = null;
	}

	IdFormat(IdGenerator generator, TypedId type) {
		this.generator = generator;
		this.text = type.holdsText();
		this.type = type;
	}

	/**
	 * Return the name of the generator.
	 * @return {@code default}, or a name under {@code ids.generators}
	 */
	public String generatorName() {
		return this.generator.name();
	}

	/**
	 * Return the text of an id.
	 * @param value a value of the type
	 * @return its text form; for a {@code String} its content
	 * @throws IllegalArgumentException if the number is not an id of the generator
	 */
	public String format(Object value) {
		Object id = (this.type != null) ? this.type.unwrap(value) : value;
		return this.text ? (String) id : this.generator.format((Long) id);
	}

	/**
	 * Return the id that a text denotes.
	 * @param text the text form
	 * @return a value of the type; a {@code String} holds the text form as the generator
	 * writes it
	 * @throws IllegalArgumentException if the text is not an id of the generator; the
	 * message says why, and quotes no more than the beginning of the text
	 */
	public Object parse(String text) {
		long number = this.generator.parse(text);
		Object id = this.text ? this.generator.format(number) : (Object) number;
		return (this.type != null) ? this.type.wrap(id) : id;
	}

	/**
	 * Return the message for input that is not a string.
	 * @param sent what was sent, for instance a number
	 * @return a message
	 */
	public String refusal(String sent) {
		return "An id of the generator '" + generatorName() + "' is written as a string, but this is " + sent
				+ ". Numbers may have been rounded in transit.";
	}

}
