package dev.idspring.autoconfigure;

import javax.sql.DataSource;

import dev.idspring.jdbc.TransactionManagers;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Collects the transaction managers and DataSources of the application. The store of
 * gapless numbers needs them, because it draws numbers in the application's transactions.
 */
final class TransactionManagersPostProcessor implements BeanPostProcessor {

	private final TransactionManagers managers = new TransactionManagers();

	TransactionManagers managers() {
		return this.managers;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof DataSource dataSource) {
			this.managers.add(beanName, dataSource);
		}
		// reactive transaction managers are skipped, because their transactions are not
		// bound to a thread
		if (bean instanceof PlatformTransactionManager && bean instanceof ConfigurableTransactionManager manager) {
			this.managers.add(beanName, manager);
		}
		return bean;
	}

}
