package dev.idspring.scope;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerationException;
import dev.idspring.IdGenerators;
import dev.idspring.IdScopeResolver;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsDataSource;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsDataJdbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsDataR2dbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsHibernateAutoConfiguration;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.GeneratedValue;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jpa.EntityManagerFactoryBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.core.convert.DataAccessStrategy;
import org.springframework.data.jdbc.core.convert.DataAccessStrategyFactory;
import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.jdbc.core.convert.QueryMappingConfiguration;
import org.springframework.data.jdbc.core.dialect.JdbcH2Dialect;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.jdbc.repository.support.JdbcRepositoryFactoryBean;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.CrudRepository;
import org.springframework.data.repository.Repository;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests that gapless numbers are drawn only in the transaction that inserts their row, in
 * applications with several DataSources. The tests are in a separate package, because the
 * applications of other tests scan their own packages for entities.
 */
class GaplessRowsTests {

	private static final String NUMBERS = "numbers";

	private static final String ROWS = "rows";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, TransactionAutoConfiguration.class,
				IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class))
		.withUserConfiguration(DataSources.class)
		.withBean(IdScopeResolver.class, () -> (generator) -> List.of("acme"))
		.withPropertyValues("ids.jdbc.initialize-schema=always", "ids.strategy=sequential",
				"ids.generators.invoices.strategy=gapless");

	private ApplicationContextRunner runner(boolean scoped) {
		return this.runner.withPropertyValues("ids.generators.invoices.scoped=" + scoped);
	}

	private ApplicationContextRunner jpa(boolean scoped, Class<?>... configurations) {
		return runner(scoped)
			.withConfiguration(
					AutoConfigurations.of(HibernateJpaAutoConfiguration.class, IdsHibernateAutoConfiguration.class))
			.withPropertyValues("spring.jpa.hibernate.ddl-auto=create", "spring.jpa.open-in-view=false")
			.withUserConfiguration(configurations);
	}

	private ApplicationContextRunner dataJdbc(boolean scoped, Class<?>... configurations) {
		return runner(scoped).withConfiguration(AutoConfigurations.of(IdsDataJdbcAutoConfiguration.class))
			.withUserConfiguration(DataJdbc.class)
			.withUserConfiguration(configurations);
	}

	private static void inTransaction(String dataSource, ApplicationContext context, Consumer<EntityManager> work) {
		inTransaction(dataSource, TransactionDefinition.PROPAGATION_REQUIRED, context, work);
	}

	private static void inTransaction(String dataSource, int propagation, ApplicationContext context,
			Consumer<EntityManager> work) {
		TransactionTemplate transaction = new TransactionTemplate(
				context.getBean(dataSource + "Manager", PlatformTransactionManager.class));
		transaction.setPropagationBehavior(propagation);
		transaction.executeWithoutResult((status) -> work
			.accept(context.containsBean(dataSource + "Unit") ? entities(dataSource, context) : null));
	}

	@SuppressWarnings("NullAway")
	private static EntityManager entities(String dataSource, ApplicationContext context) {
		return EntityManagerFactoryUtils
			.getTransactionalEntityManager(context.getBean(dataSource + "Unit", EntityManagerFactory.class));
	}

	private static void insert(EntityManager entities) {
		entities.persist(new Invoice());
		entities.flush();
	}

	private static void assertInsertFails(Runnable work) {
		assertThatException().isThrownBy(work::run)
			.satisfies(
					(failure) -> assertThat(failure).hasStackTraceContaining("Id generator 'invoices': No number can")
						.hasStackTraceContaining(Invoice.class.getName() + ".number (table invoice)")
						.hasStackTraceContaining("the row is inserted through DataSource 'rows'")
						.hasStackTraceContaining("in the transaction on DataSource 'numbers'"));
	}

	private static List<Long> insertedNumbers(String dataSource, ApplicationContext context) {
		return new JdbcTemplate(context.getBean(dataSource, DataSource.class))
			.queryForList("select number from invoice order by number", Long.class);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void startupFailsForAnEntityInAPersistenceUnitOfAnotherDataSource(boolean scoped) {
		jpa(scoped, RowsUnit.class).run((context) -> assertThat(context).getFailure()
			.isInstanceOf(IdSetupException.class)
			.hasStackTraceContaining(Invoice.class.getName()
					+ ".number (table invoice) gets numbers from the gapless sequence 'invoices'")
			.hasStackTraceContaining("in transactions on DataSource 'numbers'")
			.hasStackTraceContaining("its rows are inserted through DataSource 'rows'"));
	}

	@Test
	void startupFailsForAnEntityInThePersistenceUnitOfTheIdsDataSource() {
		jpa(false, RowsUnit.class, IdsInRows.class).withAllowBeanDefinitionOverriding(true)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("its rows are inserted through DataSource 'rows'"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@FewInvocations(1)
	void entityOfTwoUnitsIsInsertedOnlyInTheUnitOfTheSequence(boolean scoped) {
		jpa(scoped, NumbersUnit.class, RowsUnit.class).run((context) -> {
			inTransaction(NUMBERS, context, GaplessRowsTests::insert);
			assertInsertFails(() -> inTransaction(NUMBERS, context,
					(outer) -> inTransaction(ROWS, context, GaplessRowsTests::insert)));
			assertInsertFails(() -> inTransaction(ROWS, context,
					(rows) -> inTransaction(NUMBERS, context, (inner) -> insert(rows))));
			assertInsertFails(() -> inTransaction(ROWS, context, (rows) -> {
				rows.persist(new Invoice());
				// a query flushes the entity, as the commit would
				inTransaction(NUMBERS, context, (inner) -> rows.createQuery("from invoice").getResultList());
			}));
			assertThatException().isThrownBy(() -> inTransaction(ROWS, context, GaplessRowsTests::insert))
				.satisfies((failure) -> assertThat(failure).hasStackTraceContaining(
						"does not belong to the DataSource of the sequence (DataSource 'numbers')"));
			inTransaction(ROWS, context, (outer) -> inTransaction(NUMBERS, context, GaplessRowsTests::insert));
			inTransaction(NUMBERS, context, (entities) -> entities.persist(new Invoice()));
			assertThat(insertedNumbers(NUMBERS, context)).containsExactly(1L, 2L, 3L);
			assertThat(insertedNumbers(ROWS, context)).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void insertFailsWhenJdbcAndJpaTransactionsOfDifferentDataSourcesAreNested(boolean scoped) {
		jpa(scoped, NumbersManager.class, RowsUnit.class, AdditionalNumbersUnit.class).run((context) -> {
			assertInsertFails(() -> inTransaction(NUMBERS, context,
					(outer) -> inTransaction(ROWS, context, GaplessRowsTests::insert)));
			assertInsertFails(() -> inTransaction(ROWS, context,
					(rows) -> inTransaction(NUMBERS, context, (inner) -> insert(rows))));
			assertThat(insertedNumbers(ROWS, context)).isEmpty();
			inTransaction(NUMBERS, context, (none) -> assertThat(drawNumber(scoped, context)).isEqualTo(1));
		});
	}

	private static long drawNumber(boolean scoped, ApplicationContext context) {
		IdGenerators ids = context.getBean(IdGenerators.class);
		return scoped ? ids.scoped("invoices").in().nextLong() : ids.get("invoices").nextLong();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void drawInATransactionOfAnotherUnitFailsAndReportsBothTransactions(boolean scoped) {
		jpa(scoped, NumbersUnit.class, RowsUnit.class).run((context) -> inTransaction(NUMBERS, context, (outer) -> {
			inTransaction(ROWS, context,
					(inner) -> assertThatException().isThrownBy(() -> drawNumber(scoped, context))
						.isInstanceOf(IdGenerationException.class)
						.withMessageContaining("the transaction on DataSource 'numbers' is not the innermost one")
						.withMessageContaining("transaction manager 'rowsManager' (DataSource 'rows')"));
			assertThat(drawNumber(scoped, context)).isEqualTo(1);
		}));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void insertOverAnotherConnectionFails(boolean scoped) {
		jpa(scoped, NumbersUnit.class).run((context) -> {
			SessionFactory sessions = context.getBean(EntityManagerFactory.class).unwrap(SessionFactory.class);
			Consumer<Function<SessionFactory, StatelessSession>> insert = (openSession) -> {
				try (StatelessSession session = openSession.apply(sessions)) {
					session.insert(new Invoice());
				}
			};
			inTransaction(NUMBERS, context, (entities) -> {
				assertThatException().isThrownBy(() -> insert.accept(SessionFactory::openStatelessSession))
					.satisfies((failure) -> assertThat(failure).hasStackTraceContaining(
							"the row is inserted through another connection of DataSource 'numbers'"));
				entities.unwrap(Session.class)
					.doWork((connection) -> insert.accept((factory) -> factory.openStatelessSession(connection)));
				// a session with its own transaction
				try (EntityManager other = sessions.createEntityManager()) {
					other.getTransaction().begin();
					assertThatException().isThrownBy(() -> insert(other))
						.satisfies((failure) -> assertThat(failure).hasStackTraceContaining("another connection"));
					other.getTransaction().rollback();
				}
			});
			// the session of the outer transaction, used in an inner transaction
			assertThatException()
				.isThrownBy(() -> inTransaction(NUMBERS, context,
						(entities) -> inTransaction(NUMBERS, TransactionDefinition.PROPAGATION_REQUIRES_NEW, context,
								(inner) -> insert(entities))))
				.satisfies((failure) -> assertThat(failure).hasStackTraceContaining("another connection"));
			inTransaction(NUMBERS, context, GaplessRowsTests::insert);
			assertThat(insertedNumbers(NUMBERS, context)).containsExactly(1L, 2L);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@FewInvocations(1)
	void drawsNumbersWhenTheUnitUsesAProxyOfTheDataSource(boolean scoped) {
		jpa(scoped, LazyUnit.class).run((context) -> {
			assertThatException().isThrownBy(() -> inTransaction(NUMBERS, context, (entities) -> {
				insert(entities);
				throw new IllegalStateException("rolled back");
			})).withMessage("rolled back");
			inTransaction(NUMBERS, context, GaplessRowsTests::insert);
			inTransaction(NUMBERS, context, (entities) -> {
				// this query uses another connection, but does not insert the row
				insertedNumbers(NUMBERS, context);
				insert(entities);
			});
			assertThat(insertedNumbers(NUMBERS, context)).containsExactly(1L, 2L);
		});
	}

	@Test
	void drawsNumbersWhenConnectionsAreFetchedLazily() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					TransactionAutoConfiguration.class, IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class,
					HibernateJpaAutoConfiguration.class, IdsHibernateAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=" + TestDatabase.h2().url(),
					"spring.datasource.connection-fetch=lazy", "ids.jdbc.initialize-schema=always",
					"ids.generators.invoices.strategy=gapless", "spring.jpa.hibernate.ddl-auto=create")
			.withBean(PersistenceManagedTypes.class, () -> PersistenceManagedTypes.of(Invoice.class.getName()))
			.run((context) -> {
				assertThat(context.getBean(DataSource.class)).isInstanceOf(LazyConnectionDataSourceProxy.class);
				context.getBean(TransactionTemplate.class)
					.executeWithoutResult((status) -> insert(EntityManagerFactoryUtils
						.getTransactionalEntityManager(context.getBean(EntityManagerFactory.class))));
				assertThat(insertedNumbers("dataSource", context)).containsExactly(1L);
			});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@FewInvocations(1)
	void startupFailsForARepositoryOfAnotherDataSource(boolean scoped) {
		dataJdbc(scoped, RowsRepository.class).run((context) -> assertThat(context).getFailure()
			.isInstanceOf(IdSetupException.class)
			.hasStackTraceContaining(Bill.class.getName() + ".number (table \"INVOICE\") gets numbers")
			.hasStackTraceContaining("its rows are inserted through DataSource 'rows'"));
		dataJdbc(scoped, RowsRepository.class, NumbersRepository.class)
			.run((context) -> assertThat(context).hasNotFailed());
		dataJdbc(scoped, ReadingRepository.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void insertByATemplateOfAnotherDataSourceFailsInAnyTransaction(boolean scoped) {
		dataJdbc(scoped, RowsRepository.class, NumbersRepository.class).run((context) -> {
			createTables(context);
			JdbcAggregateTemplate numbers = context.getBean("jdbcAggregateTemplate", JdbcAggregateTemplate.class);
			JdbcAggregateTemplate rows = context.getBean("rowsTemplate", JdbcAggregateTemplate.class);
			CrudRepository<Bill, Long> bills = context.getBean("rowsBills", RowsBills.class);
			for (Runnable insert : List.<Runnable>of(() -> rows.insert(new Bill(null, null)),
					() -> bills.save(new Bill(null, null)))) {
				Consumer<Runnable> assertBillInsertFails = (work) -> assertThatException().isThrownBy(work::run)
					.satisfies((failure) -> assertThat(failure)
						.hasStackTraceContaining(Bill.class.getName() + ".number (table \"INVOICE\")")
						.hasStackTraceContaining("the row is inserted through DataSource 'rows'"));
				assertBillInsertFails.accept(() -> inTransaction(NUMBERS, context, (none) -> insert.run()));
				assertBillInsertFails.accept(() -> inTransaction(ROWS, context,
						(outer) -> inTransaction(NUMBERS, context, (inner) -> insert.run())));
				assertThatException().isThrownBy(() -> inTransaction(NUMBERS, context,
						(outer) -> inTransaction(ROWS, context, (inner) -> insert.run())));
				assertThatException().isThrownBy(() -> inTransaction(ROWS, context, (none) -> insert.run()));
			}
			inTransaction(ROWS, context, (outer) -> inTransaction(NUMBERS, context, (inner) -> {
				assertThat(numbers.insert(new Bill(null, null)).number()).isEqualTo(1);
				assertThat(context.getBean(NumbersBills.class).save(new Bill(null, null)).number()).isEqualTo(2);
				assertThat(numbers.insert(new Folder(null, List.of(new Bill(null, null)))).bills())
					.extracting(Bill::number)
					.containsExactly(3L);
			}));
			assertThat(insertedNumbers(NUMBERS, context)).containsExactly(1L, 2L, 3L);
			assertThat(insertedNumbers(ROWS, context)).isEmpty();
		});
	}

	/**
	 * Without a configured template, Spring Data JDBC creates one that has no callbacks.
	 */
	@Test
	void repositoryConfiguredWithoutATemplateSetsIds() {
		dataJdbc(false, OperationsRepository.class).run((context) -> {
			createTables(context);
			Notes notes = context.getBean(Notes.class);
			assertThat(notes.save(new Note(null, "a")).id()).isEqualTo(1);
			assertThat(new JdbcTemplate(context.getBean(ROWS, DataSource.class)).queryForList("select id from note",
					Long.class))
				.containsExactly(1L);
		});
	}

	private static void createTables(ApplicationContext context) {
		for (String dataSource : List.of(NUMBERS, ROWS)) {
			JdbcTemplate jdbc = new JdbcTemplate(context.getBean(dataSource, DataSource.class));
			jdbc.execute("create table folder (id bigint primary key)");
			jdbc.execute("create table invoice (id bigint primary key, number bigint, folder bigint, folder_key int)");
			jdbc.execute("create table note (id bigint primary key, text varchar(10))");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void startupFailsForAnR2dbcEntity(boolean scoped) {
		runner(scoped).withConfiguration(AutoConfigurations.of(IdsDataR2dbcAutoConfiguration.class))
			.withBean(R2dbcMappingContext.class, () -> {
				R2dbcMappingContext context = new R2dbcMappingContext();
				context.getRequiredPersistentEntity(Bill.class);
				return context;
			})
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdSetupException.class)
				.hasStackTraceContaining(
						Bill.class.getName() + ".number gets numbers from the gapless generator 'invoices'")
				.hasStackTraceContaining("in an R2DBC transaction"));
	}

	@Entity(name = "invoice")
	static class Invoice {

		@jakarta.persistence.Id
		@GeneratedValue
		@Nullable Long id;

		@GeneratedId("invoices")
		@Nullable Long number;

	}

	@Table("INVOICE")
	record Bill(@Id @GeneratedId @Nullable Long id, @GeneratedId("invoices") @Nullable Long number) {

	}

	@Table("FOLDER")
	record Folder(@Id @GeneratedId @Nullable Long id, List<Bill> bills) {

	}

	@Table("NOTE")
	record Note(@Id @GeneratedId @Nullable Long id, String text) {

	}

	interface NumbersBills extends CrudRepository<Bill, Long> {

	}

	interface RowsBills extends CrudRepository<Bill, Long> {

	}

	interface ReadOnlyBills extends Repository<Bill, Long> {

		List<Bill> findAll();

	}

	interface Notes extends CrudRepository<Note, Long> {

	}

	@Configuration(proxyBeanMethods = false)
	static class DataSources {

		@Bean
		@Primary
		HikariDataSource numbers() {
			return TestDatabase.h2().pool(5);
		}

		@Bean
		HikariDataSource rows() {
			return TestDatabase.h2().pool(5);
		}

	}

	/**
	 * DataSource 'rows' holds the tables of the id store. Gapless numbers are drawn from
	 * DataSource 'numbers', so the tables are created there as well.
	 */
	@Configuration(proxyBeanMethods = false)
	static class IdsInRows {

		@Bean
		@IdsDataSource
		HikariDataSource rows() {
			return TestDatabase.h2().pool(5);
		}

		@Bean
		static BeanPostProcessor gaplessTable() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					if (name.equals(NUMBERS)) {
						new JdbcSchema((DataSource) bean, "ids_").create();
					}
					return bean;
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NumbersManager {

		@Bean
		@Primary
		JdbcTransactionManager numbersManager(DataSource numbers) {
			return new JdbcTransactionManager(numbers);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NumbersUnit {

		@Bean
		@Primary
		LocalContainerEntityManagerFactoryBean numbersUnit(EntityManagerFactoryBuilder builder, DataSource numbers) {
			return builder.dataSource(numbers)
				.managedTypes(PersistenceManagedTypes.of(Invoice.class.getName()))
				.persistenceUnit(NUMBERS)
				.build();
		}

		@Bean
		@Primary
		JpaTransactionManager numbersManager(EntityManagerFactory numbersUnit) {
			return new JpaTransactionManager(numbersUnit);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RowsUnit {

		@Bean
		LocalContainerEntityManagerFactoryBean rowsUnit(EntityManagerFactoryBuilder builder,
				@Qualifier("rows") DataSource rows) {
			return builder.dataSource(rows)
				.managedTypes(PersistenceManagedTypes.of(Invoice.class.getName()))
				.persistenceUnit(ROWS)
				.build();
		}

		@Bean
		JpaTransactionManager rowsManager(@Qualifier("rowsUnit") EntityManagerFactory rowsUnit) {
			return new JpaTransactionManager(rowsUnit);
		}

	}

	/**
	 * A persistence unit of DataSource 'numbers'. If {@link RowsUnit} were the only unit,
	 * the application would not start.
	 */
	@Configuration(proxyBeanMethods = false)
	static class AdditionalNumbersUnit {

		@Bean
		@Primary
		LocalContainerEntityManagerFactoryBean extraUnit(EntityManagerFactoryBuilder builder, DataSource numbers) {
			return builder.dataSource(numbers)
				.managedTypes(PersistenceManagedTypes.of(Invoice.class.getName()))
				.persistenceUnit("extra")
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyUnit {

		@Bean
		LocalContainerEntityManagerFactoryBean numbersUnit(EntityManagerFactoryBuilder builder, DataSource numbers) {
			return builder.dataSource(new LazyConnectionDataSourceProxy(numbers))
				.managedTypes(PersistenceManagedTypes.of(Invoice.class.getName()))
				.build();
		}

		@Bean
		JpaTransactionManager numbersManager(EntityManagerFactory numbersUnit) {
			return new JpaTransactionManager(numbersUnit);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DataJdbc extends AbstractJdbcConfiguration {

		@Bean
		@Primary
		NamedParameterJdbcTemplate numbersOperations(DataSource numbers) {
			return new NamedParameterJdbcTemplate(numbers);
		}

		@Bean
		@Primary
		JdbcTransactionManager numbersManager(DataSource numbers) {
			return new JdbcTransactionManager(numbers);
		}

		@Bean
		JdbcTransactionManager rowsManager(@Qualifier("rows") DataSource rows) {
			return new JdbcTransactionManager(rows);
		}

		@Override
		@Bean
		@Primary
		public JdbcAggregateTemplate jdbcAggregateTemplate(ApplicationContext context, JdbcMappingContext mapping,
				JdbcConverter converter, DataAccessStrategy strategy) {
			return super.jdbcAggregateTemplate(context, mapping, converter, strategy);
		}

		@Bean
		JdbcAggregateTemplate rowsTemplate(JdbcConverter converter, @Qualifier("rows") DataSource rows) {
			return new JdbcAggregateTemplate(converter, strategy(converter, rows));
		}

		static DataAccessStrategy strategy(JdbcConverter converter, DataSource dataSource) {
			return new DataAccessStrategyFactory(converter, new NamedParameterJdbcTemplate(dataSource),
					JdbcH2Dialect.INSTANCE, QueryMappingConfiguration.EMPTY)
				.create();
		}

	}

	private static <R extends Repository<T, Long>, T> JdbcRepositoryFactoryBean<R, T, Long> repository(Class<R> type,
			String manager) {
		JdbcRepositoryFactoryBean<R, T, Long> repository = new JdbcRepositoryFactoryBean<>(type);
		repository.setTransactionManager(manager);
		return repository;
	}

	@Configuration(proxyBeanMethods = false)
	static class RowsRepository {

		@Bean
		JdbcRepositoryFactoryBean<RowsBills, Bill, Long> rowsBills(
				@Qualifier("rowsTemplate") JdbcAggregateTemplate template) {
			// numbersManager is the default if no transaction manager is specified
			JdbcRepositoryFactoryBean<RowsBills, Bill, Long> repository = repository(RowsBills.class, "numbersManager");
			repository.setJdbcAggregateOperations(template);
			return repository;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NumbersRepository {

		@Bean
		JdbcRepositoryFactoryBean<NumbersBills, Bill, Long> numbersBills() {
			return repository(NumbersBills.class, "numbersManager");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReadingRepository {

		@Bean
		JdbcRepositoryFactoryBean<ReadOnlyBills, Bill, Long> readBills(
				@Qualifier("rowsTemplate") JdbcAggregateTemplate template) {
			JdbcRepositoryFactoryBean<ReadOnlyBills, Bill, Long> repository = repository(ReadOnlyBills.class,
					"rowsManager");
			repository.setJdbcAggregateOperations(template);
			return repository;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OperationsRepository {

		@Bean
		JdbcRepositoryFactoryBean<Notes, Note, Long> notes(JdbcConverter converter,
				@Qualifier("rows") DataSource rows) {
			JdbcRepositoryFactoryBean<Notes, Note, Long> repository = repository(Notes.class, "rowsManager");
			repository.setConverter(converter);
			repository.setDataAccessStrategy(DataJdbc.strategy(converter, rows));
			return repository;
		}

	}

}
