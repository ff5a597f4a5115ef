package dev.idspring.gapless;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.BlockSettings;
import dev.idspring.block.OpenedKeySpace;
import dev.idspring.block.RecoveryInstructions;
import dev.idspring.block.ReservationForecast;
import dev.idspring.block.ReservationListener;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.SequentialSettings;
import dev.idspring.monitor.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.GeneratorStatus;
import dev.idspring.monitor.KeySpaceSnapshot;
import dev.idspring.monitor.Listeners;
import dev.idspring.monitor.LowThreshold;
import dev.idspring.monitor.LowKeySpaceAlert;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.worker.CoalescedRead;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * A generator of consecutive numbers without a gap, for invoices and the like: the
 * published "next key table", incremented in the caller's own transaction. What that
 * transaction does not commit comes next again.
 * <p>
 * The price is one transaction at a time: from the first number a transaction draws to
 * its end, all others that want one wait. Draw last, commit soon, and where a transaction
 * draws from several generators, always in the same order. Transactions should be READ
 * COMMITTED: in higher isolation levels databases refuse to change a row that has changed
 * since the transaction began. What listens to a commit and draws must begin a
 * transaction of its own (REQUIRES_NEW), and so must what runs in a transaction of
 * another manager that was begun inside of one of the sequence's DataSource.
 * <p>
 * A conflict of the caller's transaction, such as a deadlock, is thrown as the store
 * throws it: Spring's {@code ConcurrencyFailureException} from a database. It is not an
 * {@link IdGenerationException}, so that the caller's rules for repeating a transaction
 * apply. On a Galera cluster all writers of gapless numbers should use one node: across
 * nodes about half of all draws conflict.
 *
 * @since 0.1.0
 */
public final class GaplessIdGenerator implements ManagedIdGenerator {

	private final String name;

	private final String keySpaceName;

	private final KeySpace keySpace;

	private final GaplessStore store;

	private final Duration waitTimeout;

	private final LowThreshold lowThreshold;

	private final TimeSource timeSource;

	private final Listeners<ReservationListener> listeners;

	private final ReservationForecast forecast;

	private final LowKeySpaceAlert lowWarning;

	private final AtomicLong draws = new AtomicLong();

	/** What was drawn, whether or not its transaction has committed. */
	private final AtomicLong issued = new AtomicLong();

	private final AtomicLong failures = new AtomicLong();

	/** Whether somebody has drawn since a mark was due. */
	private final AtomicBoolean noteDue = new AtomicBoolean();

	private final CoalescedRead looks;

	/** The number that came next when the store was last asked. */
	private volatile long next;

	private volatile @Nullable LastDraw lastDraw;

	private volatile @Nullable RuntimeException failure;

	private volatile boolean closed;

	private GaplessIdGenerator(Builder builder, KeySpace keySpace) {
		this.name = builder.name;
		this.keySpaceName = builder.keySpaceName;
		this.keySpace = keySpace;
		this.store = builder.store;
		this.waitTimeout = builder.waitTimeout;
		this.lowThreshold = builder.lowThreshold;
		this.listeners = new Listeners<>(builder.listeners);
		this.forecast = new ReservationForecast(this.keySpaceName, builder.keySpaces, builder.timeSource);
		this.lowWarning = new LowKeySpaceAlert(builder.timeSource.nanoTime());
		this.timeSource = builder.timeSource;
		// on a thread of its own, as who asks may be in a transaction
		this.looks = new CoalescedRead(this::onThreadOfItsOwn, this::look);
	}

	private void onThreadOfItsOwn(Runnable look) {
		Thread thread = new Thread(null, look, "ids-look-" + this.name, 0, false);
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Begin to build a generator.
	 * @param name the name of the generator, also that of its key space unless another is
	 * given
	 * @param numbers which numbers there are
	 * @param keySpaces remembers the definition of the key space
	 * @param store remembers the number that comes next
	 * @return a builder
	 */
	public static Builder builder(String name, SequentialSettings numbers, KeySpaceStore keySpaces,
			GaplessStore store) {
		return new Builder(name, numbers, keySpaces, store);
	}

	/**
	 * Return the key space of this generator.
	 * @return the key space
	 */
	public KeySpace keySpace() {
		return this.keySpace;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public long nextLong() {
		return draw(1);
	}

	@Override
	public void nextLongs(long[] into) {
		if (into.length > 0) {
			this.keySpace.keys(this.keySpace.ordinal(draw(into.length)), into, 0, into.length);
		}
	}

	/**
	 * Say whose number it was: the store knows key spaces only.
	 */
	private IdGenerationException named(IdGenerationException failure) {
		String message = "Id generator '" + this.name + "': " + failure.getMessage();
		if (failure instanceof KeySpaceRegressionException) {
			return new KeySpaceRegressionException(message, failure);
		}
		if (failure instanceof IdStoreUnavailableException) {
			return new IdStoreUnavailableException(message, failure);
		}
		return (failure.getClass() == IdGenerationException.class) ? new IdGenerationException(message, failure)
				: failure;
	}

	/**
	 * Draw consecutive numbers.
	 * @return the first of them
	 */
	private long draw(int count) {
		if (this.closed) {
			throw new IllegalStateException("Id generator '" + this.name + "' is closed.");
		}
		long last = this.keySpace.key(this.keySpace.capacity() - 1);
		long started = this.timeSource.nanoTime();
		GaplessStore.Draw draw;
		try {
			draw = this.store.draw(this.keySpaceName, count, last, Deadline.after(this.timeSource, this.waitTimeout));
		}
		catch (IdGenerationException ex) {
			this.failures.incrementAndGet();
			throw named(ex);
		}
		catch (RuntimeException ex) {
			this.failures.incrementAndGet();
			throw ex;
		}
		if (!draw.granted()) {
			throw new KeySpaceExhaustedException("Id generator '" + this.name + "' was asked for " + count
					+ " more: the number that comes next in key space '" + this.keySpaceName + "' is " + draw.first()
					+ " and the last one is " + last + ". " + RecoveryInstructions.raiseBound(this.keySpace));
		}
		drawn(count, started);
		return draw.first();
	}

	private void drawn(int count, long started) {
		this.draws.incrementAndGet();
		this.issued.addAndGet(count);
		try {
			this.lastDraw = new LastDraw(this.timeSource.instant(),
					Duration.ofNanos(this.timeSource.nanoTime() - started));
			if (this.forecast.isNoteDue()) {
				this.noteDue.set(true);
				ask(this.waitTimeout);
			}
		}
		catch (Throwable ex) {
			// the number is drawn: whoever commits without having got it leaves a gap
		}
	}

	@Override
	public String format(long id) {
		return this.keySpace.format(id);
	}

	@Override
	public long parse(String text) {
		return this.keySpace.parse(text);
	}

	/**
	 * Describe a number. It counts as reserved once the transaction that drew it has
	 * committed.
	 */
	@Override
	public IdDescription describe(long id) {
		long ordinal = this.keySpace.ordinal(id);
		return IdDescription.ofOrdinal(id, this.keySpace.format(id), ordinal, isReserved(id, this.waitTimeout));
	}

	@Override
	public IdDescription describe(long id, Duration timeout) {
		long ordinal = this.keySpace.ordinal(id);
		Boolean reserved = null;
		try {
			reserved = isReserved(id, timeout);
		}
		catch (IdStoreUnavailableException ex) {
			// not known
		}
		return IdDescription.ofOrdinal(id, this.keySpace.format(id), ordinal, reserved);
	}

	private boolean isReserved(long id, Duration timeout) {
		awaitLook(timeout);
		RuntimeException failure = this.failure;
		if (failure != null) {
			throw cannotTell(String.valueOf(failure.getMessage()), failure);
		}
		return id < this.next;
	}

	private void awaitLook(Duration timeout) {
		try {
			refresh(timeout).get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw cannotTell("the thread was interrupted while it waited", ex);
		}
		catch (ExecutionException ex) {
			throw cannotTell(String.valueOf(ex.getMessage()), ex);
		}
	}

	private IdStoreUnavailableException cannotTell(String problem, Throwable cause) {
		return new IdStoreUnavailableException(
				"Id generator '" + this.name + "' cannot tell what is reserved: " + problem, cause);
	}

	@Override
	public CompletableFuture<?> refresh(Duration timeout) {
		return ask(timeout).handle((answered, failure) -> {
			if (failure instanceof TimeoutException) {
				this.failure = new IdStoreUnavailableException("The store did not answer in time.");
			}
			return true;
		});
	}

	private CompletableFuture<Boolean> ask(Duration timeout) {
		return this.looks.ask(Deadline.after(this.timeSource, timeout));
	}

	private void look(Deadline deadline) {
		try {
			this.next = this.store.next(this.keySpaceName, deadline);
			this.failure = null;
			if (this.noteDue.getAndSet(false)) {
				this.forecast.note(reserved(), deadline);
			}
			else {
				this.forecast.look(reserved(), deadline);
			}
			warnIfLow();
		}
		catch (RuntimeException ex) {
			this.failure = ex;
		}
	}

	private void warnIfLow() {
		KeySpaceSnapshot low = this.lowWarning.of(this.timeSource.nanoTime(), this::lowKeySpace);
		if (low != null) {
			this.listeners.tell((listener) -> listener.low(this.name, low));
		}
	}

	private @Nullable KeySpaceSnapshot lowKeySpace() {
		KeySpaceSnapshot snapshot = keySpaceSnapshot();
		return (status(snapshot) == GeneratorStatus.LOW) ? snapshot : null;
	}

	private KeySpaceSnapshot keySpaceSnapshot() {
		return this.forecast.snapshot(this.keySpace.capacity(), reserved());
	}

	private void opened(OpenedKeySpace opened, long next) {
		this.next = next;
		opened.tell(this.listeners, this.name, this.keySpace.capacity() - reserved());
	}

	private long reserved() {
		return Math.max(0, Math.min(this.next - this.keySpace.key(0), this.keySpace.capacity()));
	}

	@Override
	public GeneratorSnapshot snapshot() {
		KeySpaceSnapshot snapshot = keySpaceSnapshot();
		RuntimeException failure = this.failure;
		LastDraw last = this.lastDraw;
		String message = (failure != null) ? failure.getMessage() : null;
		BlockSnapshot block = new BlockSnapshot(1, 0, 0, 0, 0, this.draws.get(), 0, Duration.ZERO, this.failures.get(),
				(last != null) ? last.at() : null, (last != null) ? last.took() : null, message);
		return new GeneratorSnapshot("gapless", status(snapshot), message, this.keySpace.definition(),
				this.issued.get(), snapshot, block, null);
	}

	private GeneratorStatus status(KeySpaceSnapshot snapshot) {
		if (this.closed || this.failure != null) {
			return GeneratorStatus.DOWN;
		}
		if (snapshot.remaining().signum() == 0) {
			return GeneratorStatus.EXHAUSTED;
		}
		return this.lowThreshold.isReached(snapshot, this.timeSource.instant()) ? GeneratorStatus.LOW
				: GeneratorStatus.UP;
	}

	@Override
	public void close() {
		this.closed = true;
	}

	@Override
	public String toString() {
		return "Id generator '" + this.name + "'";
	}

	/**
	 * Builds a {@link GaplessIdGenerator}.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder implements ManagedIdGenerator.Builder {

		private final String name;

		private final SequentialSettings numbers;

		private final KeySpaceStore keySpaces;

		private final GaplessStore store;

		private String keySpaceName;

		private Duration waitTimeout = Duration.ofSeconds(5);

		private LowThreshold lowThreshold = LowThreshold.defaults();

		private TimeSource timeSource = TimeSource.system();

		private final List<ReservationListener> listeners = new ArrayList<>();

		private Builder(String name, SequentialSettings numbers, KeySpaceStore keySpaces, GaplessStore store) {
			InvalidSettingException.require(numbers.strategy().equals(SequentialSettings.GAPLESS),
					SequentialSettings.class, "strategy", numbers.strategy(),
					"must be gapless where numbers are drawn in the caller's transaction");
			this.name = name;
			this.numbers = numbers;
			this.keySpaces = keySpaces;
			this.store = store;
			this.keySpaceName = name;
		}

		@Override
		public String name() {
			return this.name;
		}

		@Override
		public String strategy() {
			return this.numbers.strategy();
		}

		@Override
		public String keySpaceName() {
			return this.keySpaceName;
		}

		@Override
		public Builder keySpaceName(String keySpaceName) {
			this.keySpaceName = keySpaceName;
			return this;
		}

		/**
		 * Return how long a caller waits for other transactions at most, and how long
		 * {@link #open()} takes.
		 * @return the time
		 */
		public Duration waitTimeout() {
			return this.waitTimeout;
		}

		/**
		 * Set how long a caller waits for other transactions at most.
		 * @param waitTimeout the time
		 * @return this builder
		 */
		public Builder waitTimeout(Duration waitTimeout) {
			this.waitTimeout = BlockSettings.verifyWaitTimeout(waitTimeout);
			return this;
		}

		@Override
		public Builder lowThreshold(LowThreshold lowThreshold) {
			this.lowThreshold = lowThreshold;
			return this;
		}

		/**
		 * Set where time comes from.
		 * @param timeSource tells the time
		 * @return this builder
		 */
		public Builder timeSource(TimeSource timeSource) {
			this.timeSource = timeSource;
			return this;
		}

		/**
		 * Add somebody who is told that the generator was opened, and that its key space
		 * is low.
		 * @param listener is told
		 * @return this builder
		 */
		public Builder listener(ReservationListener listener) {
			this.listeners.add(listener);
			return this;
		}

		/**
		 * Open the key space, creating what does not exist. Must not be called in a
		 * transaction.
		 * @return a generator that must be closed after use
		 * @throws KeySpaceMismatchException if the key space exists with another
		 * definition
		 * @throws IdStoreUnavailableException if a store did not answer in time
		 */
		@Override
		public GaplessIdGenerator open() {
			Deadline deadline = Deadline.after(this.timeSource, this.waitTimeout);
			OpenedKeySpace opened = OpenedKeySpace.open(this.keySpaceName, this.numbers, this.keySpaces, deadline);
			KeySpace keySpace = opened.keySpace();
			this.store.create(this.keySpaceName, keySpace.key(0), deadline);
			GaplessIdGenerator generator = new GaplessIdGenerator(this, keySpace);
			generator.opened(opened, this.store.next(this.keySpaceName, deadline));
			return generator;
		}

	}

	private record LastDraw(Instant at, Duration took) {

	}

}
