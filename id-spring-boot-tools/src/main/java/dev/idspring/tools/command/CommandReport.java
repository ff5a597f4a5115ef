package dev.idspring.tools.command;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.boot.json.JsonWriter;

/**
 * What a command did or found.
 *
 * @param outcome how it ended
 * @param text the report as plain text
 * @param fields the same as fields of a JSON object
 */
record CommandReport(Outcome outcome, String text, Map<String, Object> fields) {

	static CommandReport of(Outcome outcome, String message) {
		return new CommandReport(outcome, message, Map.of("message", message));
	}

	/**
	 * A script. As plain text the message is a comment in it, so that all of it can be
	 * run or become a migration.
	 */
	static CommandReport ofScript(String message, String script) {
		String comment = message.lines().map((line) -> "-- " + line).collect(Collectors.joining("\n"));
		return new CommandReport(Outcome.DONE, comment + "\n\n" + script.stripTrailing(), Map.of("message", message))
			.with("script", script);
	}

	CommandReport with(String field, Object value) {
		Map<String, Object> more = new LinkedHashMap<>(this.fields);
		more.put(field, value);
		return new CommandReport(this.outcome, this.text, more);
	}

	String json(String command) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("command", command);
		json.put("outcome", this.outcome.name().toLowerCase(Locale.ROOT));
		json.putAll(this.fields);
		return JsonWriter.standard().writeToString(json);
	}

	/**
	 * How a command ended.
	 */
	enum Outcome {

		/**
		 * It did what it was asked for.
		 */
		DONE(0),

		/**
		 * It ran, and found something that must be looked into.
		 */
		PROBLEMS(1),

		/**
		 * It could not run.
		 */
		FAILED(2);

		private final int exitCode;

		Outcome(int exitCode) {
			this.exitCode = exitCode;
		}

		int exitCode() {
			return this.exitCode;
		}

	}

}
