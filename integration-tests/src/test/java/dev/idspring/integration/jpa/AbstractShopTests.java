package dev.idspring.integration.jpa;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.testsupport.TestDatabase;
import jakarta.persistence.EntityManager;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Tests the shop on a real database. Statements are counted only on the application's
 * connections. The id store has its own connection, so only Hibernate's statements are
 * counted.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		properties = { "spring.jpa.hibernate.ddl-auto=create", "spring.jpa.properties.hibernate.jdbc.batch_size=20",
				"spring.jpa.properties.hibernate.order_inserts=true",
				"spring.jpa.properties.hibernate.generate_statistics=true", "spring.jpa.open-in-view=false",
				"ids.jdbc.initialize-schema=always", "ids.strategy=sequential", "ids.block.size=100",
				"ids.block.max-size=100", "ids.generators.product-codes.strategy=coprime",
				"ids.generators.product-codes.coprime.length=8", "ids.generators.public.strategy=coprime",
				"ids.generators.stored.sequential.start=1000000", "ids.generators.stored.block.size=10",
				"ids.generators.stored.block.max-size=10", "ids.generators.stored.block.wait-timeout=3s",
				"ids.generators.order-line.strategy=coprime", "ids.generators.invoices.strategy=gapless" })
abstract class AbstractShopTests {

	private static final int THREADS = 16;

	private static final int ROWS = 10_000;

	private static final int BLOCK_SIZE = 100;

	@Autowired
	private Customers customers;

	@Autowired
	private Products products;

	@Autowired
	private Parts parts;

	@Autowired
	private Gadgets gadgets;

	@Autowired
	private Orders orders;

	@Autowired
	private Invoices invoices;

	@Autowired
	private EntityManager entities;

	@Autowired
	private IdGenerators generators;

	@Autowired
	private PlatformTransactionManager transactionManager;

	@Autowired
	private DataSource dataSource;

	private TransactionTemplate transaction;

	private StatementRecordingDataSource recorder;

	static void configure(TestDatabase database, DynamicPropertyRegistry properties) {
		properties.add("spring.datasource.url", database::url);
		properties.add("spring.datasource.username", database::username);
		properties.add("spring.datasource.password", database::password);
	}

	@BeforeEach
	void clearStatements() {
		this.transaction = new TransactionTemplate(this.transactionManager);
		this.recorder = (StatementRecordingDataSource) this.dataSource;
		this.recorder.clear();
	}

	@Test
	void savedProductsHaveAnIdAndACode() {
		Product saved = this.products.save(new Product("Kettle"));
		assertThat(saved.getId()).isPositive();
		assertThat(saved.getCode()).matches("[0-9A-Za-z]{8}");
		Product found = this.products.findByCode(saved.getCode()).orElseThrow();
		assertThat(found.getId()).isEqualTo(saved.getId());
		assertThat(found.getName()).isEqualTo("Kettle");
	}

	@Test
	void uuidsAndTypedIdsAreAssignedStoredAndFound() {
		Part part = this.parts.save(new Part("Screw"));
		assertThat(part.getId().value()).isPositive();
		assertThat(this.generators.get("public").fromUuid(part.getPublicId())).isNotNegative();
		Gadget gadget = this.gadgets.save(new Gadget(part));
		assertThat(this.generators.get("default").fromUuid(gadget.getId())).isPositive();
		assertThat(gadget.getCode().value()).matches("[0-9A-Za-z]{8}");
		assertThat(this.parts.findById(part.getId()).map(Part::getName)).contains("Screw");
		assertThat(this.parts.findByPublicId(part.getPublicId()).map(Part::getId)).contains(part.getId());
		this.transaction.executeWithoutResult((status) -> {
			Gadget found = this.gadgets.findById(gadget.getId()).orElseThrow();
			assertThat(found.getCode()).isEqualTo(gadget.getCode());
			assertThat(found.getPart().getId()).isEqualTo(part.getId());
		});
		assertThat(this.gadgets.findByCode(gadget.getCode()).map(Gadget::getId)).contains(gadget.getId());
		assertThat(this.gadgets.findByPartId(part.getId())).extracting(Gadget::getId).containsExactly(gadget.getId());
	}

	@Test
	void entitiesCanHaveUuidsThatNoGeneratorIssued() {
		UUID foreign = UUID.randomUUID();
		this.transaction.executeWithoutResult(
				(status) -> this.entities.createNativeQuery("insert into gadget (id, code) values (:id, 'abcdefgh')")
					.setParameter("id", foreign)
					.executeUpdate());
		assertThat(this.gadgets.findById(foreign)).isPresent();
		assertThatIllegalArgumentException().isThrownBy(() -> this.generators.get("default").fromUuid(foreign));
		this.gadgets.deleteById(foreign);
	}

	@Test
	void storedIdsAreReadUnchanged() {
		Customer customer = this.customers.save(new Customer("Ada"));
		assertThat(customer.getId()).as("issued by the named generator").isGreaterThanOrEqualTo(1_000_000);
		Product kettle = this.products.save(new Product("Kettle"));
		Product pan = this.products.save(new Product("Pan"));
		assertThat(kettle.getId()).as("issued by the default generator").isLessThan(1_000_000);
		CustomerOrder order = this.orders.save(new CustomerOrder(customer).add(kettle, 1).add(pan, 2));
		IdGenerator references = this.generators.get("public");
		IdGenerator lines = this.generators.get("order-line");
		this.transaction.executeWithoutResult((status) -> {
			CustomerOrder found = this.orders.findById(order.getId()).orElseThrow();
			assertThat(found.getReference()).isEqualTo(order.getReference());
			assertThat(references.format(references.parse(found.getReference()))).isEqualTo(found.getReference());
			assertThat(found.getCustomer().getId()).isEqualTo(customer.getId());
			assertThat(found.getLines()).extracting(OrderLine::getId)
				.doesNotHaveDuplicates()
				.containsExactlyInAnyOrderElementsOf(order.getLines().stream().map(OrderLine::getId).toList())
				.allSatisfy((id) -> assertThat(lines.describe(lines.parse(id)).reserved()).isTrue());
			assertThat(found.getLines()).extracting((line) -> line.getProduct().getCode())
				.containsExactlyInAnyOrder(kettle.getCode(), pan.getCode());
		});
	}

	@Test
	void insertsAreBatchedWithoutSelects() {
		List<Product> saved = this.products
			.saveAll(IntStream.range(0, 50).mapToObj((i) -> new Product("Product " + i)).toList());
		assertThat(this.recorder.count("insert into product ")).as("50 rows in batches of 20").isEqualTo(3);
		assertThat(this.recorder.statements()).hasSize(3);
		assertThat(saved).extracting(Product::getId).doesNotHaveDuplicates().doesNotContainNull();
		assertThat(saved).extracting(Product::getCode).doesNotHaveDuplicates().doesNotContainNull();
	}

	@Test
	void insertsOfAggregatesAreBatchedWithoutSelects() {
		Customer customer = this.customers.save(new Customer("Grace"));
		Product product = this.products.save(new Product("Cup"));
		this.recorder.clear();
		this.transaction.executeWithoutResult((status) -> {
			List<CustomerOrder> all = new ArrayList<>();
			for (int i = 0; i < 30; i++) {
				CustomerOrder order = new CustomerOrder(customer);
				IntStream.rangeClosed(1, 4).forEach((quantity) -> order.add(product, quantity));
				all.add(order);
			}
			this.orders.saveAll(all);
			assertThat(this.recorder.statements()).as("before the flush").isEmpty();
		});
		assertThat(this.recorder.count("insert into customer_order ")).as("30 rows in batches of 20").isEqualTo(2);
		assertThat(this.recorder.count("insert into order_line ")).as("120 rows in batches of 20").isEqualTo(6);
		assertThat(this.recorder.statements()).hasSize(8);
	}

	@Test
	void hibernateStatisticsShowOneStatementAndNoLoads() {
		Statistics statistics = this.entities.getEntityManagerFactory().unwrap(SessionFactory.class).getStatistics();
		statistics.clear();
		this.products.saveAll(Stream.generate(() -> new Product("Plate")).limit(20).toList());
		assertThat(statistics.getEntityInsertCount()).isEqualTo(20);
		assertThat(statistics.getPrepareStatementCount()).isEqualTo(1);
		assertThat(statistics.getEntityLoadCount() + statistics.getEntityFetchCount()).isZero();
	}

	@Test
	void newEntityIsSavedWithOneInsert() {
		Customer saved = this.customers.save(new Customer("Edsger"));
		assertThat(this.recorder.statements()).singleElement().asString().startsWith("insert into customers ");
		this.recorder.clear();
		this.transaction.executeWithoutResult((status) -> this.entities.persist(new Customer("Barbara")));
		assertThat(this.recorder.statements()).singleElement().asString().startsWith("insert into customers ");
		this.recorder.clear();
		Customer merged = this.transaction.execute((status) -> this.entities.merge(new Customer("Alan")));
		assertThat(this.recorder.statements()).singleElement().asString().startsWith("insert into customers ");
		assertThat(merged.getId()).isNotNull().isNotEqualTo(saved.getId());
	}

	@Test
	void updateDoesNotChangeIds() {
		Customer customer = this.customers.save(new Customer("Donald"));
		customer.setName("Don");
		Customer changed = this.customers.save(customer);
		assertThat(changed.getId()).isEqualTo(customer.getId());
		assertThat(changed.getVersion()).isEqualTo(1);
		assertThat(this.customers.findById(customer.getId()).orElseThrow().getName()).isEqualTo("Don");
	}

	@Test
	void assignedIdIsUsed() {
		Customer customer = new Customer("Imported");
		customer.setId(42L);
		this.customers.save(customer);
		assertThat(this.recorder.statements()).as("the statements for an entity whose version shows that it is new")
			.hasSize(1);
		assertThat(this.customers.findById(42L).orElseThrow().getName()).isEqualTo("Imported");
	}

	@Test
	void savingADeletedRowFails() {
		Customer customer = this.customers.save(new Customer("Gone"));
		this.customers.deleteById(customer.getId());
		customer.setName("Back");
		assertThatExceptionOfType(OptimisticLockingFailureException.class)
			.isThrownBy(() -> this.customers.save(customer));
	}

	@Test
	void rolledBackIdsAreNotReused() {
		Product product = new Product("Undone");
		this.transaction.executeWithoutResult((status) -> {
			this.products.saveAndFlush(product);
			status.setRollbackOnly();
		});
		Long id = product.getId();
		String code = product.getCode();
		assertThat(this.products.findById(id)).isEmpty();
		List<Product> later = this.products.saveAll(Stream.generate(() -> new Product("Later")).limit(300).toList());
		assertThat(later).extracting(Product::getId).doesNotHaveDuplicates().doesNotContain(id);
		assertThat(later).extracting(Product::getCode).doesNotHaveDuplicates().doesNotContain(code);
	}

	@Test
	void insertedEntityGetsAllGeneratedIdsAndHqlInsertGetsOnlyThePrimaryKey() {
		SessionFactory factory = this.entities.getEntityManagerFactory().unwrap(SessionFactory.class);
		this.transaction.executeWithoutResult((status) -> {
			this.entities.persist(new Note("persisted"));
			this.entities.createQuery("insert into Note (words) values ('values')").executeUpdate();
			this.entities
				.createQuery("insert into Note (id, words) select 8000000, 'selected' from Note where words = 'values'")
				.executeUpdate();
		});
		factory.inStatelessTransaction((session) -> {
			session.insert(new Note("inserted"));
			Note note = new Note("upserted");
			note.setId(9_000_000L);
			session.upsert(note);
		});
		Map<String, Note> notes = this.transaction
			.execute((status) -> this.entities.createQuery("from Note", Note.class)
				.getResultStream()
				.collect(Collectors.toMap(Note::getWords, Function.identity())));
		assertThat(notes).containsOnlyKeys("persisted", "values", "selected", "inserted", "upserted");
		assertThat(notes.values()).extracting(Note::getId).doesNotContainNull().doesNotHaveDuplicates();
		assertThat(notes.values().stream().filter((note) -> note.getReference() != null)).extracting(Note::getWords)
			.as("notes with a reference")
			.containsExactlyInAnyOrder("persisted", "inserted");
		assertThatException().as("insert-select that does not select a key")
			.isThrownBy(() -> this.transaction.executeWithoutResult(
					(status) -> this.entities.createQuery("insert into Note (words) select 'more' from Note")
						.executeUpdate()))
			.withStackTraceContaining("INSERT-SELECT");
		assertThatException().as("insert without a value for a column that must not be null")
			.isThrownBy(() -> this.transaction
				.executeWithoutResult((status) -> this.entities.createQuery("insert into Product (name) values ('Pot')")
					.executeUpdate()));
	}

	@Test
	void gaplessNumbersAreReusedAfterRollback() {
		List<Long> numbers = new ArrayList<>();
		for (int i = 0; i < 9; i++) {
			boolean rolledBack = i % 3 == 1;
			Invoice invoice = new Invoice("Invoice " + i);
			this.transaction.executeWithoutResult((status) -> {
				this.invoices.saveAndFlush(invoice);
				if (rolledBack) {
					status.setRollbackOnly();
				}
			});
			if (!rolledBack) {
				numbers.add(invoice.getNumber());
			}
		}
		assertThat(numbers).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
	}

	@Test
	void sixteenThreadsSaveTenThousandRows() throws Exception {
		ManagedIdGenerator ids = (ManagedIdGenerator) this.generators.get("default");
		ManagedIdGenerator codes = (ManagedIdGenerator) this.generators.get("product-codes");
		long before = this.products.count();
		List<Product> saved = new ArrayList<>();
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Future<List<Product>>> results = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				results.add(threads.submit(() -> saveProducts(ROWS / THREADS)));
			}
			for (Future<List<Product>> result : results) {
				saved.addAll(result.get());
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(saved).hasSize(ROWS);
		assertThat(saved.stream().map(Product::getId).collect(Collectors.toSet())).hasSize(ROWS);
		assertThat(saved.stream().map(Product::getCode).collect(Collectors.toSet())).hasSize(ROWS);
		assertThat(this.products.count()).isEqualTo(before + ROWS);
		assertReservationsAreWholeBlocks(ids);
		assertReservationsAreWholeBlocks(codes);
	}

	private List<Product> saveProducts(int count) {
		List<Product> saved = new ArrayList<>();
		while (saved.size() < count) {
			int size = Math.min(25, count - saved.size());
			saved.addAll(this.products.saveAll(Stream.generate(() -> new Product("Many")).limit(size).toList()));
		}
		return saved;
	}

	/**
	 * Assert that each reservation was for a whole block. No other instance uses the
	 * store. The number of reserved ids is therefore the number of reservations times the
	 * block size, and all reserved ids were issued or are in memory. Memory holds at most
	 * the block in use, the next block, and the ids that threads have taken in advance.
	 * The assertion is retried, because a reservation may be in progress.
	 */
	private void assertReservationsAreWholeBlocks(ManagedIdGenerator generator) {
		await().untilAsserted(() -> {
			GeneratorSnapshot snapshot = generator.snapshot();
			BlockSnapshot block = snapshot.block();
			long reserved = queryNumber(
					"select next_ordinal from ids_key_space where name = '" + generator.name() + "'");
			assertThat(snapshot.issued()).isGreaterThanOrEqualTo(ROWS);
			assertThat(reserved).as(generator.name()).isEqualTo(block.reservations() * BLOCK_SIZE);
			assertThat(reserved).isEqualTo(snapshot.issued() + block.remaining() + block.ahead());
			assertThat(block.remaining() - block.owned() + block.ahead()).isLessThanOrEqualTo(2 * BLOCK_SIZE);
		});
	}

	@Test
	void saveFailsWhileTheStoreIsBlocked() throws Exception {
		try (Connection connection = this.dataSource.getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.executeQuery("select next_ordinal from ids_key_space where name = 'stored' for update");
			assertSaveFails();
			connection.rollback();
		}
		assertSavesRecover();
	}

	@Test
	void saveFailsWhileTheTableOfTheStoreIsMissing() {
		TestDatabase.execute(this.dataSource, "alter table ids_key_space rename to ids_key_space_gone");
		try {
			assertSaveFails();
		}
		finally {
			TestDatabase.execute(this.dataSource, "alter table ids_key_space_gone rename to ids_key_space");
		}
		assertSavesRecover();
	}

	/**
	 * Save until a save fails. The first saves succeed with the ids in memory, which fill
	 * at most two blocks.
	 */
	private void assertSaveFails() {
		Throwable failure = null;
		for (int i = 0; i < 100 && failure == null; i++) {
			failure = catchThrowable(() -> this.customers.save(new Customer("In vain")));
		}
		assertThat(failure).isInstanceOf(InvalidDataAccessApiUsageException.class)
			.cause()
			.isInstanceOf(IdStoreUnavailableException.class)
			.hasMessageContaining("'stored'");
		assertThat(failure).hasMessageContaining("'stored'");
	}

	private void assertSavesRecover() {
		List<Throwable> failures = new ArrayList<>();
		List<Customer> saved = new ArrayList<>();
		while (saved.size() < 30 && failures.size() < 30) {
			try {
				saved.add(this.customers.save(new Customer("Again")));
			}
			catch (InvalidDataAccessApiUsageException ex) {
				failures.add(ex);
			}
		}
		assertThat(saved).as(failures::toString).hasSize(30);
		assertThat(saved.stream().map(Customer::getId).collect(Collectors.toSet())).hasSize(30);
	}

	private long queryNumber(String sql) {
		try (Connection connection = this.dataSource.getConnection();
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery(sql)) {
			result.next();
			return result.getLong(1);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
