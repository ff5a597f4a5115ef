package dev.idspring.lab;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.idspring.testsupport.TestDatabase;

/**
 * A process with one or more applications, each of which is an instance. The process
 * draws ids until it is killed, or until it reads an empty line or the end of its input.
 * Any other line of input is a command.
 */
final class LabWorker {

	static final String CLOCK = "CLOCK ";

	static final String INTERRUPT = "INTERRUPT";

	static final String MEMORY = "MEMORY ";

	static final String SERIALIZABLE = "SERIALIZABLE ";

	private LabWorker() {
	}

	public static void main(String[] arguments) throws Exception {
		TestDatabase database = new TestDatabase(arguments[0], arguments[1], arguments[2], arguments[3]);
		Path directory = Path.of(arguments[4]);
		LabClock clock = new LabClock(directory);
		List<Callers> allCallers = new ArrayList<>();
		for (String instance : arguments[5].split(",")) {
			allCallers.add(Callers.start(LabApplication.start(database, directory, instance, clock), directory,
					instance, Long.parseLong(arguments[6])));
		}
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = input.readLine(); line != null && !line.isEmpty(); line = input.readLine()) {
			if (line.startsWith(CLOCK)) {
				clock.set(Long.parseLong(line.substring(CLOCK.length())));
			}
			else if (line.equals(INTERRUPT)) {
				allCallers.forEach(Callers::interrupt);
			}
			else if (line.startsWith(MEMORY)) {
				clock.setMemoryExhausted(Boolean.parseBoolean(line.substring(MEMORY.length())));
			}
			else if (line.startsWith(SERIALIZABLE)) {
				boolean serializable = Boolean.parseBoolean(line.substring(SERIALIZABLE.length()));
				allCallers.forEach((callers) -> callers.setUseSerializable(serializable));
			}
		}
		for (Callers callers : allCallers) {
			callers.close();
		}
		System.out.println("STOPPED");
	}

}
