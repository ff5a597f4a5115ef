package dev.idspring.tools.command;

import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.tools.command.CommandReport.Outcome;

/**
 * Prints the script that creates the database functions that generate ids. The command
 * does not connect to a database.
 */
final class DdlCommand implements IdsCommand {

	@Override
	public Help help() {
		return new Help("ddl", "Prints the SQL by which the database makes the ids of a generator.",
				"none, as the database is not asked. Running the script takes the right to create functions,"
						+ " and to insert into the table of slots.",
				new Option("ids.ddl.generator", "Name of the generator. Required."),
				new Option("ids.ddl.node", "Number of the node that the database is to be, with time strategies."),
				new Option("ids.ddl.platform",
						"postgresql, mariadb or mysql. By default that of the DataSource's URL."),
				new Option("ids.ddl.schema", "Schema of the functions."),
				new Option("ids.ddl.function", "Name of the function that makes ids. Default next_id."),
				new Option("ids.ddl.file", "File to write to, which must not exist, instead of standard output."));
	}

	@Override
	public CommandReport run(CommandContext context) {
		IdsProperties.Ddl ddl = context.options("ids.ddl", IdsProperties.Ddl.class);
		DdlScript script = DdlScript.of(context.environment(), ddl);
		String what = "The script that lets " + script.platform().product() + " share in id generator '"
				+ script.generator() + "'";
		if (ddl.file() == null) {
			return CommandReport.ofScript(what + ". No database has been changed.", script.sql());
		}
		CommandContext.write("ids.ddl.file", ddl.file(), script.sql());
		return CommandReport
			.of(Outcome.DONE, what + " was written to " + ddl.file() + ". Run it, or make a migration of it.")
			.with("file", ddl.file());
	}

}
