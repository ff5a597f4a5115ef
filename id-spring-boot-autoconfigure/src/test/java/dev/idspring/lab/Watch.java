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
 * Waits for entries that callers (threads that draw ids) write to their files.
 */
final class Watch {

	/** Long enough for a busy machine. */
	static final Duration TIMEOUT = Duration.ofMinutes(10);

	private final Path directory;

	private final List<String> instances;

	private final BooleanSupplier stopWaiting;

	/**
	 * @param stopWaiting returns whether a process has ended, so that its callers will
	 * write no more entries
	 */
	Watch(Path directory, List<String> instances, BooleanSupplier stopWaiting) {
		this.directory = directory;
		this.instances = instances;
		this.stopWaiting = stopWaiting;
	}

	/**
	 * Wait until each caller of each instance has received an id in a call that began
	 * after this method was called.
	 * @return the callers that have received none
	 */
	List<String> awaitIds() {
		return await(EnumSet.allOf(LabGenerator.class), (answer) -> answer == Answer.ID);
	}

	/**
	 * Wait for ids while another instance is frozen. The frozen instance may hold the
	 * lock of the row of a gapless sequence, so gapless generators are ignored.
	 * @return the callers of other generators that have received none
	 */
	List<String> awaitIdsWhileAnInstanceIsFrozen() {
		return await(EnumSet.complementOf(EnumSet.of(LabGenerator.INVOICES)), (answer) -> answer == Answer.ID);
	}

	/**
	 * Wait until each caller has received an answer (an id or an error) to a call that
	 * began after this method was called.
	 * @return the callers that have received none
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
							new Follower(RecordFile.callFile(this.directory, instance, generator, i)));
				}
			}
		}
		try {
			Awaitility.await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(50)).until(() -> {
				waiting.values().removeIf((follower) -> follower.sees(wanted));
				return waiting.isEmpty() || this.stopWaiting.getAsBoolean();
			});
		}
		catch (ConditionTimeoutException ex) {
			// the callers that are still waiting are returned
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

		private long firstCall = -1;

		Follower(Path file) {
			this.file = file;
			this.offset = RecordFile.endOffset(file);
		}

		/**
		 * Return whether the file contains a wanted answer to a call that began after the
		 * first call that this object has read.
		 */
		boolean sees(Predicate<Answer> wanted) {
			boolean[] seen = new boolean[1];
			this.offset = RecordFile.readCalls(this.file, this.offset, (answer, before, after, tookMillis, id) -> {
				this.firstCall = (this.firstCall < 0) ? before : this.firstCall;
				seen[0] |= before > this.firstCall && wanted.test(answer);
			});
			return seen[0];
		}

	}

}
