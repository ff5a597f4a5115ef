package dev.idspring.integration.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.integration.jdbc.Coupon.CouponId;
import dev.idspring.integration.jdbc.Coupon.Redemption;
import dev.idspring.integration.jdbc.Order.Line;
import dev.idspring.integration.jdbc.Shipment.Address;
import dev.idspring.integration.jdbc.Shipment.Contact;
import dev.idspring.integration.jdbc.Shipment.Label;
import dev.idspring.integration.jdbc.Shipment.Parcel;
import dev.idspring.integration.jdbc.Shipment.Tracking;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.testsupport.RequiresSpringBoot;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests an application with Spring Data JDBC on a database.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractDataJdbcTests {

	private static final int BLOCK_SIZE = 1000;

	private final TestDatabase database;

	private ConfigurableApplicationContext context;

	AbstractDataJdbcTests(TestDatabase database) {
		this.database = database;
	}

	@BeforeAll
	void start() {
		this.database.execute(ShopApplication.CREATE_TABLES);
		this.database.execute(
				ShopApplication.typedIdTables(this.database.url().startsWith("jdbc:mysql:") ? "binary(16)" : "uuid"));
		this.context = new SpringApplicationBuilder(ShopApplication.class).web(WebApplicationType.NONE)
			.run("--spring.datasource.url=" + this.database.url(),
					"--spring.datasource.username=" + this.database.username(),
					"--spring.datasource.password=" + this.database.password(),
					"--spring.datasource.hikari.maximum-pool-size=16", "--ids.jdbc.initialize-schema=always",
					"--ids.generators.codes.coprime.alphabet=base36", "--ids.generators.codes.coprime.length=8",
					"--ids.strategy=sequential", "--ids.generators.codes.strategy=coprime",
					"--ids.generators.products.strategy=coprime", "--ids.block.size=" + BLOCK_SIZE,
					"--ids.block.max-size=" + BLOCK_SIZE, "--ids.block.wait-timeout=60s");
	}

	@AfterAll
	void stop() {
		this.context.close();
	}

	private <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	private List<String> statements(Runnable work) {
		return ((RecordingDataSource) bean(DataSource.class)).during(work);
	}

	private GeneratorSnapshot snapshot(String generator) {
		return ((ManagedIdGenerator) bean(IdGenerators.class).get(generator)).snapshot();
	}

	private long count(String table) {
		return bean(JdbcClient.class).sql("select count(*) from " + table).query(Long.class).single();
	}

	@Test
	void newAggregateIsInsertedWithoutOtherStatements() {
		List<Order> saved = new ArrayList<>();
		List<String> statements = statements(
				() -> saved.add(bean(Checkout.class).place("Ada", List.of(new Line("pen", 2), new Line("ink", 1)))));
		assertThat(statements).containsExactly("1 x insert into orders", "2 x insert into order_line");
		Order order = saved.get(0);
		assertThat(order.id()).isPositive();
		assertThat(order.code()).hasSize(8);
		assertThat(order.lines()).extracting(Line::id).doesNotContainNull().doesNotHaveDuplicates();
		assertThat(bean(Orders.class).findById(order.id())).contains(order);
	}

	@Test
	void typedIdsAndUuidsAreAssignedStoredAndFound() {
		List<Coupon> saved = new ArrayList<>();
		assertThat(statements(() -> saved.add(bean(Coupons.class).save(new Coupon(new Redemption(5))))))
			.containsExactly("1 x insert into coupon", "1 x insert into redemption");
		Coupon coupon = saved.get(0);
		IdGenerators generators = bean(IdGenerators.class);
		assertThat(coupon.id().value()).isPositive();
		assertThat(generators.get("codes").parse(coupon.code().value())).isNotNegative();
		assertThat(generators.get("default").fromUuid(coupon.token())).isPositive();
		assertThat(generators.get("codes").fromUuid(coupon.redemptions().get(0).id().value())).isNotNegative();
		assertThat(bean(Coupons.class).findById(coupon.id())).contains(coupon);
	}

	/**
	 * MariaDB rejects one in 64 random UUIDs of version 8. Generators must not create
	 * UUIDs that MariaDB rejects.
	 */
	@Test
	void databaseAcceptsAllGeneratedUuids() {
		IdGenerator ids = bean(IdGenerators.class).get("default");
		List<Coupon> coupons = IntStream.range(0, 1_000).mapToObj((i) -> new Coupon(ids.nextUuid())).toList();
		List<Coupon> saved = bean(Coupons.class).saveAll(coupons);
		assertThat(bean(Coupons.class).findAllById(saved.stream().map(Coupon::id).toList()))
			.containsExactlyInAnyOrderElementsOf(saved);
	}

	@RequiresSpringBoot(version = "4.0",
			because = "Spring Data JDBC 3 does not convert the id of an AggregateReference")
	@Test
	void queriesAcceptTypedIdsAndUuids() {
		Coupons coupons = bean(Coupons.class);
		Coupon first = coupons.save(new Coupon());
		Coupon second = coupons.save(new Coupon(first, UUID.randomUUID()));
		List<CouponId> both = List.of(first.id(), second.id());
		assertThat(coupons.findAllById(both)).containsExactlyInAnyOrder(first, second);
		assertThat(coupons.findByCode(first.code())).contains(first);
		assertThat(coupons.findByCodeIn(List.of(first.code(), second.code()))).hasSize(2);
		assertThat(coupons.findByToken(second.token())).contains(second);
		assertThat(coupons.findBySuccessor(first.id())).containsExactly(second);
		assertThat(coupons.findByIdGreaterThanEqualOrderByIdDesc(first.id())).startsWith(second, first);
		assertThat(coupons.selectByIdOrToken(first.id(), second.token())).containsExactly(first, second);
		assertThatIllegalArgumentException().as("foreign UUID")
			.isThrownBy(() -> bean(IdGenerators.class).get("default").fromUuid(second.token()));
		coupons.deleteAllById(List.of(second.id()));
		coupons.deleteById(first.id());
		assertThat(coupons.existsById(first.id())).isFalse();
	}

	@Test
	void manyAggregatesAreInsertedInBatches() {
		List<Order> orders = IntStream.range(0, 50)
			.mapToObj((i) -> new Order("Ada", List.of(new Line("pen", i), new Line("ink", i))))
			.toList();
		List<Order> saved = new ArrayList<>();
		assertThat(statements(() -> saved.addAll(bean(Orders.class).saveAll(orders))))
			.containsExactly("50 x insert into orders", "100 x insert into order_line");
		assertThat(saved).extracting(Order::id).doesNotContainNull().doesNotHaveDuplicates();
		assertThat(bean(Orders.class).findAllById(saved.stream().map(Order::id).toList()))
			.containsExactlyInAnyOrderElementsOf(saved);
	}

	@Test
	void childrenOfAllKindsGetIds() {
		Shipment shipment = new Shipment();
		shipment.address = new Address("Paris");
		shipment.parcels.add(new Parcel(null, 12, List.of(new Label(null, "top"), new Label(null, "fragile"))));
		shipment.parcels.add(new Parcel(null, 13, List.of()));
		shipment.contacts.put("home", new Contact(null, "Ada"));
		shipment.tracking = new Tracking(null);
		assertThat(statements(() -> bean(Shipments.class).save(shipment)))
			.allMatch((statement) -> statement.contains(" x insert into "))
			.hasSize(5);
		assertThat(shipment.version).isZero();
		Shipment found = bean(Shipments.class).findById(shipment.id).orElseThrow();
		assertThat(found.address.id).isPositive().isEqualTo(shipment.address.id);
		assertThat(found.parcels).hasSize(2).containsExactlyInAnyOrderElementsOf(shipment.parcels);
		assertThat(found.parcels).allMatch((parcel) -> parcel.id() > 0);
		assertThat(found.parcels).flatExtracting(Parcel::labels).extracting(Label::id).hasSize(2).allMatch((id) -> {
			bean(IdGenerators.class).get("codes").parse((String) id);
			return true;
		});
		assertThat(found.contacts).isEqualTo(shipment.contacts);
		assertThat(found.contacts.get("home").id()).isPositive();
		assertThat(found.tracking.tracking()).hasSize(8);
	}

	@Test
	void addedChildrenGetIdsAndExistingChildrenAreUnchanged() {
		Order order = bean(Orders.class).save(new Order("Ada", List.of(new Line("pen", 2))));
		Line unchanged = order.lines().get(0);
		Order changed = new Order(order.id(), order.code(), "Bob", List.of(unchanged, new Line("ink", 1)));
		List<Order> saved = new ArrayList<>();
		assertThat(statements(() -> saved.add(bean(Orders.class).save(changed)))).containsExactly("1 x update orders",
				"1 x delete from order_line", "2 x insert into order_line");
		assertThat(saved.get(0).id()).isEqualTo(order.id());
		assertThat(saved.get(0).lines().get(0)).isEqualTo(unchanged);
		assertThat(saved.get(0).lines().get(1).id()).isPositive().isNotEqualTo(unchanged.id());
		assertThat(bean(Orders.class).findById(order.id())).contains(saved.get(0));
	}

	/**
	 * For an entity without a version, Spring Data assumes that a row exists if the id is
	 * set.
	 */
	@Test
	void entityWithAnAssignedIdNeedsAVersionOrAnExplicitInsert() {
		Shipment shipment = new Shipment();
		shipment.id = 7_000_000_000_000L;
		assertThat(statements(() -> bean(Shipments.class).save(shipment))).containsExactly("1 x insert into shipment");
		assertThat(bean(Shipments.class).existsById(7_000_000_000_000L)).isTrue();
		Order order = new Order(7_000_000_000_001L, "givencod", "Ada", List.of());
		assertThat(statements(() -> bean(JdbcAggregateTemplate.class).insert(order)))
			.containsExactly("1 x insert into orders");
		assertThat(bean(Orders.class).findById(7_000_000_000_001L)).contains(order);
	}

	@Test
	void versionStartsAtZeroOnInsert() {
		Shipment shipment = bean(Shipments.class).save(new Shipment());
		assertThat(shipment.version).isZero();
		long id = shipment.id;
		shipment.address = new Address("Rome");
		assertThat(statements(() -> bean(Shipments.class).save(shipment))).first().isEqualTo("1 x update shipment");
		assertThat(shipment.version).isEqualTo(1);
		assertThat(shipment.id).isEqualTo(id);
		assertThat(shipment.address.id).isPositive();
	}

	@Test
	void newPersistableEntityIsInserted() {
		List<Voucher> saved = new ArrayList<>();
		assertThat(statements(() -> saved.add(bean(Vouchers.class).save(Voucher.createNew(null, 10)))))
			.containsExactly("1 x insert into voucher");
		assertThat(saved.get(0).getId()).isPositive();
		assertThat(statements(() -> bean(Vouchers.class).save(Voucher.createNew(7_000_000_000_000L, 10))))
			.containsExactly("1 x insert into voucher");
		assertThat(bean(Vouchers.class).findById(saved.get(0).getId())).get()
			.extracting(Voucher::percent)
			.isEqualTo(10);
	}

	/**
	 * Auditing considers an entity new if it has no id, so auditing must run before the
	 * id is set.
	 */
	@Test
	void finalIdIsSetInACopyWithAllPersistentProperties() {
		Product product = new Product(null, "pen");
		product.note("not stored");
		Product saved = bean(Products.class).save(product);
		assertThat(saved.id()).hasSize(6);
		assertThat(saved.name()).isEqualTo("pen");
		assertThat(saved.note()).as("transient property").isNull();
		assertThat(saved.createdAt()).isNotNull();
		assertThat(product.id()).isNull();
		assertThat(bean(Products.class).findById(saved.id())).get().extracting(Product::createdAt).isNotNull();
	}

	@Test
	void rolledBackIdsAreNotReused() {
		long before = count("orders");
		Order first = bean(Checkout.class).place("Ada", List.of(new Line("pen", 1)));
		assertThatIllegalArgumentException().isThrownBy(() -> bean(Checkout.class).place("Ada", List.of()));
		List<Order> rolledBack = new ArrayList<>();
		bean(TransactionTemplate.class).executeWithoutResult((status) -> {
			rolledBack.addAll(bean(Orders.class)
				.saveAll(List.of(new Order("Bob", List.of(new Line("ink", 1))), new Order("Cid", List.of()))));
			status.setRollbackOnly();
		});
		Order last = bean(Checkout.class).place("Ada", List.of(new Line("pen", 1)));
		assertThat(rolledBack).extracting(Order::id).doesNotContain(first.id(), last.id()).doesNotHaveDuplicates();
		assertThat(last.id()).isGreaterThan(rolledBack.get(1).id());
		assertThat(count("orders")).isEqualTo(before + 2);
	}

	/**
	 * 16 threads save 10,000 orders and 10,000 lines. Each reservation reserves exactly
	 * one block, and all blocks have the same size. Besides the blocks that the rows use
	 * up, at most two are reserved: the block in use at the end and the one reserved in
	 * advance.
	 */
	@Test
	void sixteenThreadsSaveTenThousandAggregates() throws Exception {
		long before = count("orders");
		GeneratorSnapshot ids = snapshot("default");
		GeneratorSnapshot codes = snapshot("codes");
		ExecutorService threads = Executors.newFixedThreadPool(16);
		List<Order> saved = new ArrayList<>();
		try {
			List<Future<List<Order>>> parts = threads
				.invokeAll(IntStream.range(0, 16).<Callable<List<Order>>>mapToObj((i) -> this::save625).toList());
			for (Future<List<Order>> part : parts) {
				saved.addAll(part.get());
			}
		}
		finally {
			threads.shutdown();
		}
		assertThat(saved).hasSize(10_000);
		assertThat(saved.stream().map(Order::id).distinct()).hasSize(10_000);
		assertThat(saved.stream().map(Order::code).distinct()).hasSize(10_000);
		assertThat(saved.stream().flatMap((order) -> order.lines().stream()).map(Line::id).distinct()).hasSize(10_000);
		assertThat(count("orders")).isEqualTo(before + 10_000);
		// the last reservation may still be in progress
		await().untilAsserted(() -> assertReservations(ids, snapshot("default"), 20_000));
		await().untilAsserted(() -> assertReservations(codes, snapshot("codes"), 10_000));
	}

	private List<Order> save625() {
		List<Order> saved = new ArrayList<>();
		for (int i = 0; i < 125; i++) {
			saved.add(bean(Orders.class).save(new Order("Ada", List.of(new Line("pen", i)))));
		}
		for (int i = 0; i < 20; i++) {
			saved.addAll(bean(Orders.class).saveAll(
					IntStream.range(0, 25).mapToObj((j) -> new Order("Ada", List.of(new Line("pen", j)))).toList()));
		}
		return saved;
	}

	private static void assertReservations(GeneratorSnapshot before, GeneratorSnapshot after, long rows) {
		assertThat(after.issued() - before.issued()).isEqualTo(rows);
		assertThat(after.keySpace().reserved().longValueExact()).isEqualTo(after.block().reservations() * BLOCK_SIZE);
		assertThat(after.block().reservations() - before.block().reservations()).isBetween(rows / BLOCK_SIZE - 1,
				rows / BLOCK_SIZE + 2);
		assertThat(after.block().remaining() + after.block().ahead() + after.issued())
			.isEqualTo(after.keySpace().reserved().longValueExact());
	}

}
