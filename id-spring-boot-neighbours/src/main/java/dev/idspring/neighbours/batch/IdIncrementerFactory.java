package dev.idspring.neighbours.batch;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.TransactionalIds.Insert;
import dev.idspring.TransactionalIds;
import dev.idspring.monitor.ManagedIdGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.PropertyValue;
import org.springframework.beans.PropertyValues;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanReference;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.jdbc.support.incrementer.DataFieldMaxValueIncrementer;

/**
 * Lets Spring Batch draw the ids of job instances, job executions and step executions
 * from a generator instead of from sequences in the database. All three tables share the
 * generator.
 * <p>
 * Ids must increase from each execution to the next, because Spring Batch treats the
 * execution with the greatest id as the last one.
 *
 * @since 0.1.0
 */
public final class IdIncrementerFactory extends AllDatabaseTypes implements BeanFactoryAware {

	private static final Set<String> INCREASING = Set.of("sequential", "gapless", "snowflake", "decimal-uid");

	private static final String ROW_DESCRIPTION = "a Spring Batch table";

	private final IdGenerator ids;

	private @Nullable ConfigurableListableBeanFactory beans;

	/**
	 * Create a factory. If the application implements the generator itself, this
	 * constructor does not verify that its ids increase.
	 * @param ids the generator; its ids must increase
	 * @throws IdSetupException if the strategy of the generator is {@code coprime},
	 * {@code recycled} or {@code composite}
	 */
	public IdIncrementerFactory(IdGenerator ids) {
		InvalidSettingException.requireGiven(IdIncrementerFactory.class, "ids", ids);
		String strategy = (ids instanceof ManagedIdGenerator managed) ? managed.snapshot().strategy() : null;
		if (strategy != null && !INCREASING.contains(strategy)) {
			throw new IdSetupException(
					"Spring Batch treats the execution with the greatest id as the last one, but the ids of"
							+ " generator '" + ids.name() + "' (" + strategy + ") do not increase.",
					"Use a generator whose strategy is gapless, sequential, snowflake or decimal-uid.");
		}
		this.ids = ids;
	}

	@Override
	public void setBeanFactory(BeanFactory beans) {
		this.beans = (beans instanceof ConfigurableListableBeanFactory listable) ? listable : null;
	}

	/**
	 * {@inheritDoc}
	 * @throws IdSetupException if the generator is {@code gapless}, and the job
	 * repository inserts its rows in transactions other than those in which the ids are
	 * drawn
	 */
	@Override
	public DataFieldMaxValueIncrementer getIncrementer(String databaseType, String incrementerName) {
		DataSource dataSource = (this.ids instanceof TransactionalIds) ? dataSource() : null;
		if (this.ids instanceof TransactionalIds transactional && dataSource != null) {
			transactional.verifyInserts(ROW_DESCRIPTION, Set.of(dataSource));
		}
		return new Incrementer(this.ids, dataSource);
	}

	/**
	 * Return the {@code DataSource} of the job repository that uses this factory, or
	 * {@code null} if the bean definitions do not refer to exactly one.
	 */
	private @Nullable DataSource dataSource() {
		ConfigurableListableBeanFactory beans = this.beans;
		if (beans == null) {
			return null;
		}
		Set<Object> found = Stream.of(beans.getBeanDefinitionNames())
			.map((name) -> beans.getBeanDefinition(name).getPropertyValues())
			.filter((properties) -> bean(properties, "incrementerFactory", beans) == this)
			.map((properties) -> bean(properties, "dataSource", beans))
			.flatMap(Stream::ofNullable)
			.collect(Collectors.toSet());
		return (found.size() == 1 && found.iterator().next() instanceof DataSource dataSource) ? dataSource : null;
	}

	private static @Nullable Object bean(PropertyValues properties, String name,
			ConfigurableListableBeanFactory beans) {
		PropertyValue property = properties.getPropertyValue(name);
		return (property != null && property.getValue() instanceof BeanReference bean)
				? beans.getSingleton(bean.getBeanName()) : null;
	}

	/**
	 * Draws ids for one table.
	 */
	private record Incrementer(IdGenerator ids,
			@Nullable DataSource dataSource) implements DataFieldMaxValueIncrementer {

		private IdGenerator verifiedGenerator() {
			if (this.ids instanceof TransactionalIds transactional) {
				transactional.verifyInsert(new Insert(ROW_DESCRIPTION, this.dataSource, null));
			}
			return this.ids;
		}

		@Override
		public int nextIntValue() {
			return Math.toIntExact(nextLongValue());
		}

		@Override
		public long nextLongValue() {
			return verifiedGenerator().nextLong();
		}

		@Override
		public String nextStringValue() {
			return verifiedGenerator().nextString();
		}

	}

}
