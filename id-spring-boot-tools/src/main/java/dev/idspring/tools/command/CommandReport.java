package dev.idspring.tools.command;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.boot.json.JsonWriter;

/**
 * The result of a command.
 *
 * @param outcome whether the command succeeded
 * @param text the report as plain text
 * @param fields the content of the report as the fields of a JSON object
 */
record CommandReport(Outcome outcome, String text, Map<String, Object> fields) {

	static CommandReport of(Outcome outcome, String message) {
		return new CommandReport(outcome, message, Map.of("message", message));
	}

	/**
	 * Create a report that contains an SQL script. In the plain text, the message
	 * precedes the script as SQL comments. Therefore, the plain text can be run as a
	 * script, or saved as a migration.
	 */
	static CommandReport ofScript(String message, String script) {
		String comment = message.lines().map((line) -> "-- " + line).collect(Collectors.joining("\n"));
		return new CommandReport(Outcome.DONE, comment + "\n\n" + script.stripTrailing(), Map.of("message", message))
			.with("script", script);
	}

	CommandReport with(String field, Object value) {
		Map<String, Object> extended = new LinkedHashMap<>(this.fields);
		extended.put(field, value);
		return new CommandReport(this.outcome, this.text, extended);
	}

	String json(String command) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("command", command);
		json.put("outcome", this.outcome.name().toLowerCase(Locale.ROOT));
		json.putAll(this.fields);
		return JsonWriter.standard().writeToString(json);
	}

	/**
	 * The outcome of a command.
	 */
	enum Outcome {

		/**
		 * The command completed without a problem.
		 */
		DONE(0),

		/**
		 * The command ran and found a problem that the operator must resolve.
		 */
		PROBLEMS(1),

		/**
		 * The command could not run.
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
