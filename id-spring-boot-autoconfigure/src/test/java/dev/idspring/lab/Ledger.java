package dev.idspring.lab;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * All that was issued, and what is wrong with it.
 */
final class Ledger {

	private static final int SHOWN = 5;

	private final Map<LabGenerator, Ids> all = new EnumMap<>(LabGenerator.class);

	private final List<String> violations = new ArrayList<>();

	private long unexpected;

	Ledger() {
		for (LabGenerator generator : LabGenerator.values()) {
			this.all.put(generator, new Ids());
		}
	}

	/**
	 * Read what instances were given.
	 */
	static Ledger read(Path directory, List<String> instances) {
		Ledger ledger = new Ledger();
		for (String instance : instances) {
			for (LabGenerator generator : LabGenerator.values()) {
				ledger.read(directory, instance, generator);
			}
		}
		return ledger;
	}

	private void read(Path directory, String instance, LabGenerator generator) {
		List<Issued> issued = new ArrayList<>();
		for (int i = 0; i < Callers.THREADS; i++) {
			Path file = RecordFile.path(directory, instance, generator, i);
			if (!Files.exists(file)) {
				// it was gone before it could begin
				continue;
			}
			RecordFile.read(file, 0, (answer, before, after, id) -> {
				if (answer == Answer.ID) {
					issued.add(new Issued(before, after, id));
				}
				else if (answer == Answer.UNEXPECTED) {
					this.unexpected++;
				}
			});
		}
		add(generator, issued);
	}

	/**
	 * Add what one instance was given.
	 */
	void add(LabGenerator generator, List<Issued> issued) {
		Ids ids = this.all.get(generator);
		issued.forEach((one) -> ids.add(one.id()));
		LabGenerator.Kind kind = generator.kind();
		if (kind == LabGenerator.Kind.COUNTER || kind == LabGenerator.Kind.TIME
				|| kind == LabGenerator.Kind.ROUGH_TIME) {
			verifyOrder(generator, issued);
		}
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
	 * @param ended how many instances have ended, in whatever way
	 * @param inDoubt how many transactions have ended so that nobody knows how
	 */
	void verify(JdbcTemplate jdbc, int ended, int inDoubt) {
		verifyUnique();
		for (LabGenerator generator : LabGenerator.values()) {
			switch (generator.kind()) {
				case COUNTER -> verifyReserved(generator,
						jdbc.queryForObject("select next_ordinal from ids_key_space where name = ?", Long.class,
								generator.generator()),
						explained(1, ended, inDoubt));
				case SERIES -> verifyReserved(generator,
						jdbc.queryForObject("select sum(next_position - slot * ?) from ids_slot where key_space = ?",
								Long.class, LabGenerator.Constants.SERIES_SIZE, generator.generator()),
						explained(LabGenerator.Constants.SERIES, ended, inDoubt));
				case GAPLESS -> verifyGapless(generator,
						jdbc.queryForList("select id from " + Callers.INVOICES + " order by id", Long.class)
							.stream()
							.mapToLong(Long::longValue)
							.toArray(),
						jdbc.queryForObject("select next_value from ids_gapless where name = ?", Long.class,
								generator.generator()));
				case TIME, ROUGH_TIME -> {
					// what is not used of a window of time is nobody's
				}
			}
		}
	}

	/**
	 * Return how many ids can have been lost: what an instance had in memory or on its
	 * way when it ended, and what its callers had taken and not written down yet; and a
	 * block with each transaction of which nobody knows how it ended.
	 */
	private static long explained(int servers, int ended, int inDoubt) {
		long inMemory = 3L * LabGenerator.BLOCK * servers + (long) Callers.THREADS * LabGenerator.BULK;
		return ended * inMemory + (long) inDoubt * LabGenerator.BLOCK;
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
	 * Look for ids beyond what was reserved, and for more that were reserved and never
	 * issued than can have been in memory.
	 * @param reserved how many the store says are reserved
	 * @param explained how many can have been lost
	 */
	void verifyReserved(LabGenerator generator, long reserved, long explained) {
		Ids ids = this.all.get(generator);
		for (long id : ids.sorted()) {
			long ordinal = generator.rank(id);
			// the numbers of series are not used up one after the other
			if (generator.kind() == LabGenerator.Kind.COUNTER && (ordinal < 0 || ordinal >= reserved)) {
				this.violations.add(generator + " issued " + id + ", which is not one of the first " + reserved);
				break;
			}
		}
		long lost = reserved - ids.count;
		if (lost < 0 || lost > explained) {
			this.violations.add(generator + " issued " + ids.count + " of " + reserved + " that were reserved, and "
					+ explained + " at most may be lost");
		}
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
			this.violations.add(generator + " goes on with " + next + " after " + committed.length);
		}
		long[] told = this.all.get(generator).sorted();
		if (told.length > 0 && told[told.length - 1] > committed.length) {
			this.violations.add(generator + " said that " + told[told.length - 1] + " was committed");
		}
	}

	long count() {
		return this.all.values().stream().mapToLong((ids) -> ids.count).sum();
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

		void add(long id) {
			if (this.count == this.values.length) {
				this.values = Arrays.copyOf(this.values, this.count * 2);
			}
			this.values[this.count++] = id;
		}

		long[] sorted() {
			long[] sorted = Arrays.copyOf(this.values, this.count);
			Arrays.sort(sorted);
			return sorted;
		}

	}

}
