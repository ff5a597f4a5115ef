package dev.idspring.jdbc;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Knows whether the current transaction is one of a DataSource, as the transaction
 * managers of JDBC and JPA leave their marks.
 */
final class TransactionProbe extends DataSourceTransactionManager {

	private static final long serialVersionUID = 1L;

	TransactionProbe(DataSource dataSource) {
		super(dataSource);
	}

	boolean isOfDataSource() {
		if (isExistingTransaction(doGetTransaction())) {
			return true;
		}
		// JPA's; one that was opened where there was none is marked as synchronized
		return TransactionSynchronizationManager.getResource(obtainDataSource()) instanceof ConnectionHolder holder
				&& !holder.isSynchronizedWithTransaction();
	}

}
