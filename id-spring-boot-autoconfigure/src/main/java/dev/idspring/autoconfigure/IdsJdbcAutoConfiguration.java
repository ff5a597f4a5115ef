package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.Objects;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcGaplessStore;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.JdbcSettings;
import dev.idspring.jdbc.JdbcSlotStore;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.autoconfigure.init.OnDatabaseInitializationCondition;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Auto-configuration for the id store in the application's database.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = IdsAutoConfiguration.class, after = DataSourceAutoConfiguration.class)
@ConditionalOnClass({ DataSource.class, DataSourceScriptDatabaseInitializer.class })
@Conditional(IdsJdbcAutoConfiguration.OnDataSource.class)
@ConditionalOnMissingBean(KeySpaceStore.class)
@ConditionalOnBooleanProperty(name = "ids.enabled", matchIfMissing = true)
@ConditionalOnStore(StoreType.JDBC)
@EnableConfigurationProperties({ IdsProperties.class, IdsJdbcProperties.class })
@Import(DatabaseInitializationDependencyConfigurer.class)
public final class IdsJdbcAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@Conditional(OnIdsDatabaseInitialization.class)
	JdbcSchemaInitializer idsSchemaInitializer(IdsJdbcProperties properties, ObjectProvider<DataSource> dataSource,
			@IdsDataSource ObjectProvider<DataSource> idsDataSource) {
		DataSource target = dataSource(dataSource, idsDataSource);
		boolean own = idsDataSource.getIfAvailable() != null;
		DatabaseInitializationSettings settings = UnreachableDatabase.explained(own, () -> JdbcSchemaInitializer
			.settings(target, properties.initializeSchema(), properties.schema(), properties.platform()));
		return new JdbcSchemaInitializer(target, properties.tablePrefix(), settings) {

			@Override
			public boolean initializeDatabase() {
				return UnreachableDatabase.explained(own, super::initializeDatabase);
			}

		};
	}

	@Bean
	JdbcStoreConnector idsStoreConnector(IdsProperties ids, IdsJdbcProperties properties,
			ObjectProvider<DataSource> dataSource, @IdsDataSource ObjectProvider<DataSource> idsDataSource,
			ObjectProvider<TimeSource> timeSource, Environment environment) {
		StoreType.JDBC.checkConfigured(ids.store());
		return new JdbcStoreConnector(dataSource(dataSource, idsDataSource), properties,
				idsDataSource.getIfAvailable() != null, CheckedProperties.storeTimeout(environment, ids),
				timeSource.getIfAvailable(TimeSource::system));
	}

	@Bean
	@ConditionalOnMissingBean
	JdbcDatabase idsDatabase(JdbcStoreConnector connector) {
		return connector.connect();
	}

	@Bean
	JdbcKeySpaceStore jdbcKeySpaceStore(JdbcDatabase database) {
		return new JdbcKeySpaceStore(database);
	}

	@Bean
	@ConditionalOnMissingBean(SlotStore.class)
	JdbcSlotStore jdbcSlotStore(JdbcDatabase database) {
		return new JdbcSlotStore(database);
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean(GaplessStore.class)
	JdbcGaplessStore jdbcGaplessStore(IdsProperties ids, IdsJdbcProperties properties, JdbcDatabase database,
			ObjectProvider<DataSource> dataSource, @IdsDataSource ObjectProvider<DataSource> idsDataSource,
			ObjectProvider<TimeSource> timeSource, Environment environment) {
		DataSource application = dataSource.getIfUnique();
		if (application == null) {
			throw new IdSetupException(
					"A gapless generator draws numbers in the transactions of the application, but"
							+ " there are several DataSource beans, or only one that is marked with @IdsDataSource.",
					"Mark the DataSource of those transactions with @Primary.");
		}
		boolean own = idsDataSource.getIfAvailable() != null;
		Duration timeout = CheckedProperties.storeTimeout(environment, ids);
		TimeSource time = timeSource.getIfAvailable(TimeSource::system);
		return StartupExecutor.call(timeout, () -> {
			try {
				Deadline deadline = Deadline.after(time, timeout);
				JdbcGaplessStore store = new JdbcGaplessStore(
						application, own
								? JdbcDatabase
									.openForGapless(application,
											new JdbcSettings(properties.tablePrefix(), null, 0,
													properties.failoverLag(), null, false, false),
											deadline)
								: database);
				store.open(deadline);
				return store;
			}
			catch (IdSetupException ex) {
				throw own ? new IdSetupException(ex.getProblem(),
						"Create the table in the database of the application's transactions: ids.jdbc.initialize-schema"
								+ " creates tables only in that of the DataSource marked with @IdsDataSource. The"
								+ " statement is in the scripts dev/idspring/jdbc/schema-<platform>.sql, which are in the"
								+ " id-jdbc jar.",
						ex) : ex;
			}
		});
	}

	private static DataSource dataSource(ObjectProvider<DataSource> dataSource,
			ObjectProvider<DataSource> idsDataSource) {
		DataSource found = idsDataSource.getIfAvailable(dataSource::getIfUnique);
		if (found == null) {
			throw new IdSetupException("There are several DataSource beans and none of them is primary.",
					"Mark the one that holds the ids with @IdsDataSource, or one of them with @Primary.");
		}
		return found;
	}

	/**
	 * A {@code DataSource} that is marked may be hidden from everybody else, and is then
	 * no bean for conditions either.
	 */
	static final class OnDataSource extends AnyNestedCondition {

		OnDataSource() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBean(DataSource.class)
		static final class Candidate {

		}

		@Conditional(OnMarkedDataSource.class)
		static final class Marked {

		}

	}

	static final class OnMarkedDataSource extends SpringBootCondition implements ConfigurationCondition {

		@Override
		public ConfigurationPhase getConfigurationPhase() {
			return ConfigurationPhase.REGISTER_BEAN;
		}

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			ConditionMessage.Builder message = ConditionMessage.forCondition("Marked DataSource");
			ConfigurableListableBeanFactory beans = Objects.requireNonNull(context.getBeanFactory());
			for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true,
					false)) {
				if (beans.findAnnotationOnBean(name, IdsDataSource.class, false) != null) {
					return ConditionOutcome.match(message.foundExactly(name));
				}
			}
			return ConditionOutcome.noMatch(message.because("no DataSource is marked with @IdsDataSource"));
		}

	}

	static final class OnIdsDatabaseInitialization extends OnDatabaseInitializationCondition {

		private static final String PROPERTY = "ids.jdbc.initialize-schema";

		OnIdsDatabaseInitialization() {
			super("Ids", PROPERTY);
		}

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			try {
				return super.getMatchOutcome(context, metadata);
			}
			catch (IllegalArgumentException ex) {
				throw new IdSetupException(PROPERTY + " is '" + context.getEnvironment().getProperty(PROPERTY) + "'.",
						"Use one of embedded, always, never.", ex);
			}
		}

	}

}
