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
 * Collects the ids that all instances of a lab run have issued, and reports violations of
 * the guarantees of the generators.
 */
final class Ledger {

	private static final int MAX_SHOWN_IDS = 5;

	/**
	 * The tolerance for callers that get no CPU while other threads run. The tolerance is
	 * less than the wait timeout, so that a caller that waits twice is still reported.
	 */
	private static final long SLACK_MILLIS = LabGenerator.WAIT_MILLIS * 3 / 4;

	private final Map<LabGenerator, Ids> issuedIds = new EnumMap<>(LabGenerator.class);

	private final List<String> violations = new ArrayList<>();

	private final Map<LabGenerator, Map<String, Account>> accounts = new EnumMap<>(LabGenerator.class);

	private final Map<LabGenerator, Long> lostIds = new EnumMap<>(LabGenerator.class);

	private final Map<LabGenerator, Long> longestWaits = new EnumMap<>(LabGenerator.class);

	private final Map<LabGenerator, Integer> lateCalls = new EnumMap<>(LabGenerator.class);

	private long unexpectedErrors;

	Ledger() {
		for (LabGenerator generator : LabGenerator.values()) {
			this.issuedIds.put(generator, new Ids());
			this.accounts.put(generator, new LinkedHashMap<>());
		}
	}

	/**
	 * Read the files of all instances.
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
			// instances that ended before their callers started have no files
			RecordFile.readCalls(RecordFile.callFile(directory, instance, generator, i), 0,
					(answer, before, after, tookMillis, id) -> {
						recordCall(generator, answer, tookMillis);
						if (answer == Answer.ID) {
							issued.add(new Issued(before, after, id));
						}
					});
		}
		add(generator, instance, issued, Account.read(directory, instance, generator));
	}

	/**
	 * Record the outcome and the duration of a call.
	 */
	void recordCall(LabGenerator generator, Answer answer, long tookMillis) {
		if (answer == Answer.UNEXPECTED) {
			this.unexpectedErrors++;
		}
		// a caller of a gapless generator may also wait for another transaction, up to
		// the timeout of the application
		long maxMillis = SLACK_MILLIS + ((generator.kind() == LabGenerator.Kind.GAPLESS)
				? LabGenerator.WAIT_MILLIS + LabApplication.TIMEOUT_MILLIS : LabGenerator.WAIT_MILLIS);
		this.longestWaits.merge(generator, tookMillis, Math::max);
		if (tookMillis > maxMillis) {
			this.lateCalls.merge(generator, 1, Integer::sum);
		}
	}

	/**
	 * Add the ids and the reservations of one instance.
	 */
	void add(LabGenerator generator, String instance, List<Issued> issued, Account account) {
		Ids ids = this.issuedIds.get(generator);
		issued.forEach(ids::add);
		this.accounts.get(generator).put(instance, account);
		LabGenerator.Kind kind = generator.kind();
		switch (kind) {
			case COUNTER, TIME, ROUGH_TIME -> verifyOrder(generator, issued);
			case SERIES -> issued.stream()
				.collect(Collectors.groupingBy((one) -> generator.slot(one.id())))
				.forEach((series, ofSeries) -> {
					// if an instance claims the same series twice, under different owner
					// ids, it can still issue ids of the first claim while it issues
					// higher ids of the second claim
					if (!account.isShared(series)) {
						verifyOrder(generator, ofSeries);
					}
				});
			case GAPLESS -> {
				// a number is issued again after a rollback, so there is no order
			}
		}
		if (kind != LabGenerator.Kind.GAPLESS) {
			Issued outside = account.firstUnreserved(issued);
			if (outside != null) {
				this.violations.add(instance + " issued " + outside.id() + " of " + generator
						+ ", which the store had not reserved for it");
			}
		}
		if (kind == LabGenerator.Kind.COUNTER || kind == LabGenerator.Kind.SERIES) {
			verifyLost(generator, instance, issued, account);
		}
		account.recordIssued(issued);
	}

	/**
	 * Report an instance that lost more ids than it can have had in memory.
	 */
	private void verifyLost(LabGenerator generator, String instance, List<Issued> issued, Account account) {
		long lost = account.heldIds() - issued.size();
		if (lost > account.maxLost() + account.givenBackInDoubt()) {
			this.violations
				.add(instance + " lost " + lost + " ids of " + generator + ", but at most " + account.maxLost()
						+ " can have been in memory: " + account + (account.isClosed() ? ", closed" : ", killed"));
		}
		this.lostIds.merge(generator, Math.max(0, lost), Long::sum);
	}

	/**
	 * Report ids out of order. Of two calls that do not overlap, the earlier one must
	 * receive the lower id. The ids of one call must increase.
	 */
	private void verifyOrder(LabGenerator generator, List<Issued> issued) {
		boolean strict = generator.kind() != LabGenerator.Kind.ROUGH_TIME;
		for (int i = 1; i < issued.size(); i++) {
			Issued one = issued.get(i);
			Issued last = issued.get(i - 1);
			if (one.before() == last.before() && isOutOfOrder(generator, strict, last.id(), one.id())) {
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
			if (highest != null && isOutOfOrder(generator, strict, highest.id(), one.id())) {
				this.violations.add(generator + " issued " + one.id() + " after " + highest.id());
				return;
			}
		}
	}

	private static boolean isOutOfOrder(LabGenerator generator, boolean strict, long earlier, long later) {
		return strict ? generator.rank(later) <= generator.rank(earlier)
				: generator.rank(later) < generator.rank(earlier);
	}

	/**
	 * Verify all guarantees. Compare the issued ids with the reservations in the store.
	 */
	void verify(JdbcTemplate jdbc) {
		verifyUnique();
		verifyWaits();
		for (LabGenerator generator : LabGenerator.values()) {
			switch (generator.kind()) {
				case COUNTER -> {
					long reserved = jdbc.queryForObject("select next_ordinal from ids_key_space where name = ?",
							Long.class, generator.generatorName());
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
						jdbc.queryForList("select id from " + Callers.INVOICE_TABLE + " order by id", Long.class)
							.stream()
							.mapToLong(Long::longValue)
							.toArray(),
						jdbc.queryForObject("select next_value from ids_gapless where name = ?", Long.class,
								generator.generatorName()));
				case TIME, ROUGH_TIME -> verifyPositions(generator, positions(jdbc, generator));
			}
		}
	}

	private static Map<Long, Long> positions(JdbcTemplate jdbc, LabGenerator generator) {
		Map<Long, Long> positions = new HashMap<>();
		jdbc.query("select slot, next_position from ids_slot where key_space = ?",
				(RowCallbackHandler) (row) -> positions.put(row.getLong(1), row.getLong(2)), generator.generatorName());
		return positions;
	}

	/**
	 * Report an id at or beyond the stored position of its series or node.
	 */
	void verifyPositions(LabGenerator generator, Map<Long, Long> positions) {
		for (long id : this.issuedIds.get(generator).sorted()) {
			long position = positions.getOrDefault(generator.slot(id), 0L);
			if (generator.position(id) >= position) {
				this.violations.add(generator + " issued " + id + ", but the stored position of slot "
						+ generator.slot(id) + " is " + position);
				return;
			}
		}
	}

	/**
	 * Report callers that waited longer than the wait timeout plus the tolerance.
	 */
	void verifyWaits() {
		this.lateCalls.forEach((generator, count) -> this.violations.add(count + " callers of " + generator
				+ " waited longer than the wait-timeout, up to " + this.longestWaits.get(generator) + " ms"));
	}

	/**
	 * Report closed instances that could have given back unused ids, but did not.
	 */
	void verifyGivenBack(LabGenerator generator, long reserved) {
		Map<String, Account> byInstance = this.accounts.get(generator);
		byInstance.forEach((instance, account) -> {
			long unused = account.unusedButReturnable(reserved, byInstance.values());
			if (unused > 0) {
				this.violations.add(instance + " did not give back " + unused + " ids of " + generator
						+ " when it was closed, although no instance had reserved ids after them");
			}
		});
	}

	/**
	 * Report ids that were issued twice, negative ids, generators that issued nothing,
	 * and unexpected errors.
	 */
	void verifyUnique() {
		this.issuedIds.forEach((generator, ids) -> {
			long[] sorted = ids.sorted();
			List<Long> repeated = new ArrayList<>();
			for (int i = 1; i < sorted.length; i++) {
				if (sorted[i] == sorted[i - 1]) {
					repeated.add(sorted[i]);
				}
			}
			if (!repeated.isEmpty()) {
				this.violations.add(generator + " issued " + repeated.size() + " ids twice, such as "
						+ repeated.subList(0, Math.min(MAX_SHOWN_IDS, repeated.size())));
			}
			if (sorted.length == 0) {
				this.violations.add(generator + " issued nothing");
			}
			else if (sorted[0] < 0) {
				this.violations.add(generator + " issued the negative id " + sorted[0]);
			}
		});
		if (this.unexpectedErrors > 0) {
			this.violations.add(this.unexpectedErrors + " calls ended in unexpected errors: see the log");
		}
	}

	/**
	 * Compare the reservations in the store with those that instances have recorded.
	 * @param reserved the number of reserved ids according to the store
	 */
	void verifyReserved(LabGenerator generator, long reserved) {
		Collection<Account> generatorAccounts = this.accounts.get(generator).values();
		long held = generatorAccounts.stream().mapToLong(Account::heldIds).sum();
		long inDoubt = generatorAccounts.stream().mapToLong(Account::inDoubt).sum();
		long givenBack = generatorAccounts.stream().mapToLong(Account::givenBackInDoubt).sum();
		long lost = reserved - held;
		if (lost < -givenBack || lost > inDoubt) {
			this.violations.add("the store has reserved " + reserved + " ids of " + generator
					+ ", but instances know of " + held + ", and at most " + inDoubt + " have an unknown outcome");
		}
		this.lostIds.merge(generator, Math.max(0, lost), Long::sum);
	}

	/**
	 * Check that the committed numbers have no gap.
	 * @param committed the numbers in the table, in ascending order
	 * @param next the next value of the sequence
	 */
	void verifyGapless(LabGenerator generator, long[] committed, long next) {
		for (int i = 0; i < committed.length; i++) {
			if (committed[i] != i + 1) {
				this.violations.add(generator + " has " + committed[i] + " in place of " + (i + 1));
				break;
			}
		}
		if (next != committed.length + 1) {
			this.violations.add(generator + " continues with " + next + " after " + committed.length);
		}
		long[] reported = this.issuedIds.get(generator).sorted();
		if (reported.length > 0 && reported[reported.length - 1] > committed.length) {
			this.violations.add(generator + " reported that " + reported[reported.length - 1]
					+ " was committed, but the last row is " + committed.length);
		}
	}

	long count() {
		return this.issuedIds.values().stream().mapToLong((ids) -> ids.count).sum();
	}

	String summary() {
		return count() + " ids, lost " + this.lostIds + ", longest waits in ms " + this.longestWaits;
	}

	List<String> violations() {
		return this.violations;
	}

	/**
	 * An id, and when its call began and ended.
	 *
	 * @param before the number that the caller drew from a shared counter before the call
	 * @param after the number that the caller drew from this counter after the call
	 */
	record Issued(long before, long after, long id) {

	}

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
