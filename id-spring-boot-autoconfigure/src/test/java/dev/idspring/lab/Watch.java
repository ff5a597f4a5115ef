package dev.idspring.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
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
	private static final Duration PATIENCE = Duration.ofSeconds(90);

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
	 * Wait until each generator of each instance has issued ids that were asked for after
	 * now.
	 * @return those that have not
	 */
	List<String> awaitIds() {
		return await(EnumSet.allOf(LabGenerator.class), false, (answer) -> answer == Answer.ID);
	}

	/**
	 * Wait for ids while somebody else is frozen, perhaps in a transaction that holds the
	 * row of a gapless sequence.
	 * @return the other generators that have issued none
	 */
	List<String> awaitIdsBesideFrozen() {
		return await(EnumSet.complementOf(EnumSet.of(LabGenerator.INVOICES)), false, (answer) -> answer == Answer.ID);
	}

	/**
	 * Wait until every caller was answered who asked after now.
	 * @return those that were not
	 */
	List<String> awaitAnswers() {
		return await(EnumSet.allOf(LabGenerator.class), true, (answer) -> true);
	}

	private List<String> await(Set<LabGenerator> generators, boolean each, Predicate<Answer> wanted) {
		Map<String, Follower> waiting = new TreeMap<>();
		for (String instance : this.instances) {
			for (LabGenerator generator : generators) {
				for (int i = 0; i < Callers.THREADS; i++) {
					waiting
						.computeIfAbsent(instance + " " + generator + (each ? " " + i : ""), (name) -> new Follower())
						.add(RecordFile.path(this.directory, instance, generator, i));
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
	 * Follows files as they grow.
	 */
	private static final class Follower {

		private final Map<Path, Long> offsets = new HashMap<>();

		private final Map<Path, Long> first = new HashMap<>();

		/**
		 * Follow a file from its end, or from the beginning if it does not exist yet.
		 */
		void add(Path file) {
			try {
				this.offsets.put(file, Files.exists(file) ? RecordFile.end(Files.size(file)) : 0L);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		/**
		 * Return whether there was a wanted answer to a call that began after the first
		 * one that was seen.
		 */
		boolean sees(Predicate<Answer> wanted) {
			boolean[] seen = new boolean[1];
			this.offsets.replaceAll((file, offset) -> !Files.exists(file) ? offset
					: RecordFile.read(file, offset, (answer, before, after, id) -> {
						long started = this.first.computeIfAbsent(file, (unknown) -> before);
						seen[0] |= before > started && wanted.test(answer);
					}));
			return seen[0];
		}

	}

}
