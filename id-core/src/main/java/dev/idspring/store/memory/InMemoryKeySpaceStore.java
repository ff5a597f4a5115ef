package dev.idspring.store.memory;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;

import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.UsageHistory.StoredHistory;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.StoreArguments;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * A store whose data lives as long as the object, for tests and for programs whose ids do
 * not outlive them. Generators that share an instance share its key spaces.
 *
 * @since 0.1.0
 */
public final class InMemoryKeySpaceStore implements KeySpaceStore {

	static final String TYPE = "memory";

	private final ConcurrentMap<String, StoredKeySpace> keySpaces = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, UsageHistory> histories = new ConcurrentHashMap<>();

	/** The last reservations, without a gap, until they are given back. */
	private final ConcurrentMap<String, OrdinalRange> last = new ConcurrentHashMap<>();

	private final AtomicReference<@Nullable InMemorySlotStore> slots = new AtomicReference<>();

	private final TimeSource timeSource;

	/**
	 * Create an empty store.
	 */
	public InMemoryKeySpaceStore() {
		this(TimeSource.system());
	}

	/**
	 * Create an empty store with a clock of its own.
	 * @param timeSource supplies the time at which a history was read
	 */
	public InMemoryKeySpaceStore(TimeSource timeSource) {
		this.timeSource = InvalidSettingException.requireGiven(InMemoryKeySpaceStore.class, "timeSource", timeSource);
	}

	@Override
	public StoreDescription describe() {
		return new StoreDescription(TYPE, null,
				List.of("Reservations live in this JVM only: after a restart ids repeat."));
	}

	boolean hasSlots(InMemorySlotStore candidate) {
		return this.slots.compareAndSet(null, candidate) || this.slots.get() == candidate;
	}

	@Override
	public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
		StoreArguments.create(name, definition, capacity, deadline);
		return this.keySpaces.computeIfAbsent(name, (key) -> new StoredKeySpace(key, definition, capacity, 0));
	}

	@Override
	public void raiseCapacity(String name, long capacity, Deadline deadline) {
		StoreArguments.raiseCapacity(name, capacity, deadline);
		this.keySpaces.computeIfPresent(name, (key, stored) -> new StoredKeySpace(key, stored.definition(),
				Math.max(capacity, stored.capacity()), stored.nextOrdinal()));
	}

	@Override
	public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
		StoreArguments.reserve(name, count, bound, deadline);
		LongUnaryOperator end = (start) -> start + Math.max(0, Math.min(count, bound - start));
		long start = move(name, end);
		OrdinalRange range = new OrdinalRange(start, end.applyAsLong(start));
		if (!range.isEmpty()) {
			// another thread may have reserved later ordinals already
			this.last.compute(name,
					(key, before) -> (before != null && before.end() > range.end()) ? before : range.after(before));
		}
		return range;
	}

	@Override
	public void count(String name, long count, Deadline deadline) {
		StoreArguments.count(name, count, deadline);
		move(name, (start) -> StoreArguments.counted(start, count));
	}

	/**
	 * Advance a counter.
	 * @return its position before
	 */
	private long move(String name, LongUnaryOperator move) {
		StoredKeySpace stored;
		do {
			stored = existing(name);
		}
		while (!this.keySpaces.replace(name, stored, movedTo(stored, move.applyAsLong(stored.nextOrdinal()))));
		return stored.nextOrdinal();
	}

	@Override
	public boolean giveBack(String name, OrdinalRange range, Deadline deadline) {
		StoreArguments.giveBack(name, range, deadline);
		OrdinalRange last = this.last.get(name);
		StoreArguments.givenBack(range, last);
		StoredKeySpace stored = existing(name);
		return last != null && last.end() == range.end() && stored.nextOrdinal() == range.end()
				&& this.last.remove(name, last) && this.keySpaces.replace(name, stored, movedTo(stored, range.start()));
	}

	@Override
	public Optional<StoredKeySpace> read(String name, Deadline deadline) {
		StoreArguments.read(name, deadline);
		return Optional.ofNullable(this.keySpaces.get(name));
	}

	@Override
	public Optional<StoredHistory> readHistory(String name, Deadline deadline) {
		StoreArguments.read(name, deadline);
		return Optional
			.of(new StoredHistory(this.histories.getOrDefault(name, UsageHistory.empty()), this.timeSource.instant()));
	}

	@Override
	public void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline) {
		StoreArguments.replaceHistory(name, known, replacement, deadline);
		this.histories.putIfAbsent(name, UsageHistory.empty());
		this.histories.replace(name, known, replacement);
	}

	/**
	 * Return everything this store remembers.
	 * @return a copy of the key spaces by name
	 */
	public Map<String, StoredKeySpace> keySpaces() {
		return Map.copyOf(this.keySpaces);
	}

	/**
	 * Replace everything this store remembers, as restoring a backup would.
	 * @param keySpaces the key spaces by name
	 */
	public void restore(Map<String, StoredKeySpace> keySpaces) {
		InvalidSettingException.requireGiven(InMemoryKeySpaceStore.class, "keySpaces", keySpaces);
		InvalidSettingException.requireElements(InMemoryKeySpaceStore.class, "keySpaces", keySpaces.values());
		this.last.clear();
		this.keySpaces.keySet().retainAll(keySpaces.keySet());
		this.keySpaces.putAll(keySpaces);
	}

	private StoredKeySpace existing(String name) {
		StoredKeySpace stored = this.keySpaces.get(name);
		if (stored == null) {
			throw new KeySpaceRegressionException("Key space '" + name + "' has vanished from the in-memory store.");
		}
		return stored;
	}

	private static StoredKeySpace movedTo(StoredKeySpace stored, long nextOrdinal) {
		return new StoredKeySpace(stored.name(), stored.definition(), stored.capacity(), nextOrdinal);
	}

}
