package dev.idspring.autoconfigure;

import java.util.Objects;
import java.util.Set;

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
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionMessage.Style;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Auto-configuration for the id store in a database, which is usually that of the
 * application.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = IdsAutoConfiguration.class,
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration" })
@ConditionalOnClass({ DataSource.class, DataSourceScriptDatabaseInitializer.class })
@Conditional(IdsJdbcAutoConfiguration.OnDataSource.class)
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
	 * @param problem the message of the exception, without a full stop
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

	private static @Nullable DataSource findMarked(ObjectProvider<DataSource> dataSources) {
		try {
			return dataSources.getIfAvailable();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new IdSetupException(
					"Several DataSource beans are marked with @IdsDataSource: " + ex.getBeanNamesFound() + ".",
					"Mark only the one that holds the ids.", ex);
		}
	}

	@Bean
	JdbcStoreConnector idsStoreConnector(IdsJdbcProperties properties, ObjectProvider<DataSource> dataSource,
			@IdsDataSource ObjectProvider<DataSource> idsDataSource, ObjectProvider<TimeSource> timeSource,
			GeneratorPropertiesBinder binder) {
		StoreType.JDBC.checkConfigured(binder.environment());
		DataSource marked = findMarked(idsDataSource);
		DataSource selected = (marked != null) ? marked
				: requireSingle(dataSource, "There are several DataSource beans and none of them is primary",
						"Mark the one that holds the ids with @IdsDataSource, or one of them with @Primary.");
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

	/**
	 * Makes every store depend on the initialization of the database, so that all scripts
	 * and migrations run first.
	 */
	static final class DependsOnDatabaseInitialization
			extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

		@Override
		protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
			return Set.of(JdbcDatabase.class, KeySpaceStore.class, SlotStore.class, GaplessStore.class);
		}

	}

	/**
	 * Matches if there is a {@code DataSource}, marked or not. {@link ConditionalOnBean}
	 * does not find marked ones, because they are not default candidates.
	 */
	static final class OnDataSource extends SpringBootCondition implements ConfigurationCondition {

		@Override
		public ConfigurationPhase getConfigurationPhase() {
			return ConfigurationPhase.REGISTER_BEAN;
		}

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			ConfigurableListableBeanFactory beans = Objects.requireNonNull(context.getBeanFactory());
			ConditionMessage.Builder message = ConditionMessage.forCondition("DataSource for ids");
			for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true,
					false)) {
				if (isCandidate(beans, name) || beans.findAnnotationOnBean(name, IdsDataSource.class, false) != null) {
					return ConditionOutcome.match(message.found("bean").items(Style.QUOTE, name));
				}
			}
			return ConditionOutcome.noMatch(message.because("there is no DataSource bean"));
		}

		private static boolean isCandidate(ConfigurableListableBeanFactory beans, String name) {
			try {
				BeanDefinition definition = beans.getMergedBeanDefinition(name);
				return definition.isAutowireCandidate()
						&& !(definition instanceof AbstractBeanDefinition type && !type.isDefaultCandidate());
			}
			catch (NoSuchBeanDefinitionException ex) {
				// registered programmatically as a singleton
				return true;
			}
		}

	}

}
