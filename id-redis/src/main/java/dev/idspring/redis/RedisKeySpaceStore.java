package dev.idspring.redis;

import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.UsageHistory.StoredHistory;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.StoreArguments;
import dev.idspring.store.SystemRandom;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each key space in a hash {@code {prefix}:space:NAME}. Why no ordinal is reserved
 * twice:
 * <ol>
 * <li>A reservation is one script, in which the server compares definition, bound and
 * {@linkplain RedisFence fence} and moves the counter by its own arithmetic of 64
 * bits.</li>
 * <li>The range is returned after the disks have confirmed it ({@link RedisDatabase}). If
 * that is in doubt the ordinals are lost, and a repeated attempt reserves later
 * ones.</li>
 * <li>Giving back is a change on condition that the counter, and the token that the
 * operating system drew for the reservation, are still those of the range, on the server
 * that it was reserved on.</li>
 * <li>A key space that is missing is created only where the settings say so. One that
 * this instance has seen is never created again.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class RedisKeySpaceStore implements KeySpaceStore {

	/** Exact in the numbers of scripts. */
	private static final long MOST_AT_ONCE = 1_000_000_000_000L;

	private static final Logger logger = System.getLogger(RedisKeySpaceStore.class.getName());

	private final RedisDatabase database;

	private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

	/**
	 * Create a store.
	 * @param database where the key spaces are
	 */
	public RedisKeySpaceStore(RedisDatabase database) {
		this.database = InvalidSettingException.requireGiven(RedisKeySpaceStore.class, "database", database);
	}

	RedisDatabase database() {
		return this.database;
	}

	@Override
	public StoreDescription describe() {
		return this.database.describe();
	}

	@Override
	public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
		StoreArguments.create(name, definition, capacity, deadline);
		StoredKeySpace stored = this.database.repeat("create key space '" + name + "'", (left) -> {
			Look look = this.database.look(name, "none", false, left);
			if (!look.exists()) {
				verifyMayCreate(name);
				if (!this.database.change(name, creation(look, definition, capacity), left)) {
					throw RedisFailure.lostToOthers();
				}
				logger.log(Level.INFO, "Created key space '" + name + "' in " + this.database.keyOf(name));
				return new StoredKeySpace(name, definition, capacity, 0);
			}
			warnOfCreation(name);
			return opened(name, look);
		}, deadline);
		known(name).definition = stored.definition();
		return stored;
	}

	private void warnOfCreation(String name) {
		if (this.database.settings().initialize()) {
			logger.log(Level.WARNING, "ids.redis.initialize is 'always', and key space '" + name
					+ "' is there. Remove the property: should the server lose the key space, it would begin at 0 again");
		}
	}

	private void verifyMayCreate(String name) {
		if (this.known.containsKey(name) && known(name).definition != null) {
			throw vanished(name);
		}
		if (!this.database.settings().initialize()) {
			throw new IdSetupException(
					"Key space '" + name + "' is missing: the server has no key '" + this.database.keyOf(name) + "'.",
					"If it is new, set ids.redis.initialize=always for the first start, and remove that afterwards. If ids"
							+ " were made with it, it was lost (FLUSHALL, another spring.data.redis.database or"
							+ " ids.redis.key-prefix, a server without its files): it would begin at 0 again, so"
							+ " restore it first.",
					List.of("ids.redis.initialize", "ids.redis.key-prefix"), null);
		}
	}

	private Change creation(Look look, String definition, long capacity) {
		Change creation = Change.creation(fence().server(look))
			.set("definition", definition)
			.set("capacity", capacity)
			.set(RedisFence.COUNTER, 0)
			.set(RedisFence.SLOTS, 0)
			.set("history", UsageHistory.empty().text());
		return fence().isOn() ? creation.set("incarnation", look.server()).set(fence().unused(0, look.clock()))
				: creation;
	}

	@Override
	public void raiseCapacity(String name, long capacity, Deadline deadline) {
		StoreArguments.raiseCapacity(name, capacity, deadline);
		this.database.repeat("raise the capacity of key space '" + name + "'", (left) -> {
			Look look = this.database.look(name, "none", false, left);
			if (look.exists() && look.number("capacity") < capacity && !this.database.change(name,
					Change.on("").when("capacity", look.field("capacity")).set("capacity", capacity), left)) {
				throw RedisFailure.lostToOthers();
			}
			return true;
		}, deadline);
	}

	@Override
	public StoredKeySpace redefine(String name, String known, String replacement, long most, Deadline deadline) {
		StoreArguments.redefine(name, known, replacement, most, deadline);
		long bound = read(name, deadline).map(StoredKeySpace::capacity).orElse(0L);
		try {
			if (most < Long.MAX_VALUE) {
				// the fence comes first
				reserve(name, 1, bound, deadline);
			}
		}
		catch (KeySpaceMismatchException ex) {
			if (read(name, deadline).filter((stored) -> stored.definition().equals(replacement)).isEmpty()) {
				throw ex;
			}
		}
		StoredKeySpace stored = this.database.repeat("add a secret to key space '" + name + "'", (left) -> {
			Look look = this.database.look(name, "none", true, left);
			verifyExists(name, look);
			if (look.field("definition").equals(known) && look.number(RedisFence.COUNTER) <= most
					&& !fence().differs(look)) {
				this.database.change(name,
						Change.on(fence().server(look))
							.when("definition", known)
							.when("incarnation", look.incarnation())
							.when(RedisFence.COUNTER, look.field(RedisFence.COUNTER))
							.set("definition", replacement),
						left);
				throw RedisFailure.notYet("the key space was used meanwhile", Duration.ZERO);
			}
			return opened(name, look);
		}, deadline);
		known(name).definition = stored.definition();
		return stored;
	}

	@Override
	public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
		StoreArguments.reserve(name, count, bound, deadline);
		Known known = known(name);
		String what = "reserve ids of key space '" + name + "'";
		AtomicLong wanted = new AtomicLong(Math.min(count, MOST_AT_ONCE));
		OrdinalRange range = this.database.repeat(what, (left) -> {
			while (true) {
				Optional<OrdinalRange> reserved = reserveOnce(known, name, wanted.get(), bound, left);
				if (reserved.isPresent()) {
					return reserved.get();
				}
				Optional<OrdinalRange> empty = unblockReservation(known, name, wanted, bound, left);
				if (empty.isPresent()) {
					return empty.get();
				}
				if (left.hasPassed()) {
					throw RedisFailure.lostToOthers();
				}
			}
		}, deadline);
		raiseIfWorthwhile(known, name, range.size(), deadline);
		return range;
	}

	private Optional<OrdinalRange> reserveOnce(Known known, String name, long wanted, long bound, Deadline deadline)
			throws RedisFailure {
		if (bound < wanted) {
			return Optional.empty();
		}
		String token = SystemRandom.text();
		String definition = known.definition;
		List<Object> answer = this.database.run(RedisScript.RESERVE, true, name, deadline, Long.toString(wanted),
				Long.toString(bound - wanted), (definition != null) ? definition : "", token, fence().burst());
		if (!RedisDatabase.isOk(answer)) {
			return Optional.empty();
		}
		long end = Long.parseLong(Look.text(answer.get(1)));
		OrdinalRange range = new OrdinalRange(end - wanted, end);
		String server = Look.text(answer.get(2));
		known.last.updateAndGet((before) -> Last.of(before, range, token, server));
		logUnanswered(known, name, server, bound);
		return Optional.of(range);
	}

	/**
	 * Remove what keeps a reservation from succeeding.
	 * @return an empty range if nothing is left
	 */
	private Optional<OrdinalRange> unblockReservation(Known known, String name, AtomicLong wanted, long bound,
			Deadline deadline) throws RedisFailure {
		Look look = this.database.look(name, "none", false, deadline);
		verifyExists(name, look);
		look.keySpace(name).verifyDefinition(known.definition);
		known.rate = look.number("line_raised_rate");
		logUnanswered(known, name, look.incarnation(), bound);
		if (fence().isFirstContact(look) || fence().differs(look)) {
			takeOver(known, name, look, bound, deadline);
			return Optional.empty();
		}
		long next = look.number(RedisFence.COUNTER);
		if (next >= bound) {
			return Optional.of(new OrdinalRange(next, next));
		}
		Optional<Change> repair = fence().repair(name, look);
		if (repair.isPresent()) {
			this.database.change(name, repair.get(), deadline);
			return Optional.empty();
		}
		long left = Math.min(wanted.get(), bound - next);
		wanted.set(Math.min(left, fence().affordable(look, left)));
		return Optional.empty();
	}

	private void takeOver(Known known, String name, Look look, long bound, Deadline deadline) throws RedisFailure {
		boolean differs = fence().differs(look);
		known.unanswered.set(differs ? look : null);
		boolean changed = this.database.takeOver(name, fence().moveCounter(look, bound), deadline);
		known.unanswered.set(null);
		// else another instance was faster, and logs it
		if (changed && differs) {
			fence().logCounter(name, look, bound);
		}
	}

	/**
	 * Log a take-over of ours that had no answer.
	 * @param server who has taken over
	 */
	private void logUnanswered(Known known, String name, String server, long bound) {
		Look before = known.unanswered.getAndSet(null);
		if (before != null && server.equals(before.server())) {
			fence().logCounter(name, before, bound);
		}
	}

	private void verifyExists(String name, Look look) {
		if (!look.exists()) {
			throw vanished(name);
		}
	}

	private KeySpaceRegressionException vanished(String name) {
		return new KeySpaceRegressionException("The key '" + this.database.keyOf(name) + "' of key space '" + name
				+ "' has vanished from the server. Restart the application with ids.redis.initialize=always, which"
				+ " creates the key space. " + RecoveryInstructions.skipAhead(name, RecoveryInstructions.UNKNOWN));
	}

	/**
	 * Raise the rate before it is exhausted, so that others need not wait. Looks only
	 * after this instance alone has reserved a good part of what the rate allows.
	 */
	private void raiseIfWorthwhile(Known known, String name, long count, Deadline deadline) {
		if (!fence().isOn() || known.reserved.addAndGet(count) < fence().refreshAfter(known.rate)) {
			return;
		}
		known.reserved.set(0);
		try {
			this.database.once("raise the rate of key space '" + name + "'", (left) -> {
				Look look = this.database.look(name, "none", false, left);
				known.rate = look.number("line_raised_rate");
				Optional<Change> repair = look.exists() ? fence().repair(name, look) : Optional.empty();
				return repair.isPresent() && this.database.change(name, repair.get(), left);
			}, deadline);
		}
		catch (IdGenerationException ex) {
			// the ordinals are reserved; the next reservation asks again
		}
	}

	@Override
	public OrdinalRange skip(String name, long count, long bound, Deadline deadline) {
		StoreArguments.reserve(name, count, bound, deadline);
		// the fence comes first
		OrdinalRange first = reserve(name, 1, bound, deadline);
		if (first.isEmpty()) {
			return first;
		}
		long end = first.start() + Math.min(count, bound - first.start());
		return this.database.repeat("skip ahead in key space '" + name + "'", (left) -> {
			Look look = this.database.look(name, "none", true, left);
			verifyExists(name, look);
			String next = look.field(RedisFence.COUNTER);
			if (Long.parseLong(next) < end && !this.database.change(name,
					Change.on("").when(RedisFence.COUNTER, next).set(RedisFence.COUNTER, end).set("reservation", ""),
					left)) {
				throw RedisFailure.lostToOthers();
			}
			return new OrdinalRange(first.start(), end);
		}, deadline);
	}

	@Override
	public boolean giveBack(String name, OrdinalRange range, Deadline deadline) {
		StoreArguments.giveBack(name, range, deadline);
		Known known = known(name);
		Last last = known.last.get();
		StoreArguments.givenBack(range, (last != null) ? last.range : null);
		String definition = known.definition;
		if (last == null || last.range.end() != range.end() || !known.last.compareAndSet(last, null)) {
			return false;
		}
		return this.database.once("give back ids of key space '" + name + "'", (left) -> {
			Look look = this.database.look(name, "none", false, left);
			String end = Long.toString(range.end());
			if (!look.field("reservation").equals(last.token) || !look.field(RedisFence.COUNTER).equals(end)
					|| (definition != null && !definition.equals(look.field("definition"))) || fence().differs(look)) {
				return false;
			}
			Change change = Change.on(last.server)
				.when("reservation", last.token)
				.when(RedisFence.COUNTER, end)
				.when("definition", look.field("definition"))
				.when("incarnation", look.incarnation())
				.set(RedisFence.COUNTER, range.start())
				.set("reservation", "");
			if (fence().isOn()) {
				change.when("line_time", look.field("line_time"))
					.when("line_raised_rate", look.field("line_raised_rate"))
					.set("line_time", look.line(RedisFence.COUNTER).giveBack(range.size()).time());
			}
			return this.database.change(name, change, left);
		}, deadline);
	}

	@Override
	public Optional<StoredKeySpace> read(String name, Deadline deadline) {
		StoreArguments.read(name, deadline);
		Look look = this.database.look("read key space '" + name + "'", name, "none", false, deadline);
		return look.exists() ? Optional.of(opened(name, look)) : Optional.empty();
	}

	private StoredKeySpace opened(String name, Look look) {
		known(name).rate = look.number("line_raised_rate");
		StoredKeySpace stored = look.keySpace(name);
		// where there are slots the counter makes no ids: it only counts them
		return look.hasSlots() ? stored : new StoredKeySpace(name, stored.definition(), stored.capacity(),
				fence().counter(look, stored.capacity()));
	}

	/**
	 * Leaves the fence to the slots of the key space: a counter that makes no ids must
	 * not hide from them that another server has taken over.
	 */
	@Override
	public void count(String name, long count, Deadline deadline) {
		StoreArguments.count(name, count, deadline);
		this.database.repeat("count ids of key space '" + name + "'", (left) -> {
			StoreArguments.counted(this.database.look(name, "none", false, left).number(RedisFence.COUNTER), count);
			return this.database.change(name, Change.on("").add(RedisFence.COUNTER, count), left);
		}, deadline);
	}

	@Override
	public Optional<StoredHistory> readHistory(String name, Deadline deadline) {
		StoreArguments.read(name, deadline);
		Look look = this.database.look("read the history of key space '" + name + "'", name, "none", false, deadline);
		return look.exists() ? Optional
			.of(new StoredHistory(UsageHistory.parse(look.field("history")), Instant.ofEpochMilli(look.millis())))
				: Optional.empty();
	}

	@Override
	public void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline) {
		StoreArguments.replaceHistory(name, known, replacement, deadline);
		this.database.once("note the history of key space '" + name + "'",
				(left) -> this.database.change(name,
						Change.on("").when("history", known.text()).set("history", replacement.text()), left),
				deadline);
	}

	private Known known(String name) {
		return this.known.computeIfAbsent(name, (key) -> new Known());
	}

	private RedisFence fence() {
		return this.database.fence();
	}

	/**
	 * The last range that was confirmed.
	 *
	 * @param range the range, and what was reserved before it without a gap
	 * @param token what it was reserved with
	 * @param server who has reserved it
	 */
	private record Last(OrdinalRange range, String token, String server) {

		/**
		 * Return the later of two reservations: another thread may have been faster.
		 */
		static Last of(@Nullable Last before, OrdinalRange range, String token, String server) {
			return (before != null && before.range.end() > range.end()) ? before
					: new Last(range.after((before != null) ? before.range : null), token, server);
		}

	}

	/**
	 * What this instance knows of a key space.
	 */
	private static final class Known {

		/** As it was when the key space was opened. */
		private volatile @Nullable String definition;

		/** The last range that was confirmed, until it is given back. */
		private final AtomicReference<@Nullable Last> last = new AtomicReference<>();

		/** What was read before a take-over whose outcome is not known. */
		private final AtomicReference<@Nullable Look> unanswered = new AtomicReference<>();

		/** The rate as it was last seen. */
		private volatile long rate;

		/** How many ordinals were reserved since the rate was last looked at. */
		private final AtomicLong reserved = new AtomicLong();

	}

}
