package dev.idspring.autoconfigure;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.autoconfigure.IdsConnectionSource.DedicatedDataSource;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcGaplessStore;
import dev.idspring.jdbc.JdbcSettings;
import dev.idspring.jdbc.SqlFailure;
import dev.idspring.jdbc.TransactionManagers;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.ScopedGaplessStore;
import dev.idspring.store.SlotStore;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage.Style;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.StringUtils;

/**
 * Opens the stores in the database. By default, the stores use a dedicated connection if
 * possible.
 */
final class JdbcStoreConnector extends StoreConnector {

	private static final Log logger = LogFactory.getLog(JdbcStoreConnector.class);

	private static final String ADDRESS_PROPERTY = "spring.datasource.url";

	private final DataSource dataSource;

	private final IdsJdbcProperties properties;

	/**
	 * Whether the DataSource is marked with {@link IdsDataSource}.
	 */
	private final boolean forIds;

	private @Nullable DedicatedDataSource dedicated;

	JdbcStoreConnector(DataSource dataSource, IdsJdbcProperties properties, boolean forIds, Duration timeout,
			TimeSource timeSource) {
		super(StoreType.JDBC, timeout, timeSource);
		this.dataSource = dataSource;
		this.properties = properties;
		this.forIds = forIds;
	}

	/**
	 * Return the DataSource of the database that contains the tables of the stores.
	 */
	DataSource dataSource() {
		return this.dataSource;
	}

	JdbcSchemaInitializer initializer() {
		return explainFailures(() -> new JdbcSchemaInitializer(this.dataSource, this.properties.tablePrefix(),
				JdbcSchemaInitializer.settings(this.dataSource, this.properties.initializeSchema(),
						this.properties.schema(), this.properties.platform())) {

			@Override
			public boolean initializeDatabase() {
				return explainFailures(super::initializeDatabase);
			}

		});
	}

	/**
	 * Open the database.
	 * @param otherWork work that the calling thread does in the meantime. This work must
	 * not use the database
	 */
	JdbcDatabase connect(Runnable otherWork) {
		// opened on another thread, because a transaction of the calling thread may
		// determine the target of a routing DataSource
		OpenedDatabase opened = open(this::connectOnThisThread, otherWork);
		this.dedicated = opened.dedicated();
		return opened.database();
	}

	private OpenedDatabase connectOnThisThread() {
		if (this.forIds || this.properties.connection() == IdsJdbcProperties.Connection.SHARED) {
			return new OpenedDatabase(open(this.dataSource, false), null);
		}
		DedicatedDataSource dedicated = IdsConnectionSource.createDedicated(this.dataSource, timeout());
		if (dedicated == null) {
			logger.info("Ids are reserved through connections from the application's pool, which is not a HikariCP"
					+ " pool. " + IdsConnectionSource.DEADLOCK_RISK
					+ ". A separate DataSource that is marked with @IdsDataSource avoids this");
			return new OpenedDatabase(open(this.dataSource, false), null);
		}
		try {
			return openDedicated(dedicated);
		}
		catch (RuntimeException | Error ex) {
			dedicated.close();
			throw ex;
		}
	}

	private OpenedDatabase openDedicated(DedicatedDataSource dedicated) {
		try {
			return new OpenedDatabase(open(dedicated, !dedicated.isAutoCommit()), dedicated);
		}
		catch (IdSetupException ex) {
			dedicated.close();
			// this fails in the same way, unless each pool has its own in-memory database
			JdbcDatabase database = open(this.dataSource, false);
			logger.info("Ids are reserved through connections from the application's pool, because a dedicated"
					+ " connection does not see the same database. " + IdsConnectionSource.DEADLOCK_RISK);
			return new OpenedDatabase(database, null);
		}
		catch (IdGenerationException ex) {
			if (!dedicated.isShared()) {
				throw ex;
			}
			// rejected logins used up the whole timeout, so retry: the connections now
			// come from the application's pool
			return new OpenedDatabase(open(dedicated, !dedicated.isAutoCommit()), dedicated);
		}
	}

	private JdbcDatabase open(DataSource target, boolean prepared) {
		return JdbcDatabase.open(target, new JdbcSettings(this.properties.tablePrefix(), this.properties.platform(),
				this.properties.failoverMargin(), this.properties.failoverLag(), this.properties.synchronousCommit(),
				this.properties.initializeSchema() == DatabaseInitializationMode.ALWAYS, prepared), deadline());
	}

	/**
	 * Open the store of gapless numbers, which are drawn in the transactions of the
	 * application.
	 * @param application the DataSource of those transactions
	 * @param database the database of the other stores
	 * @param managers the transaction managers that begin those transactions
	 */
	ScopedGaplessStore connectGapless(DataSource application, JdbcDatabase database, TransactionManagers managers) {
		Function<Deadline, ScopedGaplessStore> opener = (deadline) -> openGapless(application, database, managers,
				deadline);
		try {
			ScopedGaplessStore store = StartupExecutor.call(timeout(), () -> opener.apply(deadline()));
			return isRouted(application) ? new RoutedGaplessStore(application, store, true, this::deadline, opener)
					: store;
		}
		catch (IdStoreUnavailableException ex) {
			if (!this.forIds || !SqlFailure.isRoutingFailure(ex)) {
				throw ex;
			}
			logger.info("The routing DataSource of the transactions has no default target. Gapless sequences are"
					+ " therefore opened in each of its databases when a number is first drawn there");
			return new RoutedGaplessStore(application, new JdbcGaplessStore(application, database, managers), false,
					this::deadline, opener);
		}
	}

	/**
	 * Return whether a DataSource is known to route to several DataSources, for example
	 * to one for each tenant.
	 */
	private static boolean isRouted(DataSource dataSource) {
		try {
			if (!dataSource.isWrapperFor(AbstractRoutingDataSource.class)) {
				return false;
			}
			AbstractRoutingDataSource routing = dataSource.unwrap(AbstractRoutingDataSource.class);
			Set<@Nullable DataSource> targets = new HashSet<>(routing.getResolvedDataSources().values());
			targets.add(routing.getResolvedDefaultDataSource());
			targets.remove(null);
			return targets.size() > 1;
		}
		catch (SQLException | RuntimeException ex) {
			// the targets are unknown
			return false;
		}
	}

	private ScopedGaplessStore openGapless(DataSource application, JdbcDatabase database, TransactionManagers managers,
			Deadline deadline) {
		try {
			JdbcSettings settings = new JdbcSettings(this.properties.tablePrefix(), null, 0,
					this.properties.failoverLag(), null, false, false);
			JdbcGaplessStore store = new JdbcGaplessStore(application,
					this.forIds ? JdbcDatabase.openForGapless(application, settings, deadline) : database, managers);
			store.open(deadline);
			return store;
		}
		catch (IdSetupException ex) {
			if (!ex.getProperties().isEmpty()) {
				throw ex;
			}
			// the remedy may name a property that has no effect on this database
			boolean misleading = this.forIds && ex.getRemedy().contains("ids.jdbc.initialize-schema");
			throw new IdSetupException(ex.getProblem(), misleading
					? "Grant select, insert and update on the table if it exists. Otherwise, create it in the"
							+ " database of the application's transactions:"
							+ " ids.jdbc.initialize-schema creates tables only in the database of the DataSource marked with"
							+ " @IdsDataSource. The statement is in the scripts"
							+ " dev/idspring/jdbc/schema-<platform>.sql, which are in the id-jdbc jar."
					: ex.getRemedy(), List.of(StoreType.JDBC.group()), ex);
		}
	}

	@Override
	Object resource() {
		return this.dataSource;
	}

	@Override
	public void close() {
		if (this.dedicated != null) {
			this.dedicated.close();
			this.dedicated = null;
		}
	}

	@Override
	RuntimeException translate(RuntimeException failure) {
		// some pools wrap the exception of the driver when their first connection fails
		return (failure.getCause() instanceof SQLException) ? unreachable(
				"Cannot connect to the database of the id store: " + SqlFailure.describe(failure, this.dataSource),
				failure) : failure;
	}

	@Override
	IdStoreUnavailableException unreachable(String problem, RuntimeException cause) {
		String sentence = StringUtils.trimTrailingCharacter(problem, '.') + ". "
				+ (isRejectedByPool(NestedExceptionUtils.getMostSpecificCause(cause))
						? "The driver rejects the address, or the pool rejects a setting. " : "");
		if (this.forIds) {
			return new UnreachableException(
					sentence + "This is the database of the DataSource that is marked with @IdsDataSource.", List.of(),
					SqlFailure.remedy(cause).orElse("Check that the database is up.")
							+ " The address of the database is in the properties of that DataSource: for HikariCP, these"
							+ " are jdbc-url, username and password." + DRIVER_HINT,
					cause);
		}
		boolean denied = SqlFailure.isAccessDenied(cause);
		return new UnreachableException(
				sentence + "The address of the database comes from " + ADDRESS_PROPERTY
						+ ", unless the application declares the DataSource itself.",
				denied ? List.of(ADDRESS_PROPERTY, "spring.datasource.username") : List.of(ADDRESS_PROPERTY),
				(denied ? "Correct spring.datasource.username and spring.datasource.password, or grant this user access"
						+ " to the database." : SqlFailure.remedy(cause).orElseGet(StoreType.JDBC::advice))
						+ DRIVER_HINT,
				cause);
	}

	private static boolean isRejectedByPool(Throwable cause) {
		return cause instanceof IllegalArgumentException || cause.getClass() == RuntimeException.class;
	}

	/**
	 * The opened database.
	 *
	 * @param database the database
	 * @param dedicated the pool that was created for the database, if any
	 */
	private record OpenedDatabase(JdbcDatabase database,
			@Nullable DedicatedDataSource dedicated) implements AutoCloseable {

		@Override
		public void close() {
			if (this.dedicated != null) {
				this.dedicated.close();
			}
		}

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
	 * Matches if a {@code DataSource} can be injected without a qualifier, or is marked
	 * with {@link IdsDataSource}. {@link ConditionalOnBean} would not find a marked
	 * {@code DataSource} that is not a default candidate.
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
				if (IdGeneratorRegistrar.isCandidate(beans, name) || isMarked(beans, name)) {
					return ConditionOutcome.match(message.found("bean").items(Style.QUOTE, name));
				}
			}
			return ConditionOutcome.noMatch(message.because("there is no DataSource bean"));
		}

		/**
		 * Return whether a bean is marked with {@link IdsDataSource}, by an annotation or
		 * by a qualifier of its definition.
		 */
		static boolean isMarked(ConfigurableListableBeanFactory beans, String name) {
			if (!beans.containsLocalBean(name)
					&& beans.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent) {
				return isMarked(parent, name);
			}
			return beans.findAnnotationOnBean(name, IdsDataSource.class, false) != null
					|| beans.containsBeanDefinition(name)
							&& beans.getBeanDefinition(name) instanceof AbstractBeanDefinition definition
							&& definition.hasQualifier(IdsDataSource.class.getName());
		}

	}

}
