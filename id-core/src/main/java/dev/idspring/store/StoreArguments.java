package dev.idspring.store;

import java.util.Collection;

import javax.sql.DataSource;

import dev.idspring.InvalidSettingException;
import dev.idspring.TransactionalIds.Insert;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.ScopedGaplessStore.Draws;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.text.IdScope;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the arguments of store operations. Each operation of a store first calls the
 * method of this class that verifies its arguments. All stores therefore reject the same
 * calls with the same {@link InvalidSettingException}, and a rejected call changes
 * nothing.
 *
 * @since 0.1.0
 */
public final class StoreArguments {

	private static final Class<?> SPACES = KeySpaceStore.class;

	private static final Class<?> SLOTS = SlotStore.class;

	private static final Class<?> GAPLESS = GaplessStore.class;

	private StoreArguments() {
	}

	/** Verify the arguments of {@link KeySpaceStore#create}. */
	public static void create(String name, String definition, long capacity, Deadline deadline) {
		printable("name", name, 100);
		printable("definition", definition, 500);
		least(SPACES, "capacity", capacity, 1);
		given(SPACES, deadline);
	}

	/** Verify the arguments of {@link KeySpaceStore#raiseCapacity}. */
	public static void raiseCapacity(String name, long capacity, Deadline deadline) {
		named(SPACES, name, deadline);
		least(SPACES, "capacity", capacity, 1);
	}

	/** Verify the arguments of {@link KeySpaceStore#redefine}. */
	public static void redefine(String name, String known, String replacement, long most, Deadline deadline) {
		named(SPACES, name, deadline);
		given(SPACES, "known", known);
		printable("replacement", replacement, 500);
		least(SPACES, "most", most, 0);
	}

	/** Verify the arguments of {@link KeySpaceStore#reserve} and {@code skip}. */
	public static void reserve(String name, long count, long bound, Deadline deadline) {
		named(SPACES, name, deadline);
		least(SPACES, "count", count, 1);
		least(SPACES, "bound", bound, 0);
	}

	/** Verify the arguments of {@link KeySpaceStore#giveBack}. */
	public static void giveBack(String name, OrdinalRange range, Deadline deadline) {
		named(SPACES, name, deadline);
		given(SPACES, "range", range);
	}

	/**
	 * Verify that {@link KeySpaceStore#giveBack} gives back only ordinals that this store
	 * has reserved.
	 * @param range the ordinals to give back
	 * @param last the last reservation of this store, joined with contiguous earlier
	 * reservations as {@link OrdinalRange#after} does; {@code null} if the store has
	 * reserved no ordinals, or has given the last ones back
	 */
	public static void verifyGivenBackRange(OrdinalRange range, @Nullable OrdinalRange last) {
		given(SPACES, "range", range);
		if (last != null && range.end() == last.end() && range.start() < last.start()) {
			throw new InvalidSettingException(SPACES, "range", range,
					"must begin at " + last.start()
							+ " or later: earlier ordinals were not reserved together with the end, and other"
							+ " instances may use them");
		}
	}

	/** Verify the arguments of {@link KeySpaceStore#read} and {@code readHistory}. */
	public static void read(String name, Deadline deadline) {
		named(SPACES, name, deadline);
	}

	/** Verify the arguments of {@link KeySpaceStore#count}. */
	public static void count(String name, long count, Deadline deadline) {
		named(SPACES, name, deadline);
		least(SPACES, "count", count, 0);
	}

	/**
	 * Return the number of ids after a call of {@link KeySpaceStore#count}.
	 * @param counted the number of ids that were counted before
	 * @param count the number of ids to add
	 * @return the sum
	 * @throws InvalidSettingException if the sum overflows a {@code long}
	 */
	public static long addCounted(long counted, long count) {
		return sum(SPACES, "count", count, counted);
	}

	/** Verify the arguments of {@link KeySpaceStore#replaceHistory}. */
	public static void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline) {
		named(SPACES, name, deadline);
		given(SPACES, "known", known);
		given(SPACES, "replacement", replacement);
	}

	/** Verify the arguments of {@link SlotStore#time}. */
	public static void time(Deadline deadline) {
		given(SLOTS, deadline);
	}

	/** Verify the arguments of {@link SlotStore#claim}. */
	public static void claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
		slots(keySpace, deadline);
		given(SLOTS, "space", space);
		given(SLOTS, "owner", owner);
	}

	/** Verify the arguments of {@link SlotStore#claim} with a slot number. */
	public static void claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline) {
		claim(keySpace, space, owner, deadline);
		InvalidSettingException.requireRange(SLOTS, "number", number, 0L, space.count() - 1);
	}

	/** Verify the arguments of {@link SlotStore#advance}. */
	public static void advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) {
		renew(keySpace, space, slot, owner, deadline);
		position(SLOTS, slot, position);
	}

	static void position(Class<?> settings, Slot slot, long position) {
		InvalidSettingException.require(
				position == slot.position() || (position > slot.position() && position <= slot.end()), settings,
				"position", position,
				"must be from the position of the slot (" + slot.position() + ") to its end (" + slot.end() + ")");
	}

	/** Verify the arguments of {@link SlotStore#renew}. */
	public static void renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
		claim(keySpace, space, owner, deadline);
		given(SLOTS, "slot", slot);
	}

	/** Verify the arguments of {@link SlotStore#release}. */
	public static void release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
		slots(keySpace, deadline);
		given(SLOTS, "slot", slot);
		given(SLOTS, "owner", owner);
		long least = owner.claimedAt(slot.number());
		InvalidSettingException.require(position >= least && position <= slot.position(), SLOTS, "position", position,
				"must be from " + least + ", where the owner claimed the slot, to " + slot.position());
	}

	/**
	 * Verify the arguments of operations that only need a key space, such as
	 * {@link SlotStore#list}.
	 */
	public static void slots(String keySpace, Deadline deadline) {
		given(SLOTS, "keySpace", keySpace);
		given(SLOTS, deadline);
	}

	/** Verify the arguments of {@link SlotStore#skip}. */
	public static void skip(String keySpace, long positions, long slots, Deadline deadline) {
		slots(keySpace, deadline);
		least(SLOTS, "positions", positions, 0);
		least(SLOTS, "slots", slots, 0);
	}

	/**
	 * Return the number of the next new slot after a call of {@link SlotStore#skip}.
	 * @param next the number of the next new slot before the call
	 * @param slots how many numbers to skip
	 * @return the sum
	 * @throws InvalidSettingException if the sum overflows a {@code long}
	 */
	public static long addSkipped(long next, long slots) {
		return sum(SLOTS, "slots", slots, next);
	}

	/** Verify the arguments of {@link GaplessStore#create}. */
	public static void create(String name, long first, Deadline deadline) {
		named(GAPLESS, name, deadline);
		least(GAPLESS, "first", first, 0);
	}

	/** Verify the arguments of {@link GaplessStore#draw}. */
	public static void draw(String name, int count, long last, Deadline deadline) {
		named(GAPLESS, name, deadline);
		least(GAPLESS, "count", count, 1);
		InvalidSettingException.requireRange(GAPLESS, "last", last, 0L, Long.MAX_VALUE - 1);
	}

	/** Verify the arguments of {@link GaplessStore#next}. */
	public static void next(String name, Deadline deadline) {
		named(GAPLESS, name, deadline);
	}

	/** Verify the arguments of {@link ScopedGaplessStore#draw}. */
	public static void draw(Draws draws, IdScope scope, Deadline deadline) {
		given(GAPLESS, "draws", draws);
		given(GAPLESS, "scope", scope);
		given(GAPLESS, deadline);
	}

	/** Verify the arguments of {@link ScopedGaplessStore#refuseCommit}. */
	public static void refuseCommit(String name, IdScope scope, RuntimeException failure) {
		given(GAPLESS, "name", name);
		given(GAPLESS, "scope", scope);
		given(GAPLESS, "failure", failure);
	}

	/** Verify the arguments of {@link ScopedGaplessStore#start}. */
	public static void start(Draws draws, IdScope scope, long start, Deadline deadline) {
		draw(draws, scope, deadline);
		InvalidSettingException.requireRange(GAPLESS, "start", start, draws.first(), draws.last());
	}

	/** Verify the arguments of {@link ScopedGaplessStore#next}. */
	public static void next(String name, IdScope scope, Deadline deadline) {
		named(GAPLESS, name, deadline);
		given(GAPLESS, "scope", scope);
	}

	/** Verify the arguments of {@link ScopedGaplessStore#scopes}. */
	public static void scopes(String name, String period, Deadline deadline) {
		named(GAPLESS, name, deadline);
		given(GAPLESS, "period", period);
	}

	/** Verify the arguments of {@link ScopedGaplessStore#list}. */
	public static void list(String name, String period, int count, Deadline deadline) {
		scopes(name, period, deadline);
		least(GAPLESS, "count", count, 1);
	}

	/** Verify the arguments of {@link GaplessStore#verifyInsert}. */
	public static void verifyInsert(String name, Insert insert) {
		given(GAPLESS, "name", name);
		given(GAPLESS, "insert", insert);
	}

	/** Verify the arguments of {@link GaplessStore#verifyInserts}. */
	public static void verifyInserts(String name, String row, Collection<DataSource> dataSources) {
		given(GAPLESS, "name", name);
		given(GAPLESS, "row", row);
		given(GAPLESS, "dataSources", dataSources);
	}

	private static void named(Class<?> store, String name, Deadline deadline) {
		given(store, "name", name);
		given(store, deadline);
	}

	private static void given(Class<?> store, Deadline deadline) {
		given(store, "deadline", deadline);
	}

	private static void given(Class<?> store, String parameter, Object value) {
		InvalidSettingException.requireGiven(store, parameter, value);
	}

	private static void printable(String parameter, String value, int length) {
		InvalidSettingException.require(value != null && value.matches("[ -~]{1," + length + "}"), SPACES, parameter,
				value, "must be 1 to " + length + " printable ASCII characters");
	}

	static void least(Class<?> settings, String parameter, long value, long least) {
		InvalidSettingException.require(value >= least, settings, parameter, value,
				(least == 0) ? "must not be negative" : "must be at least " + least);
	}

	private static long sum(Class<?> store, String parameter, long value, long before) {
		InvalidSettingException.require(value <= Long.MAX_VALUE - before, store, parameter, value,
				"must be at most " + (Long.MAX_VALUE - before) + ", because there are already " + before);
		return before + value;
	}

}
