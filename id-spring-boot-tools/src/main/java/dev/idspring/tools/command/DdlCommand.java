package dev.idspring.tools.command;

import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.tools.command.CommandReport.Outcome;

/**
 * Prints a script that creates a database function for generating ids, or writes the
 * script to a file. The command does not connect to a database.
 */
final class DdlCommand implements IdsCommand {

	@Override
	public Help help() {
		return new Help("ddl",
				"Prints or writes the SQL for a database function that creates ids like those of a generator.",
				"none, because the command does not connect to the database. The script needs the right to create"
						+ " functions and a sequence or table, and to insert into the table of slots.",
				new Option("ids.ddl.generator", "Name of the generator. Required."),
				new Option("ids.ddl.node", "Node number that only this database uses. Required."),
				new Option("ids.ddl.platform",
						"postgresql, mariadb or mysql. By default, from ids.jdbc.platform or spring.datasource.url."),
				new Option("ids.ddl.schema", "Schema of the function and its sequence or table."),
				new Option("ids.ddl.function", "Name of the function that generates ids. Default next_id."), new Option(
						"ids.ddl.file", "File for the SQL. The file must not exist yet. By default, standard output."));
	}

	@Override
	public CommandReport run(CommandContext context) {
		IdsProperties.Ddl ddl = context.options("ids.ddl", IdsProperties.Ddl.class);
		DdlScript script = DdlScript.of(context.environment(), ddl);
		String subject = "The script for the " + script.platform().product() + " function that creates ids of generator"
				+ " '" + script.generator() + "'";
		if (ddl.file() == null) {
			return CommandReport.ofScript(subject + ". No database has been changed.", script.sql());
		}
		CommandContext.write("ids.ddl.file", ddl.file(), script.sql());
		return CommandReport
			.of(Outcome.DONE, subject + " was written to " + ddl.file() + ". Run it, or turn it into a migration.")
			.with("file", ddl.file());
	}

}
