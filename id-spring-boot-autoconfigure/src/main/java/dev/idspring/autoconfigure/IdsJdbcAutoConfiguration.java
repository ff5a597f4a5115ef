package dev.idspring.autoconfigure;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.JdbcSlotStore;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.ScopedGaplessStore;
import dev.idspring.store.SlotStore;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration for the id store in a database, which is usually the application's
 * database.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = IdsAutoConfiguration.class,
		afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnClass({ DataSource.class, DataSourceScriptDatabaseInitializer.class })
@Conditional(JdbcStoreConnector.OnDataSource.class)
@ConditionalOnMissingBean(KeySpaceStore.class)
@ConditionalOnBooleanProperty(name = "ids.enabled", matchIfMissing = true)
@ConditionalOnStore(StoreType.JDBC)
@EnableConfigurationProperties(IdsJdbcProperties.class)
@Import({ DatabaseInitializationDependencyConfigurer.class, GeneratorPropertiesBinder.class })
public final class IdsJdbcAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@Conditional(OnIdsDatabaseInitialization.class)
	JdbcSchemaInitializer idsSchemaInitializer(JdbcStoreConnector connector) {
		return connector.initializer();
	}

	/**
	 * Return the only DataSource, or the primary one.
	 * @param problem the problem that the exception reports, without a full stop
	 * @throws IdSetupException if there is no such DataSource; if there are several
	 * candidates, the message names them
	 */
	static DataSource requireSingle(ObjectProvider<DataSource> dataSources, String problem, String remedy) {
		try {
			DataSource selected = dataSources.getIfAvailable();
			if (selected != null) {
				return selected;
			}
			throw new IdSetupException(problem + ".", remedy);
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new IdSetupException(problem + ": " + ex.getBeanNamesFound() + ".", remedy);
		}
	}

	private static @Nullable DataSource findMarked(ObjectProvider<DataSource> dataSources,
			ConfigurableListableBeanFactory beans) {
		try {
			DataSource marked = dataSources.getIfAvailable();
			if (marked == null) {
				verifyNoneMarked(beans);
			}
			return marked;
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new IdSetupException(
					"Several DataSource beans are marked with @IdsDataSource: " + ex.getBeanNamesFound() + ".",
					"Mark only the one for the id store.", ex);
		}
	}

	/**
	 * Fail if a DataSource is marked. Called if no marked DataSource can be injected.
	 */
	private static void verifyNoneMarked(ConfigurableListableBeanFactory beans) {
		for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class)) {
			if (JdbcStoreConnector.OnDataSource.isMarked(beans, name)) {
				throw new IdSetupException("The DataSource bean '" + name
						+ "' is marked with @IdsDataSource, but cannot be injected because it is not an autowire"
						+ " candidate.",
						"Declare it with @Bean(defaultCandidate = false) instead of @Bean(autowireCandidate = false).");
			}
		}
	}

	@Bean
	JdbcStoreConnector idsStoreConnector(IdsJdbcProperties properties, ObjectProvider<DataSource> dataSource,
			@IdsDataSource ObjectProvider<DataSource> idsDataSource, ObjectProvider<TimeSource> timeSource,
			GeneratorPropertiesBinder binder, ConfigurableListableBeanFactory beans) {
		StoreType.JDBC.checkConfigured(binder.environment());
		DataSource marked = findMarked(idsDataSource, beans);
		DataSource selected = (marked != null) ? marked
				: requireSingle(dataSource, "There are several DataSource beans and none of them is primary",
						"Mark the one for the id store with @IdsDataSource, or mark one of them with @Primary.");
		return new JdbcStoreConnector(selected, properties, marked != null, binder.storeTimeout(),
				timeSource.getIfAvailable(TimeSource::system));
	}

	@Bean
	@ConditionalOnMissingBean
	JdbcDatabase idsDatabase(JdbcStoreConnector connector, GeneratorPropertiesBinder binder) {
		return connector.connect(() -> binder.bind(GeneratorPropertiesBinder.DEFAULT_NAME));
	}

	@Bean
	JdbcKeySpaceStore jdbcKeySpaceStore(JdbcDatabase database) {
		return new JdbcKeySpaceStore(database);
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	SlotStore jdbcSlotStore(JdbcDatabase database) {
		return new JdbcSlotStore(database);
	}

	@Bean
	static TransactionManagersPostProcessor idsTransactionManagers() {
		return new TransactionManagersPostProcessor();
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean(GaplessStore.class)
	ScopedGaplessStore jdbcGaplessStore(JdbcStoreConnector connector, JdbcDatabase database,
			ObjectProvider<DataSource> dataSource, TransactionManagersPostProcessor transactions) {
		DataSource applicationDataSource = requireSingle(dataSource,
				"A gapless generator draws numbers in the transactions of the application, but there are several"
						+ " DataSource beans, or the only one is marked with @IdsDataSource",
				"Mark the DataSource of those transactions with @Primary.");
		return connector.connectGapless(applicationDataSource, database, transactions.managers());
	}

}
