package dev.idspring.autoconfigure.batch;

import java.util.Set;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.monitor.ManagedIdGenerator;
import org.springframework.batch.infrastructure.item.database.support.DataFieldMaxValueIncrementerFactory;
import org.springframework.batch.infrastructure.support.DatabaseType;
import org.springframework.jdbc.support.incrementer.DataFieldMaxValueIncrementer;

/**
 * Lets a generator number the job instances, job executions and step executions of Spring
 * Batch, instead of the database's sequences. All three tables draw from it.
 * <p>
 * Spring Batch takes the execution with the greatest id for the last one, so ids must
 * grow in the order of their executions.
 *
 * @since 0.1.0
 */
public final class IdIncrementerFactory implements DataFieldMaxValueIncrementerFactory {

	private static final Set<String> GROWING = Set.of("sequential", "gapless", "snowflake", "decimal-uid");

	private final IdGenerator ids;

	/**
	 * Create a factory.
	 * @param ids the generator, whose ids grow
	 * @throws IdSetupException if the strategy of the generator is {@code coprime},
	 * {@code recycled} or {@code composite}
	 */
	public IdIncrementerFactory(IdGenerator ids) {
		String strategy = (ids instanceof ManagedIdGenerator managed) ? managed.snapshot().strategy() : null;
		if (strategy != null && !GROWING.contains(strategy)) {
			throw new IdSetupException(
					"Spring Batch takes the execution with the greatest id for the last one, but the ids of"
							+ " generator '" + ids.name() + "' (" + strategy + ") do not grow.",
					"Use a generator whose strategy is gapless, sequential or snowflake.");
		}
		this.ids = ids;
	}

	@Override
	public DataFieldMaxValueIncrementer getIncrementer(String databaseType, String incrementerName) {
		return new Incrementer(this.ids);
	}

	/**
	 * {@inheritDoc}
	 *
	 * The type does not matter: nothing is asked of the database.
	 */
	@Override
	public boolean isSupportedIncrementerType(String databaseType) {
		return true;
	}

	@Override
	public String[] getSupportedIncrementerTypes() {
		return Stream.of(DatabaseType.values()).map(Enum::name).toArray(String[]::new);
	}

	/**
	 * Draws ids for one table.
	 */
	private record Incrementer(IdGenerator ids) implements DataFieldMaxValueIncrementer {

		@Override
		public int nextIntValue() {
			return Math.toIntExact(nextLongValue());
		}

		@Override
		public long nextLongValue() {
			return this.ids.nextLong();
		}

		@Override
		public String nextStringValue() {
			return this.ids.nextString();
		}

	}

}
