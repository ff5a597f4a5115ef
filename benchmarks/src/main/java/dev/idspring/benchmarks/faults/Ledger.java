package dev.idspring.benchmarks.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The ids that all instances of a {@link Peer} have drawn. Each process writes a file for
 * each of its instances. The file contains each id with the times at which the id was
 * requested and drawn. The times come from the monotonic clock, which no fault changes.
 */
final class Ledger {

	static final int ENTRY_LENGTH = 4 * Long.BYTES;

	private static final int MAX_MESSAGE_LENGTH = 300;

	private static final int MAX_REASONS = 10;

	private final List<Path> files;

	private final @Nullable String failure;

	private Ledger(List<Path> files, @Nullable String failure) {
		this.files = files;
		this.failure = failure;
	}

	static Writer writer(Path directory, Peer peer, int process, int number) throws IOException {
		return new Writer(directory.resolve("%s.%d.%d.ids".formatted(peer, number, process)));
	}

	static Ledger read(Path directory, Peer peer) throws IOException {
		try (Stream<Path> all = Files.list(directory)) {
			List<Path> files = all.filter((file) -> file.getFileName().toString().startsWith(peer + "."))
				.sorted()
				.toList();
			List<Path> failures = files.stream().filter((file) -> file.toString().endsWith(".failure")).toList();
			return new Ledger(files.stream().filter((file) -> file.toString().endsWith(".ids")).toList(),
					failures.isEmpty() ? null : Files.readString(failures.get(failures.size() - 1)));
		}
	}

	/**
	 * Count the ids and the duplicates, and find the longest wait for an id.
	 * @param from when the fault began
	 * @param to when the scene (the run with this fault) ended
	 * @param lives when each process ran, by the number of the process
	 * @param pause the longest intended pause of a thread between two ids; such a pause
	 * does not count as waiting
	 * @param isCounter whether the ids are the numbers of a counter
	 */
	FaultResults.Measured measure(long from, long to, Map<Integer, Life> lives, long pause, boolean isCounter)
			throws IOException {
		long drawn = 0;
		long longest = 0;
		Set<UUID> ids = new HashSet<>();
		for (Path file : this.files) {
			Life life = lives.get(Integer.parseInt(file.getFileName().toString().split("\\.")[2]));
			ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(file));
			long last = from;
			long end = Math.min(to, life.died());
			while (content.remaining() >= ENTRY_LENGTH) {
				long requested = content.getLong();
				long time = content.getLong();
				UUID id = new UUID(content.getLong(), content.getLong());
				if (id.equals(Writer.END)) {
					end = Math.min(end, time);
				}
				else if (id.equals(Writer.BEGIN)) {
					last = time;
				}
				else {
					longest = Math.max(longest, life.waited(Math.max(requested, from), Math.min(time, end)));
					last = time + pause;
					drawn++;
					ids.add(id);
				}
			}
			longest = Math.max(longest, life.waited(Math.max(last, from), end));
		}
		return new FaultResults.Measured(drawn, drawn - ids.size(), longest / 1_000_000,
				isCounter ? countMissing(ids) : null, this.failure);
	}

	/**
	 * Return how many numbers between the lowest and the highest id were not drawn, or
	 * {@code null} if there are no ids.
	 */
	private static @Nullable Long countMissing(Set<UUID> ids) {
		LongSummaryStatistics numbers = ids.stream().mapToLong(UUID::getLeastSignificantBits).summaryStatistics();
		return ids.isEmpty() ? null : numbers.getMax() - numbers.getMin() + 1 - ids.size();
	}

	/**
	 * The times at which a process ended, was frozen, and was resumed.
	 *
	 * @param died when it ended, {@link Long#MAX_VALUE} while it runs
	 * @param frozen when it was frozen, 0 if it never was
	 * @param thawed when it was resumed, {@link Long#MAX_VALUE} while it is frozen, 0 if
	 * it was never frozen
	 */
	record Life(long died, long frozen, long thawed) {

		static final Life RUNNING = new Life(Long.MAX_VALUE, 0, 0);

		/**
		 * Return how long a caller waited between two times. The time for which the
		 * process was frozen is not counted.
		 */
		long waited(long from, long to) {
			return to - from - Math.max(0, Math.min(to, this.thawed) - Math.max(from, this.frozen));
		}

	}

	/**
	 * Writes the ids of one instance.
	 */
	static final class Writer implements AutoCloseable {

		private static final UUID BEGIN = new UUID(Long.MIN_VALUE, 0);

		private static final UUID END = new UUID(Long.MIN_VALUE, 1);

		private final Path file;

		private final OutputStream out;

		private final Set<String> reasons = new HashSet<>();

		private final List<String> failures = new ArrayList<>();

		private Writer(Path file) throws IOException {
			this.file = file;
			this.out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW);
		}

		/**
		 * Record that the instance now begins to request ids.
		 */
		void begin() throws IOException {
			write(System.nanoTime(), BEGIN);
		}

		/**
		 * Record an id.
		 * @param requested when the caller first requested the id; failed attempts do not
		 * change this time
		 */
		void recordDrawn(long requested, UUID id) {
			try {
				write(requested, id);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private void write(long requested, UUID id) throws IOException {
			this.out.write(ByteBuffer.allocate(ENTRY_LENGTH)
				.putLong(requested)
				.putLong(System.nanoTime())
				.putLong(id.getMostSignificantBits())
				.putLong(id.getLeastSignificantBits())
				.array());
		}

		/**
		 * Record why an id could not be drawn or a generator could not be opened. Only
		 * the first few reasons are recorded, and each only once.
		 */
		void recordFailure(Throwable ex) throws IOException {
			String message = String.valueOf(ex).lines().findFirst().orElse("");
			String reason = message.substring(0, Math.min(message.length(), MAX_MESSAGE_LENGTH));
			// messages that differ only in numbers count as one reason
			if (this.reasons.add(reason.replaceAll("\\d+", "")) && this.reasons.size() <= MAX_REASONS) {
				this.failures.add(reason);
				Files.writeString(this.file.resolveSibling(this.file.getFileName() + ".failure"),
						String.join("\n", this.failures));
			}
		}

		/**
		 * Record that the instance requests no more ids.
		 */
		void end() throws IOException {
			write(System.nanoTime(), END);
		}

		@Override
		public void close() throws IOException {
			this.out.close();
		}

	}

}
