package dev.idspring.generator;

import dev.idspring.InvalidSettingException;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.LowThreshold;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.text.TextForm;
import dev.idspring.text.TextSettings;
import dev.idspring.text.UuidForm;
import dev.idspring.worker.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Base class of all generators except scoped ones. It alerts the listeners when few ids
 * are left.
 *
 * @since 0.1.0
 */
public abstract class AbstractIdGenerator implements ManagedIdGenerator {

	private static final long DAY_NANOS = Duration.ofDays(1).toNanos();

	private final String name;

	private final String strategy;

	private final TimeSource timeSource;

	private final LowThreshold lowThreshold;

	/** The earliest time of the next alert, as a reading of the monotonic clock. */
	private final AtomicLong nextAlert;

	private final Listeners listeners;

	private final TextSettings text;

	private final TextForm textForm;

	private final Supplier<UuidForm> newUuidForm;

	/** Created on first use, because most generators create no UUIDs. */
	private volatile @Nullable UuidForm uuidForm;

	private final long lastId;

	/**
	 * Create a generator.
	 * @param builder the settings that all generators have in common
	 * @param textForm the text form of the ids
	 * @param uuidForms creates the conversion to UUIDs when it is first needed
	 * @param lastId the last id of the key space
	 */
	protected AbstractIdGenerator(IdGeneratorBuilder<?> builder, TextForm textForm, UuidForms uuidForms, long lastId) {
		this.name = builder.name();
		this.strategy = builder.strategy();
		this.timeSource = builder.timeSource();
		this.lowThreshold = builder.lowThreshold();
		this.nextAlert = new AtomicLong(this.timeSource.nanoTime());
		this.listeners = builder.listeners();
		this.text = builder.text();
		this.textForm = textForm;
		String identity = builder.uuidIdentity();
		String keySpace = builder.keySpaceName();
		this.newUuidForm = () -> uuidForms.of(this.text, identity, keySpace);
		this.lastId = lastId;
	}

	@Override
	public final String name() {
		return this.name;
	}

	@Override
	public final TextSettings text() {
		return this.text;
	}

	@Override
	public final String textPattern() {
		return "^" + this.textForm.pattern() + "$";
	}

	@Override
	public final long lastId() {
		return this.lastId;
	}

	@Override
	public final UUID toUuid(long id) {
		verify(id);
		return uuidForm().toUuid(id);
	}

	@Override
	public final long fromUuid(UUID uuid) {
		long id = uuidForm().fromUuid(uuid);
		verify(id);
		return id;
	}

	private UuidForm uuidForm() {
		UuidForm form = this.uuidForm;
		if (form == null) {
			form = this.newUuidForm.get();
			this.uuidForm = form;
		}
		return form;
	}

	/**
	 * Verify that a number is an id of the key space.
	 * @param id a number
	 * @throws IllegalArgumentException if the number is not an id; the message says why
	 */
	protected abstract void verify(long id);

	/**
	 * Return the strategy.
	 * @return the name of the strategy
	 */
	protected final String strategy() {
		return this.strategy;
	}

	/**
	 * Return the source of time.
	 * @return the source
	 */
	protected final TimeSource timeSource() {
		return this.timeSource;
	}

	/**
	 * Return the listeners of this generator.
	 * @return the listeners
	 */
	protected final Listeners listeners() {
		return this.listeners;
	}

	/**
	 * Take a snapshot of the key space, without I/O.
	 * @return the snapshot
	 */
	protected abstract KeySpaceSnapshot keySpaceSnapshot();

	/**
	 * Return whether few ids are left in a key space.
	 * @param keySpace the snapshot of the key space
	 * @return {@code true} if the low threshold is reached
	 */
	protected final boolean isLow(KeySpaceSnapshot keySpace) {
		return this.lowThreshold.isReached(keySpace, this.timeSource.instant());
	}

	/**
	 * Alert the listeners if few ids are left, at most once per day.
	 */
	protected final void alertIfLow() {
		long now = this.timeSource.nanoTime();
		long dueAt = this.nextAlert.get();
		if (now - dueAt < 0) {
			return;
		}
		KeySpaceSnapshot keySpace = keySpaceSnapshot();
		if (isLow(keySpace) && this.nextAlert.compareAndSet(dueAt, now + DAY_NANOS)) {
			this.listeners.notifyListeners((listener, generator) -> listener.low(generator, keySpace));
		}
	}

	@Override
	public String toString() {
		return "Id generator '" + this.name + "'";
	}

	/**
	 * Creates the conversion between the ids of a generator and UUIDs.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	protected interface UuidForms {

		/**
		 * Create the conversion.
		 * @param text the settings of the text form
		 * @param identity distinguishes the UUIDs from those of other generators
		 * @param keySpace the name of the key space
		 * @return the conversion
		 */
		UuidForm of(TextSettings text, String identity, String keySpace);

	}

	/**
	 * Base class of the builders of all generators.
	 *
	 * @param <B> the type of the builder itself
	 * @since 0.1.0
	 */
	public static abstract class IdGeneratorBuilder<B extends IdGeneratorBuilder<B>> {

		private final String name;

		private final String strategy;

		private String keySpaceName;

		private @Nullable String uuidIdentity;

		private TextSettings text = TextSettings.none();

		private LowThreshold lowThreshold = LowThreshold.defaults();

		private TimeSource timeSource = TimeSource.system();

		private final List<IdGeneratorListener> listeners = new ArrayList<>();

		/**
		 * Create a builder.
		 * @param name the name of the generator, and by default of its key space
		 * @param strategy the name of the strategy
		 */
		protected IdGeneratorBuilder(String name, String strategy) {
			verifyName("name", name);
			this.name = name;
			this.strategy = strategy;
			this.keySpaceName = name;
		}

		private static void verifyName(String parameter, String name) {
			InvalidSettingException.require(name != null && name.matches("[!-~]([ -~]{0,98}[!-~])?"),
					IdGeneratorBuilder.class, parameter, name,
					"must be 1 to 100 printable ASCII characters, without a space at the beginning or end");
		}

		/**
		 * Return the name of the generator to build.
		 * @return the name
		 */
		public final String name() {
			return this.name;
		}

		/**
		 * Return the strategy.
		 * @return the name of the strategy
		 */
		public final String strategy() {
			return this.strategy;
		}

		/**
		 * Return the name of the key space.
		 * @return the name that was set, by default the name of the generator
		 */
		public final String keySpaceName() {
			return this.keySpaceName;
		}

		/**
		 * Set the name of the key space. The default is the name of the generator.
		 * @param keySpaceName the name of the key space in the store
		 * @return this builder
		 */
		public final B keySpaceName(String keySpaceName) {
			verifyName("keySpaceName", keySpaceName);
			this.keySpaceName = keySpaceName;
			return self();
		}

		/**
		 * Return the identity that distinguishes the UUIDs of this generator from those
		 * of others.
		 * @return the identity that was set, by default the name of the key space
		 */
		public final String uuidIdentity() {
			return (this.uuidIdentity != null) ? this.uuidIdentity : this.keySpaceName;
		}

		/**
		 * Set the identity that distinguishes the UUIDs of this generator from those of
		 * others. The default is the name of the key space.
		 * @param uuidIdentity the identity, which must be the same in all applications
		 * that convert the same ids
		 * @return this builder
		 */
		public final B uuidIdentity(String uuidIdentity) {
			verifyName("uuidIdentity", uuidIdentity);
			this.uuidIdentity = uuidIdentity;
			return self();
		}

		/**
		 * Return the settings of the text form.
		 * @return the settings
		 */
		public final TextSettings text() {
			return this.text;
		}

		/**
		 * Set the text form of ids. Each strategy has a default.
		 * @param text the alphabet, lengths, prefix, check character and secrets. These
		 * settings are fixed when the key space is created, with two exceptions: the
		 * maximum length can be raised, and secrets can be added to a {@code sequential}
		 * key space that already has a secret
		 * @return this builder
		 */
		public final B text(TextSettings text) {
			this.text = requireGiven("text", text);
			return self();
		}

		/**
		 * Set the threshold at which listeners are alerted that the key space is low.
		 * @param lowThreshold the threshold
		 * @return this builder
		 */
		public final B lowThreshold(LowThreshold lowThreshold) {
			this.lowThreshold = requireGiven("lowThreshold", lowThreshold);
			return self();
		}

		/**
		 * Set the source of time.
		 * @param timeSource the source
		 * @return this builder
		 */
		public final B timeSource(TimeSource timeSource) {
			this.timeSource = requireGiven("timeSource", timeSource);
			return self();
		}

		/**
		 * Add a listener.
		 * @param listener the listener, which is called after all listeners that were
		 * added before it
		 * @return this builder
		 */
		public final B listener(IdGeneratorListener listener) {
			this.listeners.add(requireGiven("listener", listener));
			return self();
		}

		/**
		 * Require that a parameter is not {@code null}.
		 * @param <T> the type of the parameter
		 * @param parameter the name of the parameter
		 * @param value the value
		 * @return the value
		 * @throws InvalidSettingException if the value is {@code null}
		 */
		protected final <T> T requireGiven(String parameter, @Nullable T value) {
			return InvalidSettingException.requireGiven(getClass(), parameter, value);
		}

		/**
		 * Open a generator. If its key space does not exist, create the key space.
		 * @return the generator, which must be closed after use
		 */
		public abstract AutoCloseable open();

		/**
		 * Return this builder.
		 * @return this builder
		 */
		protected abstract B self();

		/**
		 * Return the source of time.
		 * @return the source
		 */
		protected final TimeSource timeSource() {
			return this.timeSource;
		}

		final LowThreshold lowThreshold() {
			return this.lowThreshold;
		}

		/**
		 * Return the listeners of the generator to build.
		 * @return all listeners that were added, in the same order
		 */
		protected final Listeners listeners() {
			return new Listeners(this.name, this.strategy, this.listeners);
		}

	}

}
