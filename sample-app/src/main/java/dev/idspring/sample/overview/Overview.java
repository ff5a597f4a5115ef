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
 * Draws ids for show, and remembers the last ones.
 */
@Service
class Overview {

	private final IdGenerators generators;

	private final TransactionTemplate transactions;

	private final Map<String, RecentIds> recent = new ConcurrentHashMap<>();

	Overview(IdGenerators generators, PlatformTransactionManager transactionManager) {
		this.generators = generators;
		// the page shows it, and nothing else here uses it
		generators.get("default");
		this.transactions = new TransactionTemplate(transactionManager);
	}

	/**
	 * Draw ids that nothing is stored under. The transaction around it is rolled back, so
	 * that {@code gapless} hands the same numbers to those who store something; to the
	 * other generators transactions make no difference.
	 * @return what has been drawn so far, or nothing if there is no such generator
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
	 * Return what has been drawn so far.
	 * @return it, or nothing if there is no such generator
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
