package dev.idspring.gapless.scope;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

import javax.sql.DataSource;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerationException;
import dev.idspring.IdScopeResolver;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.ScopedIds;
import dev.idspring.TransactionalIds.Insert;
import dev.idspring.block.BlockSettings;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.gapless.scope.ScopedSequence.Drawn;
import dev.idspring.generator.AbstractIdGenerator.IdGeneratorBuilder;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings.ScopedSettings;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import dev.idspring.monitor.ScopedSnapshot.ScopeState;
import dev.idspring.monitor.ScopedSnapshot;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.ScopedGaplessStore.Scopes;
import dev.idspring.store.ScopedGaplessStore;
import dev.idspring.text.IdScope;
import dev.idspring.text.ScopePattern.ScopedNumber;
import dev.idspring.text.ScopePattern;
import dev.idspring.text.ScopePeriod;
import dev.idspring.text.TextForm;
import dev.idspring.text.TextSettings;
import dev.idspring.text.UuidForm;
import dev.idspring.worker.CoalescedRead;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.FailureLog;
import dev.idspring.worker.StoreThread;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Generates consecutive numbers without a gap, separately for each scope (such as a
 * tenant) and period (such as a year). Each scope follows the rules of
 * {@link GaplessIdGenerator}: numbers are drawn in the caller's transaction.
 * <p>
 * A number and its text belong to the same period, even if the period ends during a call:
 * <ol>
 * <li>If the caller passes a date, that date determines the period.</li>
 * <li>Otherwise the generator estimates the period from the last reading of the store's
 * clock. The store draws a number only if its clock is in that period. If not, the store
 * returns its time, and the generator retries with the period of that time.</li>
 * <li>The methods that draw strings or UUIDs use the period for which the number was
 * drawn.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class ScopedGaplessIdGenerator implements ManagedScopedIdGenerator {

	private final String name;

	private final String keySpaceName;

	private final ScopedSettings settings;

	private final TextSettings text;

	private final String uuidIdentity;

	private final KeySpace keySpace;

	private final ScopedGaplessStore store;

	private final ScopeClock clock;

	private final ScopedSequence sequence;

	private final @Nullable IdScopeResolver resolver;

	private final TimeSource timeSource;

	/** Reads the store on a separate thread, because a caller may be in a transaction. */
	private final StoreThread executor;

	private final CoalescedRead reads;

	private final FailureLog failureLog;

	private final AtomicLong draws = new AtomicLong();

	private final AtomicLong issued = new AtomicLong();

	private final AtomicLong failures = new AtomicLong();

	private volatile long scopeCount;

	private volatile @Nullable LastDraw lastDraw;

	private volatile @Nullable RuntimeException readFailure;

	private volatile boolean closed;

	private ScopedGaplessIdGenerator(Builder builder, KeySpace keySpace) {
		this.name = builder.name();
		this.keySpaceName = builder.keySpaceName();
		this.settings = builder.settings;
		this.text = builder.text();
		this.uuidIdentity = builder.uuidIdentity();
		this.keySpace = keySpace;
		this.store = builder.store;
		this.clock = new ScopeClock(this.settings.period(), builder.zone, builder.time());
		this.resolver = builder.resolver;
		this.timeSource = builder.time();
		this.sequence = new ScopedSequence(this.keySpaceName, this.settings, this.store, this.clock, builder.maxScopes,
				builder.waitTimeout, this.timeSource);
		this.executor = new StoreThread(this.name);
		this.reads = new CoalescedRead(this.executor, this::read);
		this.failureLog = new FailureLog(this.name, this.timeSource);
	}

	/**
	 * Create a builder of a generator.
	 * @param name the name of the generator, and of its key space unless another name is
	 * set
	 * @param settings the settings of the key space and of the text form
	 * @param keySpaces stores the definition of the key space
	 * @param store stores the next numbers
	 * @return a builder
	 */
	public static Builder builder(String name, ScopedSettings settings, KeySpaceStore keySpaces,
			ScopedGaplessStore store) {
		return new Builder(name, settings, keySpaces, store);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public ScopedIds in(String... scope) {
		List<String> parts = parts("scope", Arrays.asList(requireGiven("scope", scope)));
		if (!parts.isEmpty()) {
			verify(parts);
		}
		return new ScopeNumbers(this, parts, null);
	}

	private static <T> T requireGiven(String parameter, @Nullable T value) {
		return InvalidSettingException.requireGiven(ScopedIdGenerator.class, parameter, value);
	}

	/**
	 * Copy the parts of a scope, because the caller may change the list later.
	 */
	static List<String> parts(String parameter, @Nullable List<String> scope) {
		return InvalidSettingException.requireElements(ScopedIdGenerator.class, parameter, scope);
	}

	void verify(List<String> scope) {
		IdScope.verify(scope);
		this.settings.pattern().verify(scope);
	}

	List<String> resolve() {
		List<String> scope = (this.resolver != null) ? this.resolver.resolveScope(this.name) : null;
		if (scope == null || scope.isEmpty()) {
			throw new IdGenerationException("Id generator '" + this.name + "' was used without a scope, and "
					+ ((this.resolver != null) ? "the IdScopeResolver returned no scope."
							: "there is no IdScopeResolver.")
					+ " Call in(...) with a scope"
					+ ((this.resolver != null) ? "." : ", or declare an IdScopeResolver bean that returns the scope."));
		}
		List<String> parts = parts("scope", scope);
		verify(parts);
		return parts;
	}

	@Override
	public Map<List<String>, long[]> next(Map<List<String>, Integer> counts) {
		return new MultiScopeDraw(this, counts).draw(null);
	}

	@Override
	public Map<List<String>, long[]> next(Map<List<String>, Integer> counts, LocalDate date) {
		return new MultiScopeDraw(this, counts).draw(verifyDate(date));
	}

	LocalDate verifyDate(LocalDate date) {
		this.settings.pattern().verify(date);
		return date;
	}

	static void verifyCount(int count) {
		if (count < 0) {
			throw new IllegalArgumentException("'count' must not be negative but is " + count);
		}
	}

	/**
	 * Draw consecutive numbers.
	 * @param date a day of the period, or {@code null} for the current period
	 */
	Drawn draw(List<String> scope, @Nullable LocalDate date, int count) {
		verifyOpen();
		long started = this.timeSource.nanoTime();
		Drawn drawn;
		try {
			drawn = this.sequence.draw(scope, date, count);
		}
		catch (RuntimeException ex) {
			this.failures.addAndGet(GaplessIdGenerator.isStoreFailure(ex) ? 1 : 0);
			throw (ex instanceof IdGenerationException failure) ? GaplessIdGenerator.named(this.name, failure) : ex;
		}
		if (!drawn.granted()) {
			throw new KeySpaceExhaustedException("Id generator '" + this.name + "' was asked for " + count
					+ ((count == 1) ? " more number" : " more numbers") + ": the next number of scope "
					+ this.clock.scope(scope, drawn.day()) + " is " + drawn.first()
					+ ", and the highest allowed number is " + this.settings.end() + ". "
					+ RecoveryInstructions.raiseBound(this.name, this.keySpace));
		}
		recordDraw(count, started);
		return drawn;
	}

	private void recordDraw(int count, long started) {
		this.draws.incrementAndGet();
		this.issued.addAndGet(count);
		try {
			this.lastDraw = new LastDraw(this.timeSource.instant(),
					Duration.ofNanos(this.timeSource.nanoTime() - started));
		}
		catch (Throwable ex) {
			// log only, because the number is already drawn: after an exception, the
			// caller might commit without the number and leave a gap
			this.failureLog.log("recording a draw has failed", ex);
		}
	}

	void verifyOpen() {
		if (this.closed) {
			throw new IllegalStateException("Id generator '" + this.name + "' is closed.");
		}
	}

	/**
	 * Return the text form of the numbers of a scope.
	 */
	TextForm form(List<String> scope, LocalDate day) {
		return this.settings.pattern().form(scope, day, this.text);
	}

	/**
	 * Return the UUID form of the numbers of a scope. The UUIDs differ from those of all
	 * other scopes and periods.
	 */
	UuidForm uuids(List<String> scope, LocalDate day) {
		IdScope idScope = this.clock.scope(scope, day);
		return this.text.uuidsOfCounter(this.uuidIdentity + "/" + idScope.period() + "/" + idScope.key(),
				this.keySpaceName, this.settings.start());
	}

	void fill(long first, long[] into) {
		this.keySpace.keys(this.keySpace.ordinal(first), into, 0, into.length);
	}

	void verifyInsert(Insert insert) {
		try {
			this.store.verifyInsert(this.keySpaceName, insert);
		}
		catch (IdGenerationException ex) {
			throw GaplessIdGenerator.named(this.name, ex);
		}
	}

	void verifyInserts(String row, Collection<DataSource> dataSources) {
		this.store.verifyInserts(this.keySpaceName, row, dataSources);
	}

	void refuseCommit(IdScope scope, Throwable failure) {
		this.store.refuseCommit(this.keySpaceName, scope, (failure instanceof RuntimeException exception) ? exception
				: new IdGenerationException("Id generator '" + this.name + "' failed: " + failure, failure));
	}

	KeySpace keySpace() {
		return this.keySpace;
	}

	ScopeClock clock() {
		return this.clock;
	}

	ScopedSequence sequence() {
		return this.sequence;
	}

	private void read(Deadline deadline) {
		try {
			// if a new period begins during this read, the next read counts the scopes of
			// that period
			Scopes found = this.store.scopes(this.keySpaceName, this.clock.period(), deadline);
			this.clock.synchronize(found.now());
			this.scopeCount = found.count();
			this.readFailure = null;
		}
		catch (RuntimeException ex) {
			this.readFailure = ex;
		}
	}

	@Override
	public CompletableFuture<?> refresh(Duration timeout) {
		return this.reads.readWithTimeout(Deadline.after(this.timeSource, timeout)).handle((answered, failure) -> {
			// a failure that is already known is more informative than a timeout
			if (failure instanceof TimeoutException && this.readFailure == null) {
				this.readFailure = new IdStoreUnavailableException("The store did not answer in time.");
			}
			return true;
		});
	}

	@Override
	public ScopedSnapshot snapshot() {
		RuntimeException failure = this.readFailure;
		LastDraw last = this.lastDraw;
		return new ScopedSnapshot("gapless",
				(this.closed || failure != null) ? GeneratorStatus.DOWN : GeneratorStatus.UP,
				(failure != null) ? failure.getMessage() : null, this.keySpace.definition(), this.keySpaceName,
				this.clock.period(), this.scopeCount, this.sequence.maxScopes(), this.issued.get(), this.draws.get(),
				this.failures.get(), (last != null) ? last.at() : null, (last != null) ? last.took() : null);
	}

	@Override
	public List<ScopeState> scopes(@Nullable String period, @Nullable String after, int count, Duration timeout) {
		return this.store.list(this.keySpaceName, periodOrCurrent(period), after, count,
				Deadline.after(this.timeSource, timeout));
	}

	@Override
	public @Nullable ScopeState scope(@Nullable String period, List<String> scope, Duration timeout) {
		IdScope found = new IdScope(requireGiven("scope", scope), periodOrCurrent(period));
		OptionalLong next = this.store.next(this.keySpaceName, found, Deadline.after(this.timeSource, timeout));
		return next.isPresent() ? new ScopeState(found.name(), found.key(), next.getAsLong()) : null;
	}

	@Override
	public Optional<ScopedDescription> describe(String text, Duration timeout) {
		requireGiven("timeout", timeout);
		return this.settings.pattern().read(text, this.text).filter(this::isInKeySpace).map((found) -> {
			IdScope scope = this.clock.scope(found.scope(), found.day());
			boolean scopeIsKnown = !found.scope().isEmpty();
			boolean periodIsKnown = this.settings.period() == ScopePeriod.NONE || this.settings.pattern().hasDate();
			Boolean reserved = scopeIsKnown ? isReserved(found, scope.period(), timeout) : null;
			return new ScopedDescription(scopeIsKnown ? scope.name() : null, periodIsKnown ? scope.period() : null,
					IdDescription.ofOrdinal(found.number(), text, this.keySpace.ordinal(found.number()), reserved));
		});
	}

	@Override
	public TextSettings text() {
		return this.text;
	}

	@Override
	public ScopePattern pattern() {
		return this.settings.pattern();
	}

	private boolean isInKeySpace(ScopedNumber found) {
		try {
			this.keySpace.ordinal(found.number());
			IdScope.verify(found.scope());
			return true;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private @Nullable Boolean isReserved(ScopedNumber found, String period, Duration timeout) {
		try {
			ScopeState state = scope(period, found.scope(), timeout);
			return state != null && found.number() < state.next();
		}
		catch (IdStoreUnavailableException ex) {
			return null;
		}
	}

	private String periodOrCurrent(@Nullable String period) {
		return (period != null) ? new IdScope(List.of(), period).period() : this.clock.period();
	}

	@Override
	public void close() {
		this.closed = true;
		this.executor.close();
	}

	@Override
	public String toString() {
		return "Id generator '" + this.name + "'";
	}

	/**
	 * Builds a {@link ScopedGaplessIdGenerator}.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder extends IdGeneratorBuilder<Builder> {

		private final ScopedSettings settings;

		private final KeySpaceStore keySpaces;

		private final ScopedGaplessStore store;

		private ZoneId zone = ZoneId.of("UTC");

		private long maxScopes = 100_000;

		private @Nullable IdScopeResolver resolver;

		private Duration waitTimeout = Duration.ofSeconds(5);

		private Builder(String name, ScopedSettings settings, KeySpaceStore keySpaces, ScopedGaplessStore store) {
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
		 * Set the time zone that determines when days and periods begin.
		 * @param zone the time zone
		 * @return this builder
		 */
		public Builder zone(ZoneId zone) {
			this.zone = requireGiven("zone", zone);
			return this;
		}

		/**
		 * Set how many scopes a period may have. This limits the effect of untrusted
		 * input that contains arbitrary scopes.
		 * @param maxScopes the maximum number of scopes per period, at least 1
		 * @return this builder
		 */
		public Builder maxScopes(long maxScopes) {
			InvalidSettingException.requireRange(Builder.class, "maxScopes", maxScopes, 1L, Long.MAX_VALUE);
			this.maxScopes = maxScopes;
			return this;
		}

		/**
		 * Set the resolver that returns the scope when a caller passes none.
		 * @param resolver the resolver, or {@code null} for none
		 * @return this builder
		 */
		public Builder scopeResolver(@Nullable IdScopeResolver resolver) {
			this.resolver = resolver;
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

		private TimeSource time() {
			return timeSource();
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
		public ScopedGaplessIdGenerator open() {
			Deadline deadline = Deadline.after(timeSource(), this.waitTimeout);
			KeySpace keySpace = OpenedKeySpace
				.open(keySpaceName(), (stored) -> this.settings.keySpace(text()), TextSettings.none(), this.keySpaces,
						deadline)
				.keySpace();
			ScopedGaplessIdGenerator generator = new ScopedGaplessIdGenerator(this, keySpace);
			generator.read(deadline);
			RuntimeException failure = generator.readFailure;
			if (failure != null) {
				generator.close();
				throw failure;
			}
			return generator;
		}

	}

	private record LastDraw(Instant at, Duration took) {

	}

}
