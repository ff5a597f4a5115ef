package dev.idspring.jdbc;

import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SequenceLocks}.
 */
class SequenceLocksTests {

	private final SequenceLocks locks = new SequenceLocks();

	@Test
	void reusesLocksInUseAndDropsUnusedOnes() {
		SequenceLock used = this.locks.get("used");
		List<SequenceLock> others = new ArrayList<>();
		for (int i = 0; i < 1_000; i++) {
			others.add(this.locks.get("row " + i));
		}
		assertThat(this.locks.size()).isEqualTo(1_001);
		others.clear();
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(this.locks.get("used")).isSameAs(used);
			assertThat(this.locks.size()).isEqualTo(1);
		});
	}

}
