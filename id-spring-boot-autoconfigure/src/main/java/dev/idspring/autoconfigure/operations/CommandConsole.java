package dev.idspring.autoconfigure.operations;

import java.io.PrintStream;
import java.util.function.IntConsumer;

/**
 * Where a command's report and exit code go.
 *
 * @param out takes the report
 * @param exit ends the process with an exit code
 */
record CommandConsole(PrintStream out, IntConsumer exit) {

	/**
	 * The console of this process. Standard output is kept for the report: what is
	 * printed or logged from now on goes to standard error.
	 */
	static CommandConsole ofProcess() {
		PrintStream out = System.out;
		System.setOut(System.err);
		return new CommandConsole(out, System::exit);
	}

}
