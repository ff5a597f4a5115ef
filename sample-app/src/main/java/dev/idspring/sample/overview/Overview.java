package dev.idspring.sample.overview;

import java.util.Objects;
import java.util.Optional;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Draws ids for demonstration and shows the latest ids.
 */
@Service
class Overview {

	private final IdGenerators generators;

	private final TransactionTemplate transactions;

	private final IdRecorder recorder;

	Overview(IdGenerators generators, PlatformTransactionManager transactionManager, IdRecorder recorder) {
		this.generators = generators;
		this.recorder = recorder;
		// create the default generator now: the page shows it, but no other code uses it
		generators.get("default");
		this.transactions = new TransactionTemplate(transactionManager);
	}

	/**
	 * Draw ids without storing them. The transaction is rolled back, so that the strategy
	 * {@code gapless} issues the same numbers again. The rollback does not affect other
	 * strategies.
	 * @return the latest ids, or empty if there is no such generator; the last id is the
	 * last one that this call drew
	 */
	Optional<ChartData> draw(String name, int count) {
		return find(name).map((generator) -> {
			long[] ids = Objects.requireNonNull(this.transactions.execute((transaction) -> {
				transaction.setRollbackOnly();
				return generator.nextLongs(count);
			}));
			return latest(generator).withLast(generator.format(ids[ids.length - 1]));
		});
	}

	/**
	 * Return the latest ids, including those that other code has drawn.
	 * @return the ids, or empty if there is no such generator
	 */
	Optional<ChartData> drawn(String name) {
		return find(name).map(this::latest);
	}

	private ChartData latest(IdGenerator generator) {
		return ChartData.of(generator, this.recorder.recent(generator.name()).latest());
	}

	private Optional<IdGenerator> find(String name) {
		return this.generators.names().contains(name) ? Optional.of(this.generators.get(name)) : Optional.empty();
	}

}
