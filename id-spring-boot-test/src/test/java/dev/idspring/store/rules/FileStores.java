package dev.idspring.store.rules;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.locks.Lock;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.StoreArguments;
import dev.idspring.store.rules.SlotTakeOver.Replacement;
import dev.idspring.store.rules.SlotView.Fenced;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;

/**
 * Stores that use one plain file per key space. A file is locked while it is read and
 * replaced. The superclasses of these stores implement all rules. The stores pass the
 * contracts of key space stores and of slot stores.
 */
record FileStores(Path folder, Lock lock) {

	/**
	 * Run a step while this thread holds the exclusive lock of a file, and write the
	 * changed state to the file. A file lock belongs to the whole process, so
	 * {@code lock} excludes the other threads.
	 */
	private <T> T runLocked(String name, Step<T> step) throws IOException {
		Path file = this.folder.resolve(Base64.getUrlEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8)));
		this.lock.lock();
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE); FileLock fileLock = channel.lock()) {
			ByteBuffer before = ByteBuffer.allocate((int) channel.size());
			channel.read(before, 0);
			Properties state = new Properties();
			state.load(new ByteArrayInputStream(before.array()));
			T result = step.run(state);
			ByteArrayOutputStream after = new ByteArrayOutputStream();
			state.store(after, null);
			channel.truncate(0).write(ByteBuffer.wrap(after.toByteArray()), 0);
			channel.force(true);
			return result;
		}
		finally {
			this.lock.unlock();
		}
	}

	private <T> T run(String what, String name, Step<Outcome<T>> step, Deadline deadline) {
		try {
			while (true) {
				Outcome<T> outcome = runLocked(name, step);
				outcome.afterCommit().run();
				T result = outcome.result();
				if (result != null) {
					return result;
				}
				if (outcome.pause().compareTo(deadline.remaining()) > 0 || deadline.hasPassed()) {
					throw new IdStoreUnavailableException("Cannot " + what + " yet: " + outcome.reason());
				}
				TimeSource.system().sleep(outcome.pause());
			}
		}
		catch (IOException ex) {
			throw new IdStoreUnavailableException("Cannot " + what, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IdStoreUnavailableException("Interrupted while trying to " + what, ex);
		}
	}

	private interface Step<T> {

		T run(Properties state) throws IOException;

	}

	final class KeySpaces extends RuledKeySpaceStore<IOException> {

		@Override
		public StoreDescription describe() {
			return new StoreDescription("file", null, List.of());
		}

		@Override
		protected FenceRules rules() {
			return FenceRules.none();
		}

		@Override
		protected <T> T attempt(String what, String name, Work<T, IOException> work, Deadline deadline) {
			return run(what, name, (state) -> work.run(new OneKeySpace(name, state)), deadline);
		}

		@Override
		protected KeySpaceRegressionException missingKeySpace(String name) {
			return new KeySpaceRegressionException("Key space '" + name + "' has vanished.");
		}

		@Override
		public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
			StoreArguments.create(name, definition, capacity, deadline);
			return remember(run("create key space", name, (state) -> {
				OneKeySpace keySpace = new OneKeySpace(name, state);
				if (keySpace.view().isEmpty()) {
					keySpace.write(new KeySpaceView(new StoredKeySpace(name, definition, capacity, 0), false, "",
							FenceState.NONE));
				}
				return Outcome.of(keySpace.view().orElseThrow().keySpace());
			}, deadline));
		}

		@Override
		public Optional<StoredKeySpace> read(String name, Deadline deadline) {
			StoreArguments.read(name, deadline);
			return run("read key space", name,
					(state) -> Outcome.of(new OneKeySpace(name, state).view().map(this::predicted)), deadline);
		}

	}

	private static final class OneKeySpace extends ReplacingKeySpaceAccess<IOException> {

		private final String name;

		private final Properties state;

		OneKeySpace(String name, Properties state) {
			this.name = name;
			this.state = state;
		}

		@Override
		public Optional<KeySpaceView> view() {
			String[] fields = this.state.getProperty("key-space", "").split("\n", 4);
			return (fields.length < 4) ? Optional.empty()
					: Optional.of(new KeySpaceView(new KeySpaces.StoredKeySpace(this.name, fields[3],
							Long.parseLong(fields[0]), Long.parseLong(fields[1])), false, fields[2], FenceState.NONE));
		}

		void write(KeySpaceView view) {
			this.state.setProperty("key-space", String.join("\n", Long.toString(view.keySpace().capacity()),
					Long.toString(view.keySpace().nextOrdinal()), view.reservation(), view.keySpace().definition()));
		}

		@Override
		protected boolean replace(KeySpaceView before, KeySpaceView after) {
			// the file has been locked since it was read
			write(after);
			return true;
		}

	}

	final class Slots extends RuledSlotStore<IOException> {

		private final Duration clockOffset;

		Slots(Duration clockOffset) {
			this.clockOffset = clockOffset;
		}

		@Override
		public Instant time(Deadline deadline) {
			StoreArguments.time(deadline);
			return Instant.ofEpochMilli(System.currentTimeMillis()).plus(this.clockOffset);
		}

		@Override
		protected FenceRules rules() {
			return FenceRules.none();
		}

		@Override
		protected String place() {
			return "its file";
		}

		@Override
		protected <T> T attempt(String what, String keySpace, Work<T, IOException> work, Deadline deadline) {
			return run(what, keySpace, (state) -> work.run(new AllSlots(state, time(deadline).toEpochMilli())),
					deadline);
		}

		@Override
		protected <T> T read(String what, String keySpace, Query<T, IOException> query, Deadline deadline) {
			return attempt(what, keySpace, (access) -> Outcome.of(query.run(access)), deadline);
		}

		@Override
		public boolean belongsTo(KeySpaceStore keySpaces) {
			InvalidSettingException.requireGiven(Slots.class, "keySpaces", keySpaces);
			return keySpaces instanceof KeySpaces;
		}

		void forget(String keySpace, long number) {
			run("forget a slot", keySpace, (state) -> Outcome.of(state.remove("slot " + number)),
					Deadline.in(Duration.ofMinutes(1)));
		}

	}

	private record AllSlots(Properties state, long now) implements SlotAccess<IOException> {

		@Override
		public SlotView view(OptionalLong number) {
			List<SlotState> slots = this.state.stringPropertyNames()
				.stream()
				.filter((name) -> name.startsWith("slot "))
				.map((name) -> slot(Long.parseLong(name.substring(5)), this.state.getProperty(name)))
				.filter((slot) -> number.isPresent() ? slot.slot().number() == number.getAsLong()
						: !slot.slot().isUsedUp())
				.sorted((one, other) -> Long.compare(one.slot().number(), other.slot().number()))
				.toList();
			return new SlotView(next(), 0, Fenced.NONE, FenceState.NONE, slots, this.now);
		}

		private static SlotState slot(long number, String text) {
			String[] fields = text.split("\n", 6);
			return new SlotState(new Slot(number, Long.parseLong(fields[0]), Long.parseLong(fields[1])),
					fields[5].isEmpty() ? null : fields[5], fields[4].isEmpty() ? null : fields[4],
					Long.parseLong(fields[2]), Long.parseLong(fields[3]));
		}

		private long next() {
			return Long.parseLong(this.state.getProperty("next", "0"));
		}

		@Override
		public boolean replace(SlotState before, SlotState after) {
			this.state.setProperty("slot " + after.slot().number(),
					String.join("\n", Long.toString(after.slot().position()), Long.toString(after.slot().end()),
							Long.toString(after.leasedAt()), Long.toString(after.leaseUntil()),
							(after.token() != null) ? after.token() : "",
							(after.owner() != null) ? after.owner() : ""));
			return true;
		}

		@Override
		public boolean insert(SlotState slot) {
			return replace(slot, slot);
		}

		@Override
		public Optional<SlotState> create(SlotView view, SlotSpace space, SlotOwner owner) {
			for (long number = next(); number < space.count(); number++) {
				this.state.setProperty("next", Long.toString(number + 1));
				SlotState created = SlotState.created(number, space, owner, this.now);
				if (!this.state.containsKey("slot " + number) && insert(created)) {
					return Optional.of(created);
				}
			}
			return Optional.empty();
		}

		@Override
		public boolean skip(long numbers, List<Replacement> replacements) {
			this.state.setProperty("next", Long.toString(next() + numbers));
			return replacements.stream().allMatch((slot) -> replace(slot.before(), slot.after()));
		}

	}

}
