package dev.idspring.scope;

import java.util.List;
import java.util.function.Consumer;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.autoconfigure.persistence.IdsDataJdbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsDataR2dbcAutoConfiguration;
import dev.idspring.testsupport.FewInvocations;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
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
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests that Spring Data draws gapless numbers only in the transaction that inserts their
 * row, in applications with several DataSources.
 */
class GaplessRowsSpringDataTests extends AbstractGaplessRowsTests {

	private ApplicationContextRunner dataJdbc(boolean scoped, Class<?>... configurations) {
		return runner(scoped).withConfiguration(AutoConfigurations.of(IdsDataJdbcAutoConfiguration.class))
			.withUserConfiguration(DataJdbc.class)
			.withUserConfiguration(configurations);
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
