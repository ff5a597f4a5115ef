package dev.idspring.benchmarks.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.testsupport.TestDatabase;
import org.jspecify.annotations.Nullable;

/**
 * The instructions for a process of a {@link Scene}.
 *
 * @param directory the directory for the files with ids, and for the files that an
 * instance finds again after a restart
 * @param process the number of the process, which is unique in the scene
 * @param first the number of its first instance
 * @param count the number of instances in the process
 * @param period the mean time between two ids of a peer in an instance
 * @param rollBack whether to draw in transactions, half of which are rolled back
 * @param seed the seed of the random decisions
 * @param database the database, or {@code null} if the scene has none
 * @param port the port of the Valkey server, 0 if the scene has none
 * @param peers the peers
 */
record WorkerSettings(Path directory, int process, int first, int count, Duration period, boolean rollBack, long seed,
		@Nullable TestDatabase database, int port, List<Peer> peers) {

	String[] arguments() {
		TestDatabase database = (this.database != null) ? this.database : new TestDatabase("", "", "", "");
		return Stream.concat(
				Stream.of(this.directory, this.process, this.first, this.count, this.period, this.rollBack, this.seed,
						this.port, database.url(), database.username(), database.password(), database.platform()),
				this.peers.stream())
			.map(Object::toString)
			.toArray(String[]::new);
	}

	static WorkerSettings of(String[] arguments) {
		Iterator<String> next = List.of(arguments).iterator();
		Path directory = Path.of(next.next());
		int process = Integer.parseInt(next.next());
		int first = Integer.parseInt(next.next());
		int count = Integer.parseInt(next.next());
		Duration period = Duration.parse(next.next());
		boolean rollBack = Boolean.parseBoolean(next.next());
		long seed = Long.parseLong(next.next());
		int port = Integer.parseInt(next.next());
		TestDatabase database = new TestDatabase(next.next(), next.next(), next.next(), next.next());
		List<Peer> peers = new ArrayList<>();
		next.forEachRemaining((peer) -> peers.add(Peer.valueOf(peer)));
		return new WorkerSettings(directory, process, first, count, period, rollBack, seed,
				database.url().isEmpty() ? null : database, port, peers);
	}

}
