package dev.idspring.store.memory;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.UsageHistory.StoredHistory;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.StoreArguments;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.store.rules.FenceState;
import dev.idspring.store.rules.KeySpaceView;
import dev.idspring.store.rules.ReplacingKeySpaceAccess;
import dev.idspring.store.rules.RuledKeySpaceStore;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Stores key spaces in the memory of this JVM, for tests and for programs that tolerate
 * repeated ids after a restart. Generators that use the same store object share its key
 * spaces.
 *
 * @since 0.1.0
 */
public final class InMemoryKeySpaceStore extends RuledKeySpaceStore<RuntimeException> {

	static final String TYPE = "memory";

	private final ConcurrentMap<String, KeySpaceView> keySpaces = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, UsageHistory> histories = new ConcurrentHashMap<>();

	private final AtomicReference<@Nullable InMemorySlotStore> slotStore = new AtomicReference<>();

	private final TimeSource timeSource;

	/**
	 * Create an empty store.
	 */
	public InMemoryKeySpaceStore() {
		this(TimeSource.system());
	}

	/**
	 * Create an empty store with a given clock.
	 * @param timeSource supplies the time at which a usage history is read
	 */
	public InMemoryKeySpaceStore(TimeSource timeSource) {
		this.timeSource = InvalidSettingException.requireGiven(InMemoryKeySpaceStore.class, "timeSource", timeSource);
	}

	@Override
	public StoreDescription describe() {
		return new StoreDescription(TYPE, null,
				List.of("Reservations exist only in this JVM: after a restart, ids repeat."));
	}

	boolean acceptSlotStore(InMemorySlotStore candidate) {
		return this.slotStore.compareAndSet(null, candidate) || this.slotStore.get() == candidate;
	}

	@Override
	public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
		StoreArguments.create(name, definition, capacity, deadline);
		return remember(
				this.keySpaces.computeIfAbsent(name, (key) -> view(new StoredKeySpace(key, definition, capacity, 0)))
					.keySpace());
	}

	private static KeySpaceView view(StoredKeySpace stored) {
		return new KeySpaceView(stored, false, "", FenceState.NONE);
	}

	/**
	 * {@inheritDoc}
	 *
	 * This store always throws an exception. A new store is empty, so the application can
	 * create each key space with all of its secrets.
	 */
	@Override
	public StoredKeySpace redefine(String name, String known, String replacement, long most, Deadline deadline) {
		StoreArguments.redefine(name, known, replacement, most, deadline);
		throw new IdSetupException("The in-memory store cannot add secrets to key space '" + name + "'.",
				"Use the secrets that the key space was created with, or create another key space.");
	}

	@Override
	protected FenceRules rules() {
		return FenceRules.none();
	}

	@Override
	protected <T> T attempt(String what, String name, Work<T, RuntimeException> work, Deadline deadline) {
		while (true) {
			T result = work.run(new Access(name)).result();
			if (result != null) {
				return result;
			}
		}
	}

	@Override
	protected KeySpaceRegressionException missingKeySpace(String name) {
		return new KeySpaceRegressionException("Key space '" + name + "' has vanished from the in-memory store.");
	}

	@Override
	public Optional<StoredKeySpace> read(String name, Deadline deadline) {
		StoreArguments.read(name, deadline);
		return Optional.ofNullable(this.keySpaces.get(name)).map(KeySpaceView::keySpace);
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
	 * Return all stored key spaces.
	 * @return a copy of the key spaces by name
	 */
	public Map<String, StoredKeySpace> keySpaces() {
		return this.keySpaces.values()
			.stream()
			.map(KeySpaceView::keySpace)
			.collect(Collectors.toUnmodifiableMap(StoredKeySpace::name, Function.identity()));
	}

	/**
	 * Replace all stored key spaces, as if a backup were restored.
	 * @param keySpaces the key spaces by name
	 */
	public void restore(Map<String, StoredKeySpace> keySpaces) {
		InvalidSettingException.requireGiven(InMemoryKeySpaceStore.class, "keySpaces", keySpaces);
		InvalidSettingException.requireElements(InMemoryKeySpaceStore.class, "keySpaces", keySpaces.values());
		this.keySpaces.keySet().retainAll(keySpaces.keySet());
		keySpaces.forEach((name, stored) -> this.keySpaces.put(name, view(stored)));
	}

	/**
	 * The operations on one key space.
	 */
	private final class Access extends ReplacingKeySpaceAccess<RuntimeException> {

		private final String name;

		Access(String name) {
			this.name = name;
		}

		@Override
		public Optional<KeySpaceView> view() {
			return Optional.ofNullable(InMemoryKeySpaceStore.this.keySpaces.get(this.name));
		}

		@Override
		protected boolean replace(KeySpaceView before, KeySpaceView after) {
			return InMemoryKeySpaceStore.this.keySpaces.replace(this.name, before, after);
		}

	}

}
