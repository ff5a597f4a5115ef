package dev.idspring.cluster;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.testsupport.Figures;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Draws gapless numbers in transactions that are retried after a conflict.
 */
final class GaplessDraws {

	static final String GENERATOR_PROPERTY = "ids.generators.invoices.strategy=gapless";

	private final Queue<Long> committedNumbers = new ConcurrentLinkedQueue<>();

	private final Map<String, Integer> conflictCounts = new ConcurrentHashMap<>();

	private final Map<String, Integer> otherFailures = new ConcurrentHashMap<>();

	/**
	 * Draw numbers, each in a separate transaction.
	 * @return {@code count}
	 */
	int draw(ConfigurableApplicationContext caller, int count) {
		IdGenerator ids = caller.getBean(IdGenerators.class).get("invoices");
		TransactionTemplate transaction = new TransactionTemplate(caller.getBean(PlatformTransactionManager.class));
		for (int drawn = 0; drawn < count;) {
			try {
				this.committedNumbers.add(transaction.execute((status) -> ids.nextLong()));
				drawn++;
			}
			catch (ConcurrencyFailureException ex) {
				this.conflictCounts.merge(ex.getClass().getSimpleName(), 1, Integer::sum);
			}
			catch (RuntimeException ex) {
				String message = String.valueOf(ex.getMessage()).replaceAll("\\(conn=\\d+\\) ", "");
				this.otherFailures.merge(ex.getClass().getSimpleName() + ": " + message, 1, Integer::sum);
				drawn++;
			}
		}
		return count;
	}

	/**
	 * Record the figures. Fail unless each number from 1 was issued exactly once and all
	 * failures were conflicts that callers can retry.
	 */
	void assertNoDuplicatesAndNoGaps(String scenario) {
		Figures.add("%s: %d committed, %d repeated, conflicts %s, other failures %s", scenario,
				this.committedNumbers.size(),
				this.committedNumbers.size() - this.committedNumbers.stream().distinct().count(), this.conflictCounts,
				this.otherFailures);
		assertThat(this.otherFailures).as(scenario).isEmpty();
		assertThat(this.committedNumbers.stream().sorted()).as(scenario)
			.containsExactlyElementsOf(LongStream.rangeClosed(1, this.committedNumbers.size()).boxed().toList());
	}

}
