package dev.idspring.benchmarks.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs processes in their own namespaces, as containers do. Each process has the process
 * id 1, and all have the same host name. The processes share the network, and therefore
 * the hardware address of the network card.
 */
final class Containers {

	private static final List<String> NAMESPACES = List.of("unshare", "--pid", "--uts", "--fork", "--kill-child",
			"--mount-proc");

	private static final List<String> HOST = List.of("sh", "-c", "hostname app && exec \"$0\" \"$@\"");

	private Containers() {
	}

	/**
	 * Return a prefix for commands, which runs a command in its own namespaces.
	 */
	static List<String> command() {
		List<String> command = new ArrayList<>(NAMESPACES);
		if (!"root".equals(System.getProperty("user.name"))) {
			command.add("--map-root-user");
		}
		command.addAll(HOST);
		List<String> trial = new ArrayList<>(command);
		trial.add("true");
		try {
			if (new ProcessBuilder(trial).start().waitFor() == 0) {
				return command;
			}
		}
		catch (IOException ex) {
			// there is no program 'unshare' on this machine
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		throw new NotRunException("this machine does not permit namespaces (unshare)");
	}

}
