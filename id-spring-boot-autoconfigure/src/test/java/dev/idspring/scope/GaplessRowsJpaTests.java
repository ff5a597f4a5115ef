package dev.idspring.scope;

import java.util.function.Consumer;
import java.util.function.Function;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerationException;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsDataSource;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
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
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests that JPA draws gapless numbers only in the transaction that inserts their row, in
 * applications with several DataSources.
 */
class GaplessRowsJpaTests extends AbstractGaplessRowsTests {

	private ApplicationContextRunner jpa(boolean scoped, Class<?>... configurations) {
		return runner(scoped)
			.withConfiguration(
					AutoConfigurations.of(HibernateJpaAutoConfiguration.class, IdsHibernateAutoConfiguration.class))
			.withPropertyValues("spring.jpa.hibernate.ddl-auto=create", "spring.jpa.open-in-view=false")
			.withUserConfiguration(configurations);
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
			inTransaction(NUMBERS, context, GaplessRowsJpaTests::insert);
			assertInsertFails(() -> inTransaction(NUMBERS, context,
					(outer) -> inTransaction(ROWS, context, GaplessRowsJpaTests::insert)));
			assertInsertFails(() -> inTransaction(ROWS, context,
					(rows) -> inTransaction(NUMBERS, context, (inner) -> insert(rows))));
			assertInsertFails(() -> inTransaction(ROWS, context, (rows) -> {
				rows.persist(new Invoice());
				// a query flushes the entity, as the commit would
				inTransaction(NUMBERS, context, (inner) -> rows.createQuery("from invoice").getResultList());
			}));
			assertThatException().isThrownBy(() -> inTransaction(ROWS, context, GaplessRowsJpaTests::insert))
				.satisfies((failure) -> assertThat(failure).hasStackTraceContaining(
						"does not belong to the DataSource of the sequence (DataSource 'numbers')"));
			inTransaction(ROWS, context, (outer) -> inTransaction(NUMBERS, context, GaplessRowsJpaTests::insert));
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
					(outer) -> inTransaction(ROWS, context, GaplessRowsJpaTests::insert)));
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
			inTransaction(NUMBERS, context, GaplessRowsJpaTests::insert);
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
			inTransaction(NUMBERS, context, GaplessRowsJpaTests::insert);
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

	@Entity(name = "invoice")
	static class Invoice {

		@jakarta.persistence.Id
		@GeneratedValue
		@Nullable Long id;

		@GeneratedId("invoices")
		@Nullable Long number;

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

}
