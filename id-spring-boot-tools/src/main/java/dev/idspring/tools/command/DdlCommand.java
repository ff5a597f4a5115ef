package dev.idspring.tools.command;

import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.tools.command.CommandReport.Outcome;

/**
 * Prints a script, or writes it to a file. The script creates a database function that
 * generates ids. The command does not connect to a database.
 */
final class DdlCommand implements IdsCommand {

	@Override
	public Help help() {
		return new Help("ddl",
				"Prints the SQL for a function with which the database itself creates ids of a generator.",
				"none, because the command does not connect to the database. The script needs the right to create"
						+ " functions and a sequence or table, and to insert into the table of slots.",
				new Option("ids.ddl.generator", "Name of the generator. Required."),
				new Option("ids.ddl.node", "Node number that only this database uses. Required."),
				new Option("ids.ddl.platform",
						"postgresql, mariadb or mysql. By default, the database in the DataSource's URL."),
				new Option("ids.ddl.schema", "Schema of the function and its sequence or table."),
				new Option("ids.ddl.function", "Name of the function that generates ids. Default next_id."), new Option(
						"ids.ddl.file", "File for the SQL. The file must not exist yet. By default, standard output."));
	}

	@Override
	public CommandReport run(CommandContext context) {
		IdsProperties.Ddl ddl = context.options("ids.ddl", IdsProperties.Ddl.class);
		DdlScript script = DdlScript.of(context.environment(), ddl);
		String subject = "The script with which " + script.platform().product() + " creates ids of generator '"
				+ script.generator() + "'";
		if (ddl.file() == null) {
			return CommandReport.ofScript(subject + ". No database has been changed.", script.sql());
		}
		CommandContext.write("ids.ddl.file", ddl.file(), script.sql());
		return CommandReport
			.of(Outcome.DONE, subject + " was written to " + ddl.file() + ". Run it, or turn it into a migration.")
			.with("file", ddl.file());
	}

}
