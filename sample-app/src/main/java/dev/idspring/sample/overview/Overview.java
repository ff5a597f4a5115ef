package dev.idspring.sample.overview;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Draws ids for demonstration and remembers the latest ones.
 */
@Service
class Overview {

	private final IdGenerators generators;

	private final TransactionTemplate transactions;

	private final Map<String, RecentIds> recent = new ConcurrentHashMap<>();

	Overview(IdGenerators generators, PlatformTransactionManager transactionManager) {
		this.generators = generators;
		// create this generator now, because the page shows it and no other code uses it
		generators.get("default");
		this.transactions = new TransactionTemplate(transactionManager);
	}

	/**
	 * Draw ids that are not used to store anything. They are drawn in a transaction that
	 * is rolled back, so that the strategy {@code gapless} issues the same numbers again.
	 * The roll-back does not affect other strategies.
	 * @return the ids drawn so far, or empty if there is no such generator
	 */
	Optional<Drawn> draw(String name, int count) {
		return find(name).map((generator) -> {
			long[] ids = Objects.requireNonNull(this.transactions.execute((transaction) -> {
				transaction.setRollbackOnly();
				return generator.nextLongs(count);
			}));
			return recent(name).add(generator, ids);
		});
	}

	/**
	 * Return the ids drawn so far.
	 * @return the ids, or empty if there is no such generator
	 */
	Optional<Drawn> drawn(String name) {
		return find(name).map((generator) -> recent(name).describe(generator));
	}

	private RecentIds recent(String name) {
		return this.recent.computeIfAbsent(name, (unknown) -> new RecentIds());
	}

	private Optional<IdGenerator> find(String name) {
		return this.generators.names().contains(name) ? Optional.of(this.generators.get(name)) : Optional.empty();
	}

}
