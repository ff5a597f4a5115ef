package dev.idspring.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Counts the answers that callers have received, and the events that stores have
 * reported, since a fault began.
 */
final class FaultEffects {

	private final Path directory;

	private final Supplier<List<String>> instances;

	/** The offset up to which each file has been read. */
	private final Map<Path, Long> offsets = new HashMap<>();

	private final Map<LabGenerator, Map<Answer, Integer>> answers = new EnumMap<>(LabGenerator.class);

	private final Map<StoreEvent, Integer> events = new EnumMap<>(StoreEvent.class);

	/**
	 * Start counting at the current end of all files.
	 * @param instances supplies the names of the current instances
	 */
	FaultEffects(Path directory, Supplier<List<String>> instances) {
		this.directory = directory;
		this.instances = instances;
		for (LabGenerator generator : LabGenerator.values()) {
			this.answers.put(generator, new EnumMap<>(Answer.class));
			callFiles(generator).forEach((file) -> this.offsets.put(file, RecordFile.endOffset(file)));
			storeFiles(generator).forEach((file) -> this.offsets.put(file, RecordFile.endOffset(file)));
		}
	}

	private List<Path> callFiles(LabGenerator generator) {
		List<Path> files = new ArrayList<>();
		for (String instance : this.instances.get()) {
			for (int i = 0; i < Callers.THREADS; i++) {
				files.add(RecordFile.callFile(this.directory, instance, generator, i));
			}
		}
		return files;
	}

	private List<Path> storeFiles(LabGenerator generator) {
		return this.instances.get()
			.stream()
			.map((instance) -> RecordFile.storeFile(this.directory, instance, generator))
			.toList();
	}

	/**
	 * Read the entries that were written since the last call.
	 */
	void readNewEntries() {
		this.answers.forEach((generator, counts) -> {
			for (Path file : callFiles(generator)) {
				this.offsets.compute(file, (key, offset) -> RecordFile.readCalls(file, (offset != null) ? offset : 0,
						(answer, before, after, tookMillis, id) -> counts.merge(answer, 1, Integer::sum)));
			}
			for (Path file : storeFiles(generator)) {
				this.offsets.compute(file, (key, offset) -> RecordFile.read(file, (offset != null) ? offset : 0, (kind,
						nanos, number, start, end) -> this.events.merge(StoreEvent.values()[kind], 1, Integer::sum)));
			}
		});
	}

	int count(LabGenerator generator, Answer answer) {
		return this.answers.get(generator).getOrDefault(answer, 0);
	}

	int count(Answer answer) {
		return this.answers.keySet().stream().mapToInt((generator) -> count(generator, answer)).sum();
	}

	int count(StoreEvent event) {
		return this.events.getOrDefault(event, 0);
	}

	/**
	 * Return the number of calls that have failed.
	 */
	int failures(LabGenerator generator) {
		return this.answers.get(generator)
			.entrySet()
			.stream()
			.filter((count) -> count.getKey() != Answer.ID)
			.mapToInt(Map.Entry::getValue)
			.sum();
	}

	int failures() {
		return this.answers.keySet().stream().mapToInt(this::failures).sum();
	}

	/**
	 * Wait until a condition is met, reading new entries before each check.
	 * @return whether the condition was met before the timeout
	 */
	boolean await(Duration timeout, BooleanSupplier condition) {
		try {
			Awaitility.await().atMost(timeout).pollInterval(Duration.ofMillis(50)).until(() -> {
				readNewEntries();
				return condition.getAsBoolean();
			});
			return true;
		}
		catch (ConditionTimeoutException ex) {
			return false;
		}
	}

	@Override
	public String toString() {
		String perGenerator = this.answers.entrySet()
			.stream()
			.map((counts) -> counts.getKey() + " " + counts.getValue())
			.collect(Collectors.joining(", "));
		return perGenerator + ", stores " + this.events;
	}

}
