package dev.idspring.entity;

import dev.idspring.IdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The text form of values that are ids of one generator: of {@code long}, {@code Long},
 * {@code String} or a type of one such value.
 *
 * @since 0.1.0
 */
public final class IdFormat {

	private final IdGenerator generator;

	private final IdRepresentation form;

	private final @Nullable TypedId type;

	IdFormat(IdGenerator generator, IdRepresentation form, @Nullable TypedId type) {
		this.generator = generator;
		this.form = form;
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
	 * @return its text form; that of a {@code String} is what it holds
	 * @throws IllegalArgumentException if the number is no id of the generator
	 */
	public String format(Object value) {
		return this.form.format(this.generator, (this.type != null) ? this.type.unwrap(value) : value);
	}

	/**
	 * Return the id that a text stands for.
	 * @param text the text form
	 * @return a value of the type; a {@code String} holds the text form as the generator
	 * writes it
	 * @throws IllegalArgumentException if the text is no id of the generator; the message
	 * says why, and quotes no more than the beginning of the text
	 */
	public Object parse(String text) {
		Object id = this.form.parse(this.generator, text);
		return (this.type != null) ? this.type.wrap(id) : id;
	}

	/**
	 * Say that something other than a text was sent.
	 * @param sent what was sent, for instance a number
	 * @return a message
	 */
	public String refusal(String sent) {
		return "An id of the generator '" + generatorName() + "' is written as a string, but this is " + sent
				+ ". Numbers may have lost digits on their way.";
	}

}
