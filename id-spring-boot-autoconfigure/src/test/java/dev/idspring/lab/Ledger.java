package dev.idspring.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * All that was issued, and what is wrong with it.
 */
final class Ledger {

	private static final int SHOWN = 5;

	/**
	 * For how much longer than it may wait a caller may be kept from going on while
	 * others of the process go on. Who waits for a second time takes longer.
	 */
	private static final long SLACK_MILLIS = LabGenerator.WAIT_MILLIS * 3 / 4;

	private final Map<LabGenerator, Ids> all = new EnumMap<>(LabGenerator.class);

	private final List<String> violations = new ArrayList<>();

	private final Map<LabGenerator, Map<String, Account>> accounts = new EnumMap<>(LabGenerator.class);

	private final Map<LabGenerator, Long> lost = new EnumMap<>(LabGenerator.class);

	private final Map<LabGenerator, Long> longest = new EnumMap<>(LabGenerator.class);

	private final Map<LabGenerator, Integer> late = new EnumMap<>(LabGenerator.class);

	private long unexpected;

	Ledger() {
		for (LabGenerator generator : LabGenerator.values()) {
			this.all.put(generator, new Ids());
			this.accounts.put(generator, new LinkedHashMap<>());
		}
	}

	/**
	 * Read what instances were given.
	 */
	static Ledger read(Path directory, List<String> instances) {
		Ledger ledger = new Ledger();
		for (LabGenerator generator : LabGenerator.values()) {
			for (String instance : instances) {
				ledger.read(directory, instance, generator);
			}
		}
		return ledger;
	}

	private void read(Path directory, String instance, LabGenerator generator) {
		List<Issued> issued = new ArrayList<>();
		for (int i = 0; i < Callers.THREADS; i++) {
			// of those who were gone before they could begin there is nothing
			RecordFile.readCalls(RecordFile.calls(directory, instance, generator, i), 0,
					(answer, before, after, took, id) -> {
						verifyWait(generator, answer, took);
						if (answer == Answer.ID) {
							issued.add(new Issued(before, after, id));
						}
					});
		}
		add(generator, instance, issued, Account.read(directory, instance, generator));
	}

	/**
	 * Take note of how a call has ended, and when.
	 */
	void verifyWait(LabGenerator generator, Answer answer, long took) {
		if (answer == Answer.UNEXPECTED) {
			this.unexpected++;
		}
		// others may have to end their transactions, which the application limits
		long longest = SLACK_MILLIS + ((generator.kind() == LabGenerator.Kind.GAPLESS)
				? LabGenerator.WAIT_MILLIS + LabApplication.TIMEOUT_MILLIS : LabGenerator.WAIT_MILLIS);
		this.longest.merge(generator, took, Math::max);
		if (took > longest) {
			this.late.merge(generator, 1, Integer::sum);
		}
	}

	/**
	 * Add what one instance was given.
	 */
	void add(LabGenerator generator, String instance, List<Issued> issued, Account account) {
		Ids ids = this.all.get(generator);
		issued.forEach(ids::add);
		this.accounts.get(generator).put(instance, account);
		LabGenerator.Kind kind = generator.kind();
		switch (kind) {
			case COUNTER, TIME, ROUGH_TIME -> verifyOrder(generator, issued);
			case SERIES -> issued.stream()
				.collect(Collectors.groupingBy((one) -> generator.slot(one.id())))
				.forEach((series, ofSeries) -> {
					// two servers of an instance may use the same one, and the first
					// finish
					// what it has
					if (!account.isShared(series)) {
						verifyOrder(generator, ofSeries);
					}
				});
			case GAPLESS -> {
				// what is rolled back is given to others
			}
		}
		if (kind != LabGenerator.Kind.GAPLESS) {
			Issued outside = account.firstOutside(issued);
			if (outside != null) {
				this.violations.add(instance + " issued " + outside.id() + " of " + generator
						+ ", which the store had not reserved for it");
			}
		}
		if (kind == LabGenerator.Kind.COUNTER || kind == LabGenerator.Kind.SERIES) {
			verifyLost(generator, instance, issued, account);
		}
		account.issued(issued);
	}

	/**
	 * Look for more that was reserved and never issued than can have been in memory.
	 */
	private void verifyLost(LabGenerator generator, String instance, List<Issued> issued, Account account) {
		long lost = account.held() - issued.size();
		if (lost > account.mayLose() + account.givenBackInDoubt()) {
			this.violations.add(instance + " lost " + lost + " of " + generator + " where " + account.mayLose()
					+ " can have been in memory: " + account + (account.isClosed() ? ", closed" : ", killed"));
		}
		this.lost.merge(generator, Math.max(0, lost), Long::sum);
	}

	/**
	 * Who was given an id before somebody else asked got the lower one. The ids of one
	 * call rise, too.
	 */
	private void verifyOrder(LabGenerator generator, List<Issued> issued) {
		boolean strict = generator.kind() != LabGenerator.Kind.ROUGH_TIME;
		for (int i = 1; i < issued.size(); i++) {
			Issued one = issued.get(i);
			Issued last = issued.get(i - 1);
			if (one.before() == last.before() && falls(generator, strict, last.id(), one.id())) {
				this.violations.add(generator + " issued " + one.id() + " after " + last.id() + " in one call");
				return;
			}
		}
		List<Issued> byEnd = new ArrayList<>(issued);
		byEnd.sort(Comparator.comparingLong(Issued::after));
		List<Issued> byStart = new ArrayList<>(issued);
		byStart.sort(Comparator.comparingLong(Issued::before));
		Issued highest = null;
		int ended = 0;
		for (Issued one : byStart) {
			while (ended < byEnd.size() && byEnd.get(ended).after() < one.before()) {
				Issued earlier = byEnd.get(ended++);
				if (highest == null || generator.rank(earlier.id()) > generator.rank(highest.id())) {
					highest = earlier;
				}
			}
			if (highest != null && falls(generator, strict, highest.id(), one.id())) {
				this.violations.add(generator + " issued " + one.id() + " after " + highest.id());
				return;
			}
		}
	}

	private static boolean falls(LabGenerator generator, boolean strict, long earlier, long later) {
		return strict ? generator.rank(later) <= generator.rank(earlier)
				: generator.rank(later) < generator.rank(earlier);
	}

	/**
	 * Compare all that was issued with itself and with what the store remembers.
	 */
	void verify(JdbcTemplate jdbc) {
		verifyUnique();
		verifyWaits();
		for (LabGenerator generator : LabGenerator.values()) {
			switch (generator.kind()) {
				case COUNTER -> {
					long reserved = jdbc.queryForObject("select next_ordinal from ids_key_space where name = ?",
							Long.class, generator.generator());
					verifyReserved(generator, reserved);
					verifyGivenBack(generator, reserved);
				}
				case SERIES -> {
					Map<Long, Long> positions = positions(jdbc, generator);
					verifyPositions(generator, positions);
					verifyReserved(generator,
							positions.entrySet()
								.stream()
								.mapToLong(
										(slot) -> slot.getValue() - slot.getKey() * LabGenerator.Constants.SERIES_SIZE)
								.sum());
				}
				case GAPLESS -> verifyGapless(generator,
						jdbc.queryForList("select id from " + Callers.INVOICES + " order by id", Long.class)
							.stream()
							.mapToLong(Long::longValue)
							.toArray(),
						jdbc.queryForObject("select next_value from ids_gapless where name = ?", Long.class,
								generator.generator()));
				case TIME, ROUGH_TIME -> verifyPositions(generator, positions(jdbc, generator));
			}
		}
	}

	private static Map<Long, Long> positions(JdbcTemplate jdbc, LabGenerator generator) {
		Map<Long, Long> positions = new HashMap<>();
		jdbc.query("select slot, next_position from ids_slot where key_space = ?",
				(RowCallbackHandler) (row) -> positions.put(row.getLong(1), row.getLong(2)), generator.generator());
		return positions;
	}

	/**
	 * Look for ids at or beyond the position of their series or node.
	 */
	void verifyPositions(LabGenerator generator, Map<Long, Long> positions) {
		for (long id : this.all.get(generator).sorted()) {
			long position = positions.getOrDefault(generator.slot(id), 0L);
			if (generator.position(id) >= position) {
				this.violations.add(generator + " issued " + id + ", which is beyond " + position + ", where slot "
						+ generator.slot(id) + " stands");
				return;
			}
		}
	}

	/**
	 * Look for callers who waited for longer than once.
	 */
	void verifyWaits() {
		this.late.forEach((generator, count) -> this.violations.add(count + " callers of " + generator
				+ " waited longer than the wait-timeout, up to " + this.longest.get(generator) + " ms"));
	}

	/**
	 * Look for what instances kept that were closed, though nobody had come after them.
	 */
	void verifyGivenBack(LabGenerator generator, long reserved) {
		Map<String, Account> all = this.accounts.get(generator);
		all.forEach((instance, account) -> {
			long kept = account.keptForNothing(reserved, all.values());
			if (kept > 0) {
				this.violations.add(instance + " kept " + kept + " of " + generator
						+ " when it was closed, and nobody had reserved anything after them");
			}
		});
	}

	/**
	 * Look for ids that came twice, or that there should not be.
	 */
	void verifyUnique() {
		this.all.forEach((generator, ids) -> {
			long[] sorted = ids.sorted();
			List<Long> repeated = new ArrayList<>();
			for (int i = 1; i < sorted.length; i++) {
				if (sorted[i] == sorted[i - 1]) {
					repeated.add(sorted[i]);
				}
			}
			if (!repeated.isEmpty()) {
				this.violations.add(generator + " issued " + repeated.size() + " ids twice, such as "
						+ repeated.subList(0, Math.min(SHOWN, repeated.size())));
			}
			if (sorted.length == 0) {
				this.violations.add(generator + " issued nothing");
			}
			else if (sorted[0] < 0) {
				this.violations.add(generator + " issued " + sorted[0]);
			}
		});
		if (this.unexpected > 0) {
			this.violations.add(this.unexpected + " calls ended in errors that nobody should see: look at the log");
		}
	}

	/**
	 * Compare what the store says is reserved with what it has told instances.
	 * @param reserved how many the store says are reserved
	 */
	void verifyReserved(LabGenerator generator, long reserved) {
		Collection<Account> all = this.accounts.get(generator).values();
		long held = all.stream().mapToLong(Account::held).sum();
		long inDoubt = all.stream().mapToLong(Account::inDoubt).sum();
		long givenBack = all.stream().mapToLong(Account::givenBackInDoubt).sum();
		long lost = reserved - held;
		if (lost < -givenBack || lost > inDoubt) {
			this.violations.add(generator + " has " + reserved + " reserved, of which instances know " + held + ", and "
					+ inDoubt + " at most were in doubt");
		}
		this.lost.merge(generator, Math.max(0, lost), Long::sum);
	}

	/**
	 * Compare the numbers without a gap with what was committed.
	 * @param committed what is in the table, in ascending order
	 * @param next what the sequence says comes next
	 */
	void verifyGapless(LabGenerator generator, long[] committed, long next) {
		for (int i = 0; i < committed.length; i++) {
			if (committed[i] != i + 1) {
				this.violations.add(generator + " has " + committed[i] + " in the place of " + (i + 1));
				break;
			}
		}
		if (next != committed.length + 1) {
			this.violations.add(generator + " continues with " + next + " after " + committed.length);
		}
		long[] told = this.all.get(generator).sorted();
		if (told.length > 0 && told[told.length - 1] > committed.length) {
			this.violations.add(generator + " said that " + told[told.length - 1] + " was committed");
		}
	}

	long count() {
		return this.all.values().stream().mapToLong((ids) -> ids.count).sum();
	}

	/**
	 * Return what there is to report.
	 */
	String summary() {
		return count() + " ids, lost " + this.lost + ", longest waits in ms " + this.longest;
	}

	List<String> violations() {
		return this.violations;
	}

	/**
	 * An id, and when it was issued.
	 *
	 * @param before the sequence number that was drawn before the call
	 * @param after the sequence number that was drawn after the call
	 */
	record Issued(long before, long after, long id) {

	}

	/**
	 * Many ids.
	 */
	private static final class Ids {

		private long[] values = new long[1_024];

		private int count;

		void add(Issued one) {
			if (this.count == this.values.length) {
				this.values = Arrays.copyOf(this.values, this.count * 2);
			}
			this.values[this.count++] = one.id();
		}

		long[] sorted() {
			long[] sorted = Arrays.copyOf(this.values, this.count);
			Arrays.sort(sorted);
			return sorted;
		}

	}

}
