package dev.idspring.benchmarks.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs each process in separate namespaces, as containers do. Each process has the
 * process id 1, and all have the same host name. The processes share the network, and
 * therefore the hardware address of the network card.
 */
final class Containers {

	private static final List<String> NAMESPACES = List.of("unshare", "--pid", "--uts", "--fork", "--kill-child",
			"--mount-proc");

	private static final List<String> SET_HOST_NAME = List.of("sh", "-c", "hostname app && exec \"$0\" \"$@\"");

	private Containers() {
	}

	/**
	 * Return the words that must precede a command to run it in separate namespaces.
	 */
	static List<String> commandPrefix() {
		List<String> prefix = new ArrayList<>(NAMESPACES);
		if (!"root".equals(System.getProperty("user.name"))) {
			prefix.add("--map-root-user");
		}
		prefix.addAll(SET_HOST_NAME);
		List<String> trial = new ArrayList<>(prefix);
		trial.add("true");
		try {
			if (new ProcessBuilder(trial).start().waitFor() == 0) {
				return prefix;
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
