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
 * Verifies the arguments of store operations. Every store operation first calls a method
 * of this class. All stores therefore reject the same calls with the same
 * {@link InvalidSettingException}. A rejected call changes nothing.
 *
 * @since 0.1.0
 */
public final class StoreArguments {

	private static final Class<?> KEY_SPACE_STORE = KeySpaceStore.class;

	private static final Class<?> SLOT_STORE = SlotStore.class;

	private static final Class<?> GAPLESS_STORE = GaplessStore.class;

	private StoreArguments() {
	}

	/** Verify the arguments of {@link KeySpaceStore#create}. */
	public static void create(String name, String definition, long capacity, Deadline deadline) {
		requirePrintable("name", name, 100);
		requirePrintable("definition", definition, 500);
		requireAtLeast(KEY_SPACE_STORE, "capacity", capacity, 1);
		requireGiven(KEY_SPACE_STORE, deadline);
	}

	/** Verify the arguments of {@link KeySpaceStore#raiseCapacity}. */
	public static void raiseCapacity(String name, long capacity, Deadline deadline) {
		requireNameAndDeadline(KEY_SPACE_STORE, name, deadline);
		requireAtLeast(KEY_SPACE_STORE, "capacity", capacity, 1);
	}

	/** Verify the arguments of {@link KeySpaceStore#redefine}. */
	public static void redefine(String name, String known, String replacement, long most, Deadline deadline) {
		requireNameAndDeadline(KEY_SPACE_STORE, name, deadline);
		requireGiven(KEY_SPACE_STORE, "known", known);
		requirePrintable("replacement", replacement, 500);
		requireAtLeast(KEY_SPACE_STORE, "most", most, 0);
	}

	/** Verify the arguments of {@link KeySpaceStore#reserve} and {@code skip}. */
	public static void reserve(String name, long count, long bound, Deadline deadline) {
		requireNameAndDeadline(KEY_SPACE_STORE, name, deadline);
		requireAtLeast(KEY_SPACE_STORE, "count", count, 1);
		requireAtLeast(KEY_SPACE_STORE, "bound", bound, 0);
	}

	/** Verify the arguments of {@link KeySpaceStore#giveBack}. */
	public static void giveBack(String name, OrdinalRange range, Deadline deadline) {
		requireNameAndDeadline(KEY_SPACE_STORE, name, deadline);
		requireGiven(KEY_SPACE_STORE, "range", range);
	}

	/**
	 * Verify that a range does not begin before the last reservation if both have the
	 * same end. A range with a different end is accepted, because
	 * {@link KeySpaceStore#giveBack} does not give it back.
	 * @param range the ordinals to give back
	 * @param last the last reservation of the calling store, joined with directly
	 * preceding ones ({@link OrdinalRange#after}); {@code null} if there is none, or if
	 * it was given back
	 */
	public static void verifyGivenBackRange(OrdinalRange range, @Nullable OrdinalRange last) {
		requireGiven(KEY_SPACE_STORE, "range", range);
		if (last != null && range.end() == last.end() && range.start() < last.start()) {
			throw new InvalidSettingException(KEY_SPACE_STORE, "range", range,
					"must begin at " + last.start()
							+ " or later: earlier ordinals are not part of the last reservation, and other"
							+ " instances may use them");
		}
	}

	/** Verify the arguments of {@link KeySpaceStore#read} and {@code readHistory}. */
	public static void read(String name, Deadline deadline) {
		requireNameAndDeadline(KEY_SPACE_STORE, name, deadline);
	}

	/** Verify the arguments of {@link KeySpaceStore#count}. */
	public static void count(String name, long count, Deadline deadline) {
		requireNameAndDeadline(KEY_SPACE_STORE, name, deadline);
		requireAtLeast(KEY_SPACE_STORE, "count", count, 0);
	}

	/**
	 * Return the number of ids after a call of {@link KeySpaceStore#count}.
	 * @param counted the number of ids that are already counted
	 * @param count the number of ids to add
	 * @return the sum
	 * @throws InvalidSettingException if the sum overflows a {@code long}
	 */
	public static long addCounted(long counted, long count) {
		return sum(KEY_SPACE_STORE, "count", count, counted);
	}

	/** Verify the arguments of {@link KeySpaceStore#replaceHistory}. */
	public static void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline) {
		requireNameAndDeadline(KEY_SPACE_STORE, name, deadline);
		requireGiven(KEY_SPACE_STORE, "known", known);
		requireGiven(KEY_SPACE_STORE, "replacement", replacement);
	}

	/** Verify the arguments of {@link SlotStore#time}. */
	public static void time(Deadline deadline) {
		requireGiven(SLOT_STORE, deadline);
	}

	/** Verify the arguments of {@link SlotStore#claim}. */
	public static void claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
		slots(keySpace, deadline);
		requireGiven(SLOT_STORE, "space", space);
		requireGiven(SLOT_STORE, "owner", owner);
	}

	/** Verify the arguments of {@link SlotStore#claim} with a slot number. */
	public static void claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline) {
		claim(keySpace, space, owner, deadline);
		InvalidSettingException.requireRange(SLOT_STORE, "number", number, 0L, space.count() - 1);
	}

	/** Verify the arguments of {@link SlotStore#advance}. */
	public static void advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) {
		renew(keySpace, space, slot, owner, deadline);
		InvalidSettingException.require(
				position == slot.position() || (position > slot.position() && position <= slot.end()), SLOT_STORE,
				"position", position,
				"must be from the position of the slot (" + slot.position() + ") to its end (" + slot.end() + ")");
	}

	/** Verify the arguments of {@link SlotStore#renew}. */
	public static void renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
		claim(keySpace, space, owner, deadline);
		requireGiven(SLOT_STORE, "slot", slot);
	}

	/** Verify the arguments of {@link SlotStore#release}. */
	public static void release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
		slots(keySpace, deadline);
		requireGiven(SLOT_STORE, "slot", slot);
		requireGiven(SLOT_STORE, "owner", owner);
		long start = owner.claimedPosition(slot.number());
		InvalidSettingException.require(position >= start && position <= slot.position(), SLOT_STORE, "position",
				position, "must be from " + start + ", where the owner claimed the slot, to " + slot.position());
	}

	/**
	 * Verify the arguments of {@link SlotStore#list}, {@code read}, {@code readCurrent}
	 * and {@code countOwned}.
	 */
	public static void slots(String keySpace, Deadline deadline) {
		requireGiven(SLOT_STORE, "keySpace", keySpace);
		requireGiven(SLOT_STORE, deadline);
	}

	/** Verify the arguments of {@link SlotStore#skip}. */
	public static void skip(String keySpace, long positions, long slots, Deadline deadline) {
		slots(keySpace, deadline);
		requireAtLeast(SLOT_STORE, "positions", positions, 0);
		requireAtLeast(SLOT_STORE, "slots", slots, 0);
	}

	/**
	 * Return the number of the next new slot after a call of {@link SlotStore#skip}.
	 * @param next the number of the next new slot before the call
	 * @param slots how many numbers to skip
	 * @return the sum
	 * @throws InvalidSettingException if the sum overflows a {@code long}
	 */
	public static long addSkipped(long next, long slots) {
		return sum(SLOT_STORE, "slots", slots, next);
	}

	/** Verify the arguments of {@link GaplessStore#create}. */
	public static void create(String name, long first, Deadline deadline) {
		requireNameAndDeadline(GAPLESS_STORE, name, deadline);
		requireAtLeast(GAPLESS_STORE, "first", first, 0);
	}

	/** Verify the arguments of {@link GaplessStore#draw}. */
	public static void draw(String name, int count, long last, Deadline deadline) {
		requireNameAndDeadline(GAPLESS_STORE, name, deadline);
		requireAtLeast(GAPLESS_STORE, "count", count, 1);
		InvalidSettingException.requireRange(GAPLESS_STORE, "last", last, 0L, Long.MAX_VALUE - 1);
	}

	/** Verify the arguments of {@link GaplessStore#next}. */
	public static void next(String name, Deadline deadline) {
		requireNameAndDeadline(GAPLESS_STORE, name, deadline);
	}

	/** Verify the arguments of {@link ScopedGaplessStore#draw}. */
	public static void draw(Draws draws, IdScope scope, Deadline deadline) {
		requireGiven(GAPLESS_STORE, "draws", draws);
		requireGiven(GAPLESS_STORE, "scope", scope);
		requireGiven(GAPLESS_STORE, deadline);
	}

	/** Verify the arguments of {@link ScopedGaplessStore#refuseCommit}. */
	public static void refuseCommit(String name, IdScope scope, RuntimeException failure) {
		requireGiven(GAPLESS_STORE, "name", name);
		requireGiven(GAPLESS_STORE, "scope", scope);
		requireGiven(GAPLESS_STORE, "failure", failure);
	}

	/** Verify the arguments of {@link ScopedGaplessStore#start}. */
	public static void start(Draws draws, IdScope scope, long start, Deadline deadline) {
		draw(draws, scope, deadline);
		InvalidSettingException.requireRange(GAPLESS_STORE, "start", start, draws.first(), draws.last());
	}

	/** Verify the arguments of {@link ScopedGaplessStore#next}. */
	public static void next(String name, IdScope scope, Deadline deadline) {
		requireNameAndDeadline(GAPLESS_STORE, name, deadline);
		requireGiven(GAPLESS_STORE, "scope", scope);
	}

	/** Verify the arguments of {@link ScopedGaplessStore#scopes}. */
	public static void scopes(String name, String period, Deadline deadline) {
		requireNameAndDeadline(GAPLESS_STORE, name, deadline);
		requireGiven(GAPLESS_STORE, "period", period);
	}

	/** Verify the arguments of {@link ScopedGaplessStore#list}. */
	public static void list(String name, String period, int count, Deadline deadline) {
		scopes(name, period, deadline);
		requireAtLeast(GAPLESS_STORE, "count", count, 1);
	}

	/** Verify the arguments of {@link GaplessStore#verifyInsert}. */
	public static void verifyInsert(String name, Insert insert) {
		requireGiven(GAPLESS_STORE, "name", name);
		requireGiven(GAPLESS_STORE, "insert", insert);
	}

	/** Verify the arguments of {@link GaplessStore#verifyInserts}. */
	public static void verifyInserts(String name, String row, Collection<DataSource> dataSources) {
		requireGiven(GAPLESS_STORE, "name", name);
		requireGiven(GAPLESS_STORE, "row", row);
		requireGiven(GAPLESS_STORE, "dataSources", dataSources);
	}

	private static void requireNameAndDeadline(Class<?> store, String name, Deadline deadline) {
		requireGiven(store, "name", name);
		requireGiven(store, deadline);
	}

	private static void requireGiven(Class<?> store, Deadline deadline) {
		requireGiven(store, "deadline", deadline);
	}

	private static void requireGiven(Class<?> store, String parameter, Object value) {
		InvalidSettingException.requireGiven(store, parameter, value);
	}

	private static void requirePrintable(String parameter, String value, int length) {
		InvalidSettingException.require(value != null && value.matches("[ -~]{1," + length + "}"), KEY_SPACE_STORE,
				parameter, value, "must be 1 to " + length + " printable ASCII characters");
	}

	static void requireAtLeast(Class<?> settings, String parameter, long value, long min) {
		InvalidSettingException.require(value >= min, settings, parameter, value,
				(min == 0) ? "must not be negative" : "must be at least " + min);
	}

	private static long sum(Class<?> store, String parameter, long value, long before) {
		InvalidSettingException.require(value <= Long.MAX_VALUE - before, store, parameter, value,
				"must be at most " + (Long.MAX_VALUE - before) + ", or the sum with " + before + " overflows");
		return before + value;
	}

}
