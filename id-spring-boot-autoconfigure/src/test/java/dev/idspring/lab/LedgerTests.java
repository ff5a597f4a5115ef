package dev.idspring.lab;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import dev.idspring.lab.Ledger.Issued;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@link Ledger} sees what the laboratory is there to find.
 */
class LedgerTests {

	private final Ledger ledger = new Ledger();

	LedgerTests() {
		for (LabGenerator generator : LabGenerator.values()) {
			this.ledger.add(generator, List.of(new Issued(1, 2, 62)));
		}
	}

	@Test
	void nothingIsWrong() {
		this.ledger.add(LabGenerator.ROWS, inTurn(63, 64, 66));
		this.ledger.add(LabGenerator.ROWS, inTurn(65, 67));
		this.ledger.verifyUnique();
		this.ledger.verifyReserved(LabGenerator.ROWS, 67, 61);
		this.ledger.verifyGapless(LabGenerator.INVOICES, LongStream.rangeClosed(1, 62).toArray(), 63);
		assertThat(this.ledger.violations()).isEmpty();
		assertThat(this.ledger.count()).isEqualTo(LabGenerator.values().length + 5);
	}

	@Test
	void sameIdOfTwoInstances() {
		this.ledger.add(LabGenerator.LINES, inTurn(7, 62));
		this.ledger.verifyUnique();
		assertThat(this.ledger.violations()).containsExactly("LINES issued 1 ids twice, such as [62]");
	}

	@Test
	void generatorThatIssuedNothing() {
		Ledger empty = new Ledger();
		empty.verifyUnique();
		assertThat(empty.violations()).hasSize(LabGenerator.values().length)
			.allMatch((violation) -> violation.endsWith("issued nothing"));
	}

	@Test
	void negativeId() {
		this.ledger.add(LabGenerator.EVENTS, inTurn(-3));
		this.ledger.verifyUnique();
		assertThat(this.ledger.violations()).containsExactly("EVENTS issued -3");
	}

	@Test
	void laterCallThatGotAnEarlierId() {
		this.ledger.add(LabGenerator.ROWS, List.of(new Issued(1, 2, 71), new Issued(3, 4, 70)));
		assertThat(this.ledger.violations()).containsExactly("ROWS issued 70 after 71");
	}

	@Test
	void callsAtTheSameTimeMayGetTheirIdsInAnyOrder() {
		this.ledger.add(LabGenerator.ROWS, List.of(new Issued(1, 3, 71), new Issued(2, 4, 70)));
		assertThat(this.ledger.violations()).isEmpty();
	}

	@Test
	void callWhoseIdsFall() {
		this.ledger.add(LabGenerator.RECEIPTS, List.of(new Issued(1, 2, 71), new Issued(1, 2, 70)));
		assertThat(this.ledger.violations()).containsExactly("RECEIPTS issued 70 after 71 in one call");
	}

	@Test
	void randomDigitsOfAMillisecondNeedNotRise() {
		this.ledger.add(LabGenerator.TICKETS, inTurn(5_0000009, 5_0000001));
		assertThat(this.ledger.violations()).isEmpty();
		this.ledger.add(LabGenerator.TICKETS, inTurn(5_0000002, 4_9999999));
		assertThat(this.ledger.violations()).containsExactly("TICKETS issued 49999999 after 50000002");
	}

	@Test
	void idThatWasNotReserved() {
		this.ledger.verifyReserved(LabGenerator.ROWS, 61, 100);
		assertThat(this.ledger.violations()).containsExactly("ROWS issued 62, which is not one of the first 61");
	}

	@Test
	void gapThatNothingExplains() {
		this.ledger.verifyReserved(LabGenerator.ROWS, 100, 98);
		assertThat(this.ledger.violations())
			.containsExactly("ROWS issued 1 of 100 that were reserved, and 98 at most may be lost");
	}

	@Test
	void holeInNumbersWithoutGaps() {
		this.ledger.verifyGapless(LabGenerator.INVOICES,
				LongStream.rangeClosed(1, 63).filter((number) -> number != 5).toArray(), 63);
		assertThat(this.ledger.violations()).containsExactly("INVOICES has 6 in the place of 5");
	}

	@Test
	void numberThatWasCommittedAndIsGone() {
		this.ledger.verifyGapless(LabGenerator.INVOICES, LongStream.rangeClosed(1, 61).toArray(), 62);
		assertThat(this.ledger.violations()).containsExactly("INVOICES said that 62 was committed");
	}

	private static List<Issued> inTurn(long... ids) {
		return IntStream.range(0, ids.length).mapToObj((i) -> new Issued(2 * i, 2 * i + 1, ids[i])).toList();
	}

}
