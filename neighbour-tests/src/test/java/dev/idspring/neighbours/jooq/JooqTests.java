package dev.idspring.neighbours.jooq;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerationException;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.neighbours.jooq.ArchiveTable.ArchiveRecord;
import dev.idspring.neighbours.jooq.OrdersTable.OrdersRecord;
import dev.idspring.testsupport.TestDatabase;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

import static dev.idspring.neighbours.jooq.ArchiveTable.ARCHIVE;
import static dev.idspring.neighbours.jooq.OrdersTable.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests {@link IdRecordListener} with jOOQ, as configured by Spring Boot, on H2.
 */
class JooqTests {

	private ConfigurableApplicationContext context;

	private DSLContext jooq;

	private IdGenerators ids;

	@BeforeEach
	void start() {
		this.context = new SpringApplicationBuilder(Application.class, JooqIdsConfiguration.class)
			.web(WebApplicationType.NONE)
			.properties("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DATABASE_TO_UPPER=false",
					"ids.generators.orders.strategy=sequential", "ids.generators.orders.sequential.start=1000",
					"ids.generators.codes.coprime.length=8", "ids.generators.numbers.strategy=sequential",
					"ids.generators.numbers.sequential.start=0", "ids.generators.bills.strategy=gapless",
					"spring.jooq.sql-dialect=H2")
			.run();
		this.jooq = this.context.getBean(DSLContext.class);
		this.ids = this.context.getBean(IdGenerators.class);
		for (String table : List.of("orders", "archive")) {
			this.jooq.execute("create table \"" + table + "\" (\"id\" bigint, \"code\" varchar(20), \"link\" uuid,"
					+ " \"number\" int, \"total\" decimal, \"customer\" varchar(100))");
		}
	}

	@AfterEach
	void stop() {
		Application application = this.context.getBean(Application.class);
		this.context.close();
		assertThat(application.lastInserted.get(ORDERS.ID)).as("inserted by a bean during its destruction")
			.isGreaterThanOrEqualTo(1000);
	}

	@Test
	void storedRecordGetsIds() {
		OrdersRecord order = order("Ada");
		order.store();
		assertThat(order.get(ORDERS.ID)).isEqualTo(1000);
		assertThat(this.ids.get("codes").describe(this.ids.get("codes").parse(order.get(ORDERS.CODE))).ordinal())
			.isZero();
		OrdersRecord stored = this.jooq.fetchOne(ORDERS, ORDERS.ID.eq(1000L));
		assertThat(stored.get(ORDERS.CODE)).isEqualTo(order.get(ORDERS.CODE));
		assertThat(stored.get(ORDERS.CUSTOMER)).isEqualTo("Ada");
	}

	@Test
	void gaplessIdIsDrawnInTheTransactionOfItsRecord() {
		IdRecordListener listener = new IdRecordListener(Map.of(ORDERS.ID, this.ids.get("bills")));
		DSLContext gapless = DSL.using(this.jooq.configuration().derive(listener));
		HikariDataSource database = TestDatabase.h2().pool(2);
		DSLContext other = DSL.using(new DefaultConfiguration().set(SQLDialect.H2)
			.set(listener)
			.set(new DataSourceConnectionProvider(database)));
		TransactionTemplate transaction = this.context.getBean(TransactionTemplate.class);
		transaction.executeWithoutResult((status) -> {
			OrdersRecord first = gapless.newRecord(ORDERS);
			OrdersRecord second = gapless.newRecord(ORDERS);
			gapless.batchStore(first, second).execute();
			assertThat(first.get(ORDERS.ID)).isEqualTo(1);
			assertThat(second.get(ORDERS.ID)).isEqualTo(2);
			status.setRollbackOnly();
		});
		transaction.executeWithoutResult((status) -> {
			assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> other.newRecord(ORDERS).store())
				.withMessageContaining("for \"orders\".\"id\": the row is inserted through a HikariDataSource")
				.withMessageContaining("in the transaction on DataSource 'dataSource'");
			OrdersRecord first = gapless.newRecord(ORDERS);
			first.store();
			assertThat(first.get(ORDERS.ID)).isEqualTo(1);
		});
		database.close();
	}

	@Test
	@Tag("wide")
	void startupFailsForGaplessIdsOfRecordsInAnotherDataSource() {
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> new SpringApplicationBuilder(Application.class, JooqOnOtherDataSource.class)
				.web(WebApplicationType.NONE)
				.properties("spring.datasource.url=" + TestDatabase.h2().url(), "ids.generators.bills.strategy=gapless")
				.run()
				.close())
			.withMessageContaining("\"orders\".\"id\" gets numbers from the gapless sequence 'bills'")
			.withMessageContaining("its rows are inserted through DataSource 'other'");
	}

	@Test
	@Tag("wide")
	void updateDoesNotChangeIds() {
		OrdersRecord order = order("Ada");
		order.insert();
		String code = order.get(ORDERS.CODE);
		order.set(ORDERS.CUSTOMER, "Grace");
		order.store();
		assertThat(order.get(ORDERS.ID)).isEqualTo(1000);
		assertThat(this.jooq.fetchSingle(ORDERS).get(ORDERS.CODE)).isEqualTo(code);
	}

	@Test
	@Tag("wide")
	void assignedValueIsUsed() {
		OrdersRecord order = order("Ada");
		order.set(ORDERS.ID, 7L);
		order.store();
		assertThat(order.get(ORDERS.ID)).isEqualTo(7);
		assertThat(order.get(ORDERS.CODE)).isNotNull();
	}

	@Test
	void recordsOfABatchGetIds() {
		List<OrdersRecord> orders = Stream.of("Ada", "Grace", "Alan").map(this::order).toList();
		this.jooq.batchStore(orders.subList(0, 2)).execute();
		this.jooq.batchInsert(orders.get(2)).execute();
		assertThat(orders).extracting((order) -> order.get(ORDERS.ID)).containsExactly(1000L, 1001L, 1002L);
		assertThat(this.jooq.select(ORDERS.ID).from(ORDERS).orderBy(ORDERS.ID).fetch(ORDERS.ID)).containsExactly(1000L,
				1001L, 1002L);
	}

	@Test
	@Tag("wide")
	void recordOfATableThatIsNotConfiguredGetsNoIds() {
		ArchiveRecord archived = this.jooq.newRecord(ARCHIVE);
		archived.set(ARCHIVE.ID, 1L);
		archived.insert();
		assertThat(archived.get(ARCHIVE.CODE)).isNull();
		assertThat(this.jooq.fetchCount(ARCHIVE)).isEqualTo(1);
	}

	@Test
	void columnTypeDeterminesTheFormOfTheId() {
		OrdersRecord order = storeWith(
				Map.of(ORDERS.LINK, this.ids.get("orders"), ORDERS.NUMBER, this.ids.get("numbers")));
		assertThat(this.ids.get("orders").fromUuid(order.get(ORDERS.LINK))).isEqualTo(1000);
		// 0 is drawn first, but is not used in a column of numbers
		assertThat(order.get(ORDERS.NUMBER)).isEqualTo(1);
	}

	@Test
	@Tag("wide")
	void numberThatDoesNotFitIsRejected() {
		assertThatIllegalStateException().isThrownBy(() -> storeWith(Map.of(ORDERS.NUMBER, generatorBeyondInt())))
			.withMessageContaining("does not fit into \"orders\".\"number\", an int");
	}

	private IdGenerator generatorBeyondInt() {
		IdGenerator codes = this.ids.get("codes");
		codes.nextLongs(2);
		return codes;
	}

	@Test
	@Tag("wide")
	void columnOfAnotherTypeIsRejected() {
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> new IdRecordListener(Map.of(ORDERS.TOTAL, this.ids.get("orders"))))
			.withMessageContaining("is of type java.math.BigDecimal");
	}

	private OrdersRecord storeWith(Map<? extends TableField<?, ?>, IdGenerator> generators) {
		OrdersRecord order = DSL.using(this.jooq.configuration().derive(new IdRecordListener(generators)))
			.newRecord(ORDERS);
		order.set(ORDERS.ID, 1L);
		order.store();
		return order;
	}

	private OrdersRecord order(String customer) {
		OrdersRecord order = this.jooq.newRecord(ORDERS);
		order.set(ORDERS.CUSTOMER, customer);
		return order;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		private OrdersRecord lastInserted;

		@Bean
		DisposableBean lastInsert(DSLContext jooq) {
			return () -> {
				this.lastInserted = jooq.newRecord(ORDERS);
				this.lastInserted.insert();
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class JooqOnOtherDataSource {

		@Bean(defaultCandidate = false)
		HikariDataSource other() {
			return TestDatabase.h2().pool(2);
		}

		@Bean
		DSLContext otherJooq(@Qualifier("other") HikariDataSource other, IdGenerators ids) {
			return DSL.using(new DefaultConfiguration().set(SQLDialect.H2)
				.set(new IdRecordListener(Map.of(ORDERS.ID, ids.get("bills"))))
				.set(new DataSourceConnectionProvider(other)));
		}

	}

}
