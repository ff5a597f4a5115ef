package dev.idspring.benchmarks.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Processes in namespaces of their own, as in containers: each has the process id 1 and
 * the same host name. They share the network, and so the address of its card.
 */
final class Containers {

	private static final List<String> NAMESPACES = List.of("unshare", "--pid", "--uts", "--fork", "--kill-child",
			"--mount-proc");

	private static final List<String> HOST = List.of("sh", "-c", "hostname app && exec \"$0\" \"$@\"");

	private Containers() {
	}

	/**
	 * Return what to write before a command.
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
			// there is no such program
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		throw new NotRunException("this machine permits no namespaces (unshare)");
	}

}
