package dev.idspring.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Watches what callers write down.
 */
final class Watch {

	/** What is long enough for a machine that does a lot of other things meanwhile. */
	static final Duration PATIENCE = Duration.ofSeconds(90);

	private final Path directory;

	private final List<String> instances;

	private final BooleanSupplier hopeless;

	/**
	 * Create a watch.
	 * @param hopeless says when there is no point in waiting any more
	 */
	Watch(Path directory, List<String> instances, BooleanSupplier hopeless) {
		this.directory = directory;
		this.instances = instances;
		this.hopeless = hopeless;
	}

	/**
	 * Wait until each caller of each instance has got ids that it asked for after now.
	 * @return those that have not
	 */
	List<String> awaitIds() {
		return await(EnumSet.allOf(LabGenerator.class), (answer) -> answer == Answer.ID);
	}

	/**
	 * Wait for ids while somebody else is frozen, perhaps in a transaction of the
	 * application that holds the row of a sequence without gaps.
	 * @return the callers of other generators that have got none
	 */
	List<String> awaitIdsBesideFrozen() {
		return await(EnumSet.complementOf(EnumSet.of(LabGenerator.INVOICES)), (answer) -> answer == Answer.ID);
	}

	/**
	 * Wait until every caller was answered who asked after now.
	 * @return those that were not
	 */
	List<String> awaitAnswers() {
		return await(EnumSet.allOf(LabGenerator.class), (answer) -> true);
	}

	private List<String> await(Set<LabGenerator> generators, Predicate<Answer> wanted) {
		Map<String, Follower> waiting = new TreeMap<>();
		for (String instance : this.instances) {
			for (LabGenerator generator : generators) {
				for (int i = 0; i < Callers.THREADS; i++) {
					waiting.put(instance + " " + generator + " " + i,
							new Follower(RecordFile.calls(this.directory, instance, generator, i)));
				}
			}
		}
		try {
			Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(() -> {
				waiting.values().removeIf((follower) -> follower.sees(wanted));
				return waiting.isEmpty() || this.hopeless.getAsBoolean();
			});
		}
		catch (ConditionTimeoutException ex) {
			// the answer says so
		}
		return List.copyOf(waiting.keySet());
	}

	/**
	 * Follows a file as it grows, from its end, or from the beginning if it does not
	 * exist yet.
	 */
	private static final class Follower {

		private final Path file;

		private long offset;

		private long first = -1;

		Follower(Path file) {
			this.file = file;
			this.offset = RecordFile.end(file);
		}

		/**
		 * Return whether there was a wanted answer to a call that began after the first
		 * one that was seen.
		 */
		boolean sees(Predicate<Answer> wanted) {
			boolean[] seen = new boolean[1];
			this.offset = RecordFile.readCalls(this.file, this.offset, (answer, before, after, took, id) -> {
				this.first = (this.first < 0) ? before : this.first;
				seen[0] |= before > this.first && wanted.test(answer);
			});
			return seen[0];
		}

	}

}
