package dev.idspring.autoconfigure.operations;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an operator should know about a command before running it.
 *
 * @param purpose what the command does
 * @param rights the rights in the database that it needs
 * @param options the properties that it reads
 */
record CommandHelp(String purpose, String rights, List<Option> options) {

	CommandHelp(String purpose, String rights, Option... options) {
		this(purpose, rights, List.of(options));
	}

	String text(String name) {
		StringBuilder text = new StringBuilder(name + "\n  " + this.purpose + "\n  Rights: " + this.rights);
		int width = this.options.stream().mapToInt((option) -> option.property().length()).max().orElse(0);
		for (Option option : this.options) {
			text.append("\n    --")
				.append(option.property())
				.append(" ".repeat(width + 2 - option.property().length()))
				.append(option.meaning());
		}
		return text.toString();
	}

	Map<String, Object> json(String name) {
		Map<String, String> meanings = new LinkedHashMap<>();
		this.options.forEach((option) -> meanings.put(option.property(), option.meaning()));
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("name", name);
		json.put("purpose", this.purpose);
		json.put("rights", this.rights);
		json.put("options", meanings);
		return json;
	}

	/**
	 * A property that a command reads.
	 */
	record Option(String property, String meaning) {

	}

}
