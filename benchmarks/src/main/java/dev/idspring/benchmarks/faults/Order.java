package dev.idspring.benchmarks.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.testsupport.TestDatabase;
import org.jspecify.annotations.Nullable;

/**
 * What a process is to do.
 *
 * @param directory the directory of the ids, and the instances' disk
 * @param first the number of its first instance
 * @param count how many instances it has
 * @param period the mean time between two ids of a peer in an instance
 * @param rollBack whether to draw in transactions, half of which are rolled back
 * @param seed the seed of the random times
 * @param database the database, {@code null} without one
 * @param port the port of the Valkey server, 0 without one
 * @param peers the peers
 */
record Order(Path directory, int first, int count, Duration period, boolean rollBack, long seed,
		@Nullable TestDatabase database, int port, List<Peer> peers) {

	String[] arguments() {
		TestDatabase database = (this.database != null) ? this.database : new TestDatabase("", "", "", "");
		return Stream
			.concat(Stream.of(this.directory, this.first, this.count, this.period, this.rollBack, this.seed, this.port,
					database.url(), database.username(), database.password(), database.platform()), this.peers.stream())
			.map(Object::toString)
			.toArray(String[]::new);
	}

	static Order of(String[] arguments) {
		TestDatabase database = arguments[7].isEmpty() ? null
				: new TestDatabase(arguments[7], arguments[8], arguments[9], arguments[10]);
		return new Order(Path.of(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]),
				Duration.parse(arguments[3]), Boolean.parseBoolean(arguments[4]), Long.parseLong(arguments[5]),
				database, Integer.parseInt(arguments[6]), Stream.of(arguments).skip(11).map(Peer::valueOf).toList());
	}

}
