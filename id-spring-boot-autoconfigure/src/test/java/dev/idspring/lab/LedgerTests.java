package dev.idspring.lab;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import dev.idspring.lab.Ledger.Issued;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@link Ledger} reports the violations that the {@link Laboratory} must find.
 */
class LedgerTests {

	private final Ledger ledger = new Ledger();

	private final Map<LabGenerator, Account> accounts = new EnumMap<>(LabGenerator.class);

	private int instances;

	LedgerTests() {
		for (LabGenerator generator : LabGenerator.values()) {
			Account account = new Account(generator);
			account.add(StoreEvent.OPENED, 0, 0, 0, 0);
			this.accounts.put(generator, account);
		}
	}

	@Test
	void reportsNothingForCorrectIds() {
		reserve(LabGenerator.ROWS, 0, 0, 67);
		issue(LabGenerator.ROWS, oneAfterAnother(63, 64, 66));
		this.ledger.verifyReserved(LabGenerator.ROWS, 67);
		this.ledger.verifyGivenBack(LabGenerator.ROWS, 67);
		this.ledger.verifyWaits();
		this.ledger.verifyGapless(LabGenerator.INVOICES, LongStream.rangeClosed(1, 62).toArray(), 63);
		assertThat(this.ledger.violations()).isEmpty();
		assertThat(this.ledger.count()).isEqualTo(3);
	}

	@Test
	void reportsTheSameIdFromTwoInstances() {
		Account other = account(LabGenerator.LINES, 0, 100);
		reserve(LabGenerator.LINES, 0, 0, 100);
		issue(LabGenerator.LINES, oneAfterAnother(7, 62));
		this.ledger.add(LabGenerator.LINES, "other", oneAfterAnother(62), other);
		this.ledger.verifyUnique();
		assertThat(this.ledger.violations()).contains("LINES issued 1 ids twice, such as [62]");
	}

	@Test
	void reportsAGeneratorThatIssuedNothing() {
		this.ledger.verifyUnique();
		assertThat(this.ledger.violations()).hasSize(LabGenerator.values().length)
			.allMatch((violation) -> violation.endsWith("issued nothing"));
	}

	@Test
	void reportsALaterCallWithALowerId() {
		reserve(LabGenerator.ROWS, 0, 0, 100);
		issue(LabGenerator.ROWS, List.of(new Issued(1, 2, 71), new Issued(3, 4, 70)));
		assertThat(this.ledger.violations()).containsExactly("ROWS issued 70 after 71");
	}

	@Test
	void acceptsAnyOrderOfConcurrentCalls() {
		reserve(LabGenerator.ROWS, 0, 0, 100);
		issue(LabGenerator.ROWS, List.of(new Issued(1, 3, 71), new Issued(2, 4, 70)));
		assertThat(this.ledger.violations()).isEmpty();
	}

	@Test
	void reportsDecreasingIdsWithinACall() {
		reserve(LabGenerator.ROWS, 0, 0, 100);
		issue(LabGenerator.ROWS, List.of(new Issued(1, 2, 72), new Issued(1, 2, 71)));
		assertThat(this.ledger.violations()).containsExactly("ROWS issued 71 after 72 in one call");
	}

	@Test
	void acceptsAnyOrderOfRandomDigitsWithinAMillisecond() {
		reserve(LabGenerator.TICKETS, 0, 0, 10);
		issue(LabGenerator.TICKETS, oneAfterAnother(5_0000900, 5_0000100));
		assertThat(this.ledger.violations()).isEmpty();
		issue(LabGenerator.TICKETS, oneAfterAnother(5_0000200, 4_0000900));
		assertThat(this.ledger.violations()).containsExactly("TICKETS issued 40000900 after 50000200");
	}

	@Test
	void reportsDecreasingIdsWithinASeries() {
		reserve(LabGenerator.LINES, 0, 0, 10);
		reserve(LabGenerator.LINES, 1, 2_000, 2_010);
		issue(LabGenerator.LINES, oneAfterAnother(2_001, 1, 2_002, 2));
		assertThat(this.ledger.violations()).isEmpty();
		issue(LabGenerator.LINES, oneAfterAnother(2_004, 2_003));
		assertThat(this.ledger.violations()).containsExactly("LINES issued 2003 after 2004");
	}

	@Test
	void acceptsAnyOrderInASeriesClaimedUnderTwoOwnerIds() {
		reserve(LabGenerator.LINES, 0, 0, 100);
		this.accounts.get(LabGenerator.LINES).add(StoreEvent.CLAIMED, 0, 0, 17, 0);
		this.accounts.get(LabGenerator.LINES).add(StoreEvent.CLAIMED, 0, 0, 18, 0);
		issue(LabGenerator.LINES, oneAfterAnother(4, 3));
		assertThat(this.ledger.violations()).isEmpty();
	}

	@Test
	void reportsAnIdNotReservedForTheInstance() {
		reserve(LabGenerator.ROWS, 0, 0, 50);
		reserve(LabGenerator.ROWS, 0, 100, 150);
		issue(LabGenerator.ROWS, oneAfterAnother(50, 51));
		assertThat(this.ledger.violations())
			.containsExactly("i0 issued 51 of ROWS, which the store had not reserved for it");
	}

	@Test
	void reportsATimeNotReservedForTheNode() {
		reserve(LabGenerator.EVENTS, 3, 0, 1_000);
		issue(LabGenerator.EVENTS, oneAfterAnother((999L << 22) + (3 << 12)));
		assertThat(this.ledger.violations()).isEmpty();
		issue(LabGenerator.EVENTS, oneAfterAnother((1_000L << 22) + (3 << 12)));
		issue(LabGenerator.EVENTS, oneAfterAnother((999L << 22) + (4 << 12)));
		assertThat(this.ledger.violations()).hasSize(2)
			.allMatch((violation) -> violation.endsWith("of EVENTS, which the store had not reserved for it"));
	}

	@Test
	void acceptsATimeInAWindowThatOverlapsEarlierWindows() {
		reserve(LabGenerator.EVENTS, 3, 0, 1_000);
		reserve(LabGenerator.EVENTS, 3, 1_000, 1_100);
		// the node was released at time 500, and claimed again
		reserve(LabGenerator.EVENTS, 3, 500, 1_200);
		reserve(LabGenerator.EVENTS, 3, 1_300, 1_400);
		issue(LabGenerator.EVENTS, oneAfterAnother((1_199L << 22) + (3 << 12)));
		assertThat(this.ledger.violations()).isEmpty();
		issue(LabGenerator.EVENTS, oneAfterAnother((1_200L << 22) + (3 << 12)));
		assertThat(this.ledger.violations()).hasSize(1);
	}

	@Test
	void reportsAnIdBeyondThePositionInTheStore() {
		reserve(LabGenerator.LINES, 1, 2_000, 2_100);
		issue(LabGenerator.LINES, oneAfterAnother(2_050));
		this.ledger.verifyPositions(LabGenerator.LINES, Map.of(1L, 2_050L));
		assertThat(this.ledger.violations()).isEmpty();
		this.ledger.verifyPositions(LabGenerator.LINES, Map.of(1L, 2_049L));
		assertThat(this.ledger.violations())
			.containsExactly("LINES issued 2050, but the stored position of slot 1 is 2049");
	}

	@Test
	void reportsAnInstanceThatLosesTooManyIds() {
		reserve(LabGenerator.ROWS, 0, 0, 50);
		reserve(LabGenerator.ROWS, 0, 50, 100);
		reserve(LabGenerator.ROWS, 0, 100, 150);
		issue(LabGenerator.ROWS, oneAfterAnother(LongStream.rangeClosed(1, 29).toArray()));
		assertThat(this.ledger.violations())
			.containsExactly("i0 lost 121 ids of ROWS, but at most 120 can have been in memory:"
					+ " 3 ranges, 0 given back, 0 in doubt, 0 drops, killed");
	}

	@Test
	void reportsAnIdLostWhenASeriesIsGivenBack() {
		reserve(LabGenerator.LINES, 0, 0, 50);
		addEvent(LabGenerator.LINES, StoreEvent.GIVEN_BACK, 40, 50);
		addEvent(LabGenerator.LINES, StoreEvent.CLOSED, 0, 0);
		issue(LabGenerator.LINES, oneAfterAnother(LongStream.rangeClosed(1, 39).toArray()));
		assertThat(this.ledger.violations()).containsExactly(
				"i0 lost 1 ids of LINES, but at most 0 can have been in memory: 1 ranges, 10 given back, 0 in doubt, 0 drops, closed");
	}

	@Test
	void acceptsASeriesThatCouldNotBeGivenBackOnClose() {
		reserve(LabGenerator.LINES, 0, 0, 50);
		addEvent(LabGenerator.LINES, StoreEvent.NOT_GIVEN_BACK, 40, 50);
		addEvent(LabGenerator.LINES, StoreEvent.CLOSED, 0, 0);
		issue(LabGenerator.LINES, oneAfterAnother(LongStream.rangeClosed(1, 40).toArray()));
		assertThat(this.ledger.violations()).isEmpty();
	}

	@Test
	void reportsReservationsBeyondThoseInDoubt() {
		reserve(LabGenerator.ROWS, 0, 0, 50);
		addEvent(LabGenerator.ROWS, StoreEvent.IN_DOUBT, 1, 50);
		issue(LabGenerator.ROWS, oneAfterAnother(1));
		this.ledger.verifyReserved(LabGenerator.ROWS, 100);
		assertThat(this.ledger.violations()).isEmpty();
		this.ledger.verifyReserved(LabGenerator.ROWS, 101);
		assertThat(this.ledger.violations()).containsExactly(
				"the store has reserved 101 ids of ROWS, but instances know of 50, and at most 50 have an unknown outcome");
	}

	@Test
	void acceptsAReservationInProgressWhenTheInstanceWasKilled() {
		addEvent(LabGenerator.ROWS, StoreEvent.REQUESTED, 0, 50);
		issue(LabGenerator.ROWS, List.of());
		this.ledger.verifyReserved(LabGenerator.ROWS, 50);
		assertThat(this.ledger.violations()).isEmpty();
	}

	@Test
	void reportsReservationsBeyondTheOneInProgressWhenKilled() {
		addEvent(LabGenerator.ROWS, StoreEvent.REQUESTED, 0, 50);
		reserve(LabGenerator.ROWS, 0, 50, 80);
		issue(LabGenerator.ROWS, oneAfterAnother(51));
		this.ledger.verifyReserved(LabGenerator.ROWS, 80);
		assertThat(this.ledger.violations()).isEmpty();
		this.ledger.verifyReserved(LabGenerator.ROWS, 81);
		assertThat(this.ledger.violations()).containsExactly(
				"the store has reserved 81 ids of ROWS, but instances know of 30, and at most 50 have an unknown outcome");
	}

	@Test
	void reportsAStoreThatForgetsAReservation() {
		reserve(LabGenerator.ROWS, 0, 0, 50);
		issue(LabGenerator.ROWS, oneAfterAnother(1));
		this.ledger.verifyReserved(LabGenerator.ROWS, 49);
		assertThat(this.ledger.violations()).hasSize(1);
	}

	@Test
	void reportsABlockNotGivenBackOnClose() {
		reserve(LabGenerator.ROWS, 0, 0, 50);
		this.accounts.get(LabGenerator.ROWS).add(StoreEvent.CLOSED, 10, 0, 0, 0);
		issue(LabGenerator.ROWS, oneAfterAnother(1, 2));
		this.ledger.verifyGivenBack(LabGenerator.ROWS, 50);
		assertThat(this.ledger.violations()).containsExactly(
				"i0 did not give back 48 ids of ROWS when it was closed, although no instance had reserved ids after them");
	}

	@Test
	void acceptsABlockNotGivenBackWhenAnotherReservationFollows() {
		reserve(LabGenerator.ROWS, 0, 0, 50);
		this.accounts.get(LabGenerator.ROWS).add(StoreEvent.CLOSED, 10, 0, 0, 0);
		issue(LabGenerator.ROWS, oneAfterAnother(1, 2));
		this.ledger.add(LabGenerator.ROWS, "other", oneAfterAnother(51), account(LabGenerator.ROWS, 50, 100));
		this.ledger.verifyGivenBack(LabGenerator.ROWS, 100);
		assertThat(this.ledger.violations()).isEmpty();
	}

	@Test
	void acceptsABlockNotGivenBackWhenAFollowingReservationIsGivenBackLater() {
		reserve(LabGenerator.ROWS, 0, 0, 50);
		this.accounts.get(LabGenerator.ROWS).add(StoreEvent.CLOSED, 10, 0, 0, 0);
		issue(LabGenerator.ROWS, oneAfterAnother(1, 2));
		Account other = account(LabGenerator.ROWS, 50, 100);
		other.add(StoreEvent.GIVEN_BACK, 11, 0, 50, 100);
		this.ledger.add(LabGenerator.ROWS, "other", oneAfterAnother(), other);
		this.ledger.verifyGivenBack(LabGenerator.ROWS, 50);
		assertThat(this.ledger.violations()).isEmpty();
	}

	@Test
	void reportsABlockNotGivenBackWhenTheNextReservationWasRequestedAfterTheClose() {
		reserve(LabGenerator.ROWS, 0, 0, 50);
		this.accounts.get(LabGenerator.ROWS).add(StoreEvent.CLOSED, 10, 0, 0, 0);
		issue(LabGenerator.ROWS, oneAfterAnother(1, 2));
		Account other = new Account(LabGenerator.ROWS);
		other.add(StoreEvent.REQUESTED, 11, 0, 0, 50);
		other.add(StoreEvent.CONFIRMED, 12, 0, 50, 100);
		other.add(StoreEvent.ENDED, 12, 0, 0, 50);
		this.ledger.add(LabGenerator.ROWS, "other", oneAfterAnother(51), other);
		this.ledger.verifyGivenBack(LabGenerator.ROWS, 100);
		assertThat(this.ledger.violations()).hasSize(1)
			.first()
			.asString()
			.startsWith("i0 did not give back 48 ids of ROWS");
	}

	@Test
	void acceptsABlockNotGivenBackWhenTheNextReservationWasRequestedBeforeTheClose() {
		reserve(LabGenerator.ROWS, 0, 0, 50);
		this.accounts.get(LabGenerator.ROWS).add(StoreEvent.CLOSED, 10, 0, 0, 0);
		issue(LabGenerator.ROWS, oneAfterAnother(1, 2));
		Account other = new Account(LabGenerator.ROWS);
		other.add(StoreEvent.REQUESTED, 9, 0, 0, 50);
		other.add(StoreEvent.REQUESTED, 11, 0, 0, 50);
		other.add(StoreEvent.CONFIRMED, 12, 0, 50, 100);
		other.add(StoreEvent.ENDED, 12, 0, 0, 50);
		this.ledger.add(LabGenerator.ROWS, "other", oneAfterAnother(51), other);
		this.ledger.verifyGivenBack(LabGenerator.ROWS, 100);
		assertThat(this.ledger.violations()).isEmpty();
	}

	@Test
	void reportsACallerThatWaitsTwiceTheTimeout() {
		this.ledger.recordCall(LabGenerator.ROWS, Answer.UNAVAILABLE, LabGenerator.WAIT_MILLIS);
		this.ledger.verifyWaits();
		assertThat(this.ledger.violations()).isEmpty();
		this.ledger.recordCall(LabGenerator.ROWS, Answer.ID, 2 * LabGenerator.WAIT_MILLIS);
		this.ledger.verifyWaits();
		assertThat(this.ledger.violations())
			.containsExactly("1 callers of ROWS waited longer than the wait-timeout, up to 4000 ms");
	}

	@Test
	void reportsAGapInGaplessNumbers() {
		this.ledger.verifyGapless(LabGenerator.INVOICES,
				LongStream.rangeClosed(1, 63).filter((number) -> number != 5).toArray(), 63);
		assertThat(this.ledger.violations()).containsExactly("INVOICES has 6 in place of 5");
	}

	@Test
	void reportsALostCommittedNumber() {
		issue(LabGenerator.INVOICES, oneAfterAnother(62));
		this.ledger.verifyGapless(LabGenerator.INVOICES, LongStream.rangeClosed(1, 61).toArray(), 62);
		assertThat(this.ledger.violations())
			.containsExactly("INVOICES reported that 62 was committed, but the last row is 61");
	}

	private void reserve(LabGenerator generator, long slot, long start, long end) {
		Account account = this.accounts.get(generator);
		account.add(StoreEvent.REQUESTED, 1, slot, 0, end - start);
		account.add(StoreEvent.CONFIRMED, 2, slot, start, end);
		account.add(StoreEvent.ENDED, 2, slot, 0, end - start);
	}

	private void addEvent(LabGenerator generator, StoreEvent event, long start, long end) {
		this.accounts.get(generator).add(event, 3, 0, start, end);
	}

	private static Account account(LabGenerator generator, long start, long end) {
		Account account = new Account(generator);
		account.add(StoreEvent.REQUESTED, 1, 0, 0, end - start);
		account.add(StoreEvent.CONFIRMED, 2, 0, start, end);
		account.add(StoreEvent.ENDED, 2, 0, 0, end - start);
		return account;
	}

	private void issue(LabGenerator generator, List<Issued> issued) {
		this.ledger.add(generator, "i" + this.instances++, issued, this.accounts.get(generator));
	}

	private static List<Issued> oneAfterAnother(long... ids) {
		return IntStream.range(0, ids.length).mapToObj((i) -> new Issued(2 * i, 2 * i + 1, ids[i])).toList();
	}

}
