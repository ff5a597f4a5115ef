package dev.idspring.jdbc;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;

import javax.sql.DataSource;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction managers and DataSources of an application, with their names. When
 * managers of several DataSources nest transactions, Spring does not report which
 * transaction is the innermost one. So once a {@link JdbcGaplessStore} uses this object,
 * a synchronization marks each new transaction of a known manager.
 *
 * @since 0.1.0
 */
public final class TransactionManagers {

	private final Map<DataSource, String> names = Collections.synchronizedMap(new IdentityHashMap<>());

	private volatile boolean jta;

	private volatile boolean marksTransactions;

	/**
	 * Add a DataSource, so that messages can name it.
	 * @param name the name in the application context
	 * @param dataSource the DataSource
	 */
	public void add(String name, DataSource dataSource) {
		InvalidSettingException.requireGiven(TransactionManagers.class, "name", name);
		InvalidSettingException.requireGiven(TransactionManagers.class, "dataSource", dataSource);
		this.names.put(dataSource, name);
	}

	/**
	 * Add a transaction manager, and listen to its transactions.
	 * @param name the name in the application context
	 * @param manager the transaction manager
	 */
	public void add(String name, ConfigurableTransactionManager manager) {
		InvalidSettingException.requireGiven(TransactionManagers.class, "name", name);
		InvalidSettingException.requireGiven(TransactionManagers.class, "manager", manager);
		boolean jta = manager instanceof JtaTransactionManager;
		this.jta |= jta;
		manager.addListener(new TransactionExecutionListener() {

			@Override
			public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
				if (TransactionManagers.this.marksTransactions && failure == null && transaction.isNewTransaction()
						&& TransactionSynchronizationManager.isSynchronizationActive()) {
					TransactionSynchronizationManager
						.registerSynchronization(new Mark(name, jta, connectionHolder(transaction)));
				}
			}

		});
	}

	private static @Nullable ConnectionHolder connectionHolder(TransactionExecution transaction) {
		return (transaction instanceof DefaultTransactionStatus status
				&& status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc && jdbc.hasConnectionHolder())
						? jdbc.getConnectionHolder() : null;
	}

	/**
	 * From now on, mark each transaction that a known manager begins.
	 */
	void startMarking() {
		this.marksTransactions = true;
	}

	/**
	 * Return whether a JTA manager was added. A JTA transaction can also include inserts
	 * through other DataSources.
	 */
	boolean hasJta() {
		return this.jta;
	}

	/**
	 * Return the mark of the innermost transaction, or {@code null} if no known manager
	 * began it.
	 */
	@Nullable Mark innermostMark() {
		return TransactionSynchronizationManager.getSynchronizations()
			.stream()
			.filter(Mark.class::isInstance)
			.map(Mark.class::cast)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return a description of a DataSource for messages.
	 */
	String describe(@Nullable DataSource dataSource) {
		if (dataSource == null) {
			return "an unknown DataSource";
		}
		String name = this.names.get(dataSource);
		if (name != null) {
			return "DataSource '" + name + "'";
		}
		String type = dataSource.getClass().getSimpleName();
		return DataSourceRelation.targets(dataSource)
			.stream()
			.map(this.names::get)
			.filter((target) -> target != null)
			.findFirst()
			.map((target) -> "a " + type + " of DataSource '" + target + "'")
			.orElse("a " + type);
	}

	/**
	 * Return a description of a transaction's manager for messages.
	 */
	String describe(@Nullable Mark mark) {
		if (mark == null) {
			return "another transaction manager";
		}
		DataSource dataSource = mark.dataSource();
		return (mark.jta() ? "JTA " : "") + "transaction manager '" + mark.manager() + "'"
				+ ((dataSource != null) ? " (" + describe(dataSource) + ")" : "");
	}

	/**
	 * Marks a transaction with the manager that began it.
	 *
	 * @param manager the name of the manager
	 * @param jta whether the manager is a JTA manager
	 * @param connection the holder of the transaction's connection, if known
	 */
	record Mark(String manager, boolean jta,
			@Nullable ConnectionHolder connection) implements TransactionSynchronization {

		/**
		 * Return the DataSource for which Spring has bound the transaction's connection
		 * to the thread, or {@code null} if there is none.
		 */
		@Nullable DataSource dataSource() {
			return TransactionSynchronizationManager.getResourceMap()
				.entrySet()
				.stream()
				.filter((bound) -> this.connection != null && bound.getValue() == this.connection)
				.map(Map.Entry::getKey)
				.filter(DataSource.class::isInstance)
				.map(DataSource.class::cast)
				.findFirst()
				.orElse(null);
		}

	}

}
