package dev.idspring.gapless;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import javax.sql.DataSource;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerationException;
import dev.idspring.IdGenerator;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.TransactionalIds;
import dev.idspring.block.BlockSettings;
import dev.idspring.generator.AbstractIdGenerator.IdGeneratorBuilder;
import dev.idspring.generator.AbstractIdGenerator;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.worker.CoalescedRead;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.OneTimeEvent;
import dev.idspring.worker.StoreThread;
import org.jspecify.annotations.Nullable;

/**
 * Generates consecutive numbers without a gap, for example for invoices. A row of the
 * store contains the next number. Each draw advances it in the caller's own transaction.
 * If the transaction does not commit, its numbers are drawn again.
 * <p>
 * After a transaction has drawn, draws from the same generator in other transactions wait
 * until that transaction ends. Therefore:
 * <ul>
 * <li>Draw as late as possible, and commit soon.</li>
 * <li>If a transaction draws from several generators, always use the same order, because
 * transactions with different orders may deadlock.</li>
 * <li>Use the isolation level READ COMMITTED. At higher levels, some databases reject
 * changes to a row that has changed since the transaction began.</li>
 * <li>A commit listener that draws must begin its own transaction (REQUIRES_NEW). The
 * same applies to code in a transaction of another transaction manager, inside a
 * transaction on the DataSource of the numbers.</li>
 * <li>On a Galera cluster, all writers of gapless numbers should use the same cluster
 * node, because otherwise about half of all draws conflict.</li>
 * </ul>
 * If the caller's transaction conflicts with another one, for example in a deadlock, the
 * draw throws the store's exception unchanged, so that the caller's retry rules apply. A
 * store in a database throws Spring's {@code ConcurrencyFailureException}, which is not
 * an {@link IdGenerationException}.
 *
 * @since 0.1.0
 */
public final class GaplessIdGenerator extends AbstractIdGenerator implements TransactionalIds {

	private final String keySpaceName;

	private final KeySpace keySpace;

	private final GaplessStore store;

	private final Duration waitTimeout;

	private final ReservationForecast forecast;

	private final AtomicLong draws = new AtomicLong();

	/** How many numbers were drawn, whether or not their transactions committed. */
	private final AtomicLong issued = new AtomicLong();

	private final AtomicLong failures = new AtomicLong();

	/** Whether the next read must add a sample to the usage history. */
	private final AtomicBoolean sampleDue = new AtomicBoolean();

	/**
	 * Reads the store on a separate thread, because the caller may be in a transaction.
	 */
	private final StoreThread executor = new StoreThread(name());

	private final CoalescedRead reads;

	/** The next number, as of the last read of the store. */
	private volatile long next;

	private volatile @Nullable LastDraw lastDraw;

	/** Why the last read of the store failed, or {@code null} if it succeeded. */
	private volatile @Nullable RuntimeException readFailure;

	/** The store's last failure in a draw, {@code null} if it answered a later draw. */
	private volatile @Nullable RuntimeException drawFailure;

	private volatile boolean closed;

	private GaplessIdGenerator(Builder builder, KeySpace keySpace, long next) {
		super(builder, keySpace.text(), (text, identity, name) -> text.uuidsOfCounter(identity, name, keySpace.key(0)),
				keySpace.lastKey());
		this.keySpaceName = builder.keySpaceName();
		this.keySpace = keySpace;
		this.next = next;
		this.store = builder.store;
		this.waitTimeout = builder.waitTimeout;
		this.forecast = new ReservationForecast(this.keySpaceName, builder.keySpaces, timeSource());
		this.reads = new CoalescedRead(this.executor, this::read);
	}

	/**
	 * Create a builder of a generator.
	 * @param name the name of the generator, and of its key space unless another name is
	 * set
	 * @param settings the settings of the key space
	 * @param keySpaces stores the definition of the key space
	 * @param store stores the next number
	 * @return a builder
	 */
	public static Builder builder(String name, GaplessSettings settings, KeySpaceStore keySpaces, GaplessStore store) {
		return new Builder(name, settings, keySpaces, store);
	}

	/**
	 * Return the key space of this generator.
	 * @return the key space
	 */
	public KeySpace keySpace() {
		return this.keySpace;
	}

	@Override
	public long nextLong() {
		return draw(1);
	}

	@Override
	public void nextLongs(long[] into) {
		if (InvalidSettingException.requireGiven(IdGenerator.class, "into", into).length > 0) {
			this.keySpace.keys(this.keySpace.ordinal(draw(into.length)), into, 0, into.length);
		}
		else {
			verifyOpen();
		}
	}

	@Override
	public void verifyInsert(Insert insert) {
		InvalidSettingException.requireGiven(TransactionalIds.class, "insert", insert);
		try {
			this.store.verifyInsert(this.keySpaceName, insert);
		}
		catch (IdGenerationException ex) {
			throw named(name(), ex);
		}
	}

	@Override
	public void verifyInserts(String row, Collection<DataSource> dataSources) {
		InvalidSettingException.requireGiven(TransactionalIds.class, "row", row);
		InvalidSettingException.requireGiven(TransactionalIds.class, "dataSources", dataSources);
		this.store.verifyInserts(this.keySpaceName, row, dataSources);
	}

	/**
	 * Add the name of the generator to the message of a failure, because the store knows
	 * only the name of the key space.
	 * @param name the name of the generator
	 * @param failure the failure of the store
	 * @return an exception of the same type that names the generator, or the failure
	 * itself if this method does not know its type
	 */
	public static IdGenerationException named(String name, IdGenerationException failure) {
		InvalidSettingException.requireGiven(GaplessIdGenerator.class, "name", name);
		InvalidSettingException.requireGiven(GaplessIdGenerator.class, "failure", failure);
		String message = "Id generator '" + name + "': " + failure.getMessage();
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
	 * Return whether the store caused the failure of a draw. A conflict with another
	 * transaction counts as a failure of the store. A missing transaction and invalid
	 * arguments do not.
	 * @param failure the failure of a draw
	 * @return {@code true} if the store caused the failure
	 */
	public static boolean isStoreFailure(RuntimeException failure) {
		InvalidSettingException.requireGiven(GaplessIdGenerator.class, "failure", failure);
		return failure.getClass() != IdGenerationException.class && !(failure instanceof IllegalArgumentException);
	}

	/**
	 * Draw consecutive numbers.
	 * @return the first number
	 */
	private long draw(int count) {
		verifyOpen();
		long last = this.keySpace.lastKey();
		long started = timeSource().nanoTime();
		GaplessStore.Draw draw;
		try {
			draw = this.store.draw(this.keySpaceName, count, last, Deadline.after(timeSource(), this.waitTimeout));
		}
		catch (RuntimeException ex) {
			if (isStoreFailure(ex)) {
				this.failures.incrementAndGet();
				this.drawFailure = ex;
			}
			throw (ex instanceof IdGenerationException failure) ? named(name(), failure) : ex;
		}
		this.drawFailure = null;
		if (!draw.granted()) {
			throw new KeySpaceExhaustedException("Id generator '" + name() + "' was asked for " + count
					+ ((count == 1) ? " more number" : " more numbers") + ": the next number of key space '"
					+ this.keySpaceName + "' is " + draw.first() + ", and the highest allowed number is " + last + ". "
					+ RecoveryInstructions.raiseBound(name(), this.keySpace));
		}
		recordDraw(count, started);
		return draw.first();
	}

	private void verifyOpen() {
		if (this.closed) {
			throw new IllegalStateException("Id generator '" + name() + "' is closed.");
		}
	}

	private void recordDraw(int count, long started) {
		this.draws.incrementAndGet();
		this.issued.addAndGet(count);
		try {
			this.lastDraw = new LastDraw(timeSource().instant(), Duration.ofNanos(timeSource().nanoTime() - started));
			if (this.forecast.isSampleDue()) {
				this.sampleDue.set(true);
				// do not call readWithTimeout(), because too little stack may be left to
				// start its timer
				this.reads.read(deadline(this.waitTimeout));
			}
		}
		catch (Throwable ex) {
			// log only, because the number is already drawn: after an exception, the
			// caller might commit without the number and leave a gap
			listeners().logUnexpected("recording a draw has failed", ex);
		}
	}

	@Override
	protected void verify(long id) {
		this.keySpace.ordinal(id);
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
	 * Describe a number. A number is reserved if a transaction that drew this or a later
	 * number has committed.
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
			// null means unknown
		}
		return IdDescription.ofOrdinal(id, this.keySpace.format(id), ordinal, reserved);
	}

	private boolean isReserved(long id, Duration timeout) {
		OneTimeEvent answer = new OneTimeEvent();
		Deadline deadline = deadline(timeout);
		CompletableFuture<Boolean> read = this.reads.read(deadline);
		read.whenComplete((done, failure) -> answer.signal());
		try {
			if (!answer.await(deadline.remaining())) {
				throw unavailableException("the store did not answer in time", null);
			}
			read.join();
		}
		catch (CompletionException ex) {
			Throwable cause = Objects.requireNonNullElse(ex.getCause(), ex);
			throw unavailableException(String.valueOf(cause.getMessage()), cause);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw unavailableException("the thread was interrupted while it waited", ex);
		}
		finally {
			read.cancel(false);
		}
		RuntimeException failure = this.readFailure;
		if (failure != null) {
			throw unavailableException(String.valueOf(failure.getMessage()), failure);
		}
		return id < this.next;
	}

	private IdStoreUnavailableException unavailableException(String problem, @Nullable Throwable cause) {
		return new IdStoreUnavailableException(
				"Id generator '" + name() + "' cannot determine which ids are reserved: " + problem, cause);
	}

	@Override
	public CompletableFuture<?> refresh(Duration timeout) {
		return this.reads.readWithTimeout(deadline(timeout)).handle((answer, failure) -> {
			// a failure that is already known is more informative than a timeout
			if (failure instanceof TimeoutException && this.readFailure == null) {
				this.readFailure = new IdStoreUnavailableException("The store did not answer in time.");
			}
			return true;
		});
	}

	private Deadline deadline(Duration timeout) {
		return Deadline.after(timeSource(), timeout);
	}

	private void read(Deadline deadline) {
		try {
			this.next = this.store.next(this.keySpaceName, deadline);
			this.readFailure = null;
			if (this.sampleDue.getAndSet(false)) {
				this.forecast.addSample(reserved(), deadline);
			}
			else {
				this.forecast.readHistory(reserved(), deadline);
			}
			alertIfLow();
		}
		catch (RuntimeException ex) {
			this.readFailure = ex;
			listeners().logUnexpected("reading the store has failed", ex);
		}
	}

	@Override
	protected KeySpaceSnapshot keySpaceSnapshot() {
		return this.forecast.snapshot(this.keySpace.capacity(), reserved());
	}

	private long reserved() {
		return Math.max(0, Math.min(this.next - this.keySpace.key(0), this.keySpace.capacity()));
	}

	@Override
	public GeneratorSnapshot snapshot() {
		KeySpaceSnapshot snapshot = keySpaceSnapshot();
		RuntimeException failure = this.readFailure;
		LastDraw last = this.lastDraw;
		String message = (failure != null) ? failure.getMessage() : null;
		RuntimeException drawFailure = this.drawFailure;
		BlockSnapshot block = new BlockSnapshot(1, 0, 0, 0, 0, this.draws.get(), 0, Duration.ZERO, this.failures.get(),
				(last != null) ? last.at() : null, (last != null) ? last.took() : null,
				(drawFailure != null) ? drawFailure.getMessage() : message);
		return new GeneratorSnapshot(strategy(), status(snapshot), message, this.keySpace.definition(),
				this.issued.get(), snapshot, block, null, null, null);
	}

	private GeneratorStatus status(KeySpaceSnapshot snapshot) {
		if (this.closed || this.readFailure != null) {
			return GeneratorStatus.DOWN;
		}
		if (snapshot.remaining().signum() == 0) {
			return GeneratorStatus.EXHAUSTED;
		}
		return isLow(snapshot) ? GeneratorStatus.LOW : GeneratorStatus.UP;
	}

	@Override
	public CompletableFuture<?> dropMemory() {
		// there is nothing to drop, because no numbers are reserved ahead of use
		return CompletableFuture.completedFuture(true);
	}

	@Override
	public void close() {
		this.closed = true;
		this.executor.close();
	}

	/**
	 * Builds a {@link GaplessIdGenerator}.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder extends IdGeneratorBuilder<Builder> {

		private final GaplessSettings settings;

		private final KeySpaceStore keySpaces;

		private final GaplessStore store;

		private Duration waitTimeout = Duration.ofSeconds(5);

		private Builder(String name, GaplessSettings settings, KeySpaceStore keySpaces, GaplessStore store) {
			super(name, "gapless");
			this.settings = requireGiven("settings", settings);
			this.keySpaces = requireGiven("keySpaces", keySpaces);
			this.store = requireGiven("store", store);
		}

		@Override
		protected Builder self() {
			return this;
		}

		/**
		 * Return the longest time that a caller waits for other transactions. This is
		 * also the time limit of {@link #open()}.
		 * @return the wait timeout
		 */
		public Duration waitTimeout() {
			return this.waitTimeout;
		}

		/**
		 * Set the longest time that a caller waits for other transactions. This is also
		 * the time limit of {@link #open()}.
		 * @param waitTimeout the wait timeout, from 100 milliseconds to an hour
		 * @return this builder
		 */
		public Builder waitTimeout(Duration waitTimeout) {
			this.waitTimeout = BlockSettings.verifyWaitTimeout(waitTimeout);
			return this;
		}

		/**
		 * Open the key space. If it does not exist, create it. Do not call this method in
		 * a transaction.
		 * @return a generator that must be closed after use
		 * @throws KeySpaceMismatchException if the key space exists with a different
		 * definition
		 * @throws IdStoreUnavailableException if a store did not answer in time
		 */
		@Override
		public GaplessIdGenerator open() {
			Deadline deadline = Deadline.after(timeSource(), this.waitTimeout);
			OpenedKeySpace opened = OpenedKeySpace.open(keySpaceName(), this.settings, text(), this.keySpaces,
					deadline);
			KeySpace keySpace = opened.keySpace();
			this.store.create(keySpaceName(), keySpace.key(0), deadline);
			GaplessIdGenerator generator = new GaplessIdGenerator(this, keySpace,
					this.store.next(keySpaceName(), deadline));
			opened.inform(generator.listeners(), generator.snapshot());
			return generator;
		}

	}

	private record LastDraw(Instant at, Duration took) {

	}

}
