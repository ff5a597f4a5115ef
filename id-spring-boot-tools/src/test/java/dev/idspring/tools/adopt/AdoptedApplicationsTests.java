package dev.idspring.tools.adopt;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.tools.command.CommandLine;
import dev.idspring.tools.command.CommandLine.Result;
import dev.idspring.autoconfigure.persistence.IdsHibernateAutoConfiguration;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import jakarta.persistence.TableGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Adopts the tables of an application while the application runs: generators of the
 * starter continue the keys, and old instances still insert rows. Three tables are those
 * of Spring's petclinic, whose keys are identity columns of type INT. Each of the other
 * four has a different source of keys: a Hibernate sequence, Hibernate's table of
 * counters, a sequence in the column's default, or a sequence that a trigger uses.
 */
class AdoptedApplicationsTests {

	private static final long SECONDS = Long.getLong("test.ids.adopt-seconds", 2);

	private static final List<String> TABLES = List.of("owners", "pets", "visits", "purchases", "tickets", "invoices",
			"bills");

	/**
	 * The tables whose keys come from a sequence or a counter on every database. Old and
	 * new instances draw the keys of such a table from the same source.
	 */
	private static final List<String> SHARED_SOURCE_TABLES = List.of("purchases", "tickets", "invoices", "bills");

	/**
	 * The end of the key spaces. On MariaDB, old instances insert keys above this number
	 * after the identity columns were set ahead.
	 */
	private static final long END = 1_000_000_000;

	private TestDatabase database;

	private JdbcTemplate jdbc;

	@ParameterizedTest
	@Tag("wide")
	@EnumSource(names = { "POSTGRESQL", "MARIADB" })
	void oldAndNewInstancesInsertConcurrently(Kind kind) throws Exception {
		boolean postgresql = kind == Kind.POSTGRESQL;
		this.database = kind.create();
		try (HikariDataSource pool = this.database.pool(2)) {
			this.jdbc = new JdbcTemplate(pool);
			new JdbcSchema(pool, "ids_").create();
			createTables(pool, postgresql);
			try (ConfigurableApplicationContext firstOld = start(Before.class);
					ConfigurableApplicationContext secondOld = start(Before.class)) {
				insert(firstOld, 100);
				insert(secondOld, 30);
				for (String table : TABLES) {
					adopt(table, postgresql);
				}
				try (ConfigurableApplicationContext firstNew = start(After.class);
						ConfigurableApplicationContext secondNew = start(After.class)) {
					insertConcurrently(firstOld, secondOld, firstNew, secondNew);
				}
			}
			(postgresql ? TABLES : SHARED_SOURCE_TABLES).forEach(this::endBridge);
			if (!postgresql) {
				assertThat(this.jdbc.queryForObject("select count(*) from visits where id > " + END, Long.class))
					.isPositive();
			}
			try (ConfigurableApplicationContext overlooked = start(Before.class)) {
				for (Object entity : List.of(new Before.Purchase(), new Before.Ticket())) {
					assertThatException().as("%s of an old instance", entity.getClass())
						.isThrownBy(() -> inTransaction(overlooked, (entities) -> entities.persist(entity)));
				}
			}
			for (String table : List.of("invoices", "bills")) {
				assertThatException().as("%s of an old instance", table)
					.isThrownBy(() -> this.jdbc.update("insert into " + table + " (note) values ('before')"));
			}
			try (ConfigurableApplicationContext firstNew = start(After.class)) {
				insert(firstNew, 100);
			}
			for (String table : TABLES) {
				assertThat(
						this.jdbc.queryForObject("select count(*) from " + table + " where note = 'after'", Long.class))
					.as(table)
					.isGreaterThan(100);
			}
		}
	}

	private static void createTables(HikariDataSource pool, boolean postgresql) {
		String identity = postgresql ? "int generated always as identity primary key"
				: "int(4) unsigned not null auto_increment primary key";
		String reference = postgresql ? "int" : "int(4) unsigned";
		TestDatabase.execute(pool, "create table owners (id " + identity + ", note varchar(30))",
				"create table pets (id " + identity + ", note varchar(30), owner_id " + reference
						+ " not null, foreign key (owner_id) references owners (id))",
				"create table visits (id " + identity + ", note varchar(30), pet_id " + reference
						+ ", foreign key (pet_id) references pets (id))",
				"create table purchases (id bigint not null primary key, note varchar(30))",
				"create sequence purchases_seq start with 1 increment by 50",
				"create table hibernate_sequences (sequence_name varchar(50) not null primary key, next_val bigint)",
				"create table tickets (id bigint not null primary key, note varchar(30))", "create sequence global_ids",
				"create sequence invoices_seq start with 300",
				"create table invoices (id bigint default "
						+ (postgresql ? "nextval('global_ids')" : "next value for global_ids")
						+ " not null primary key, note varchar(30))",
				"create sequence bill_numbers",
				"create table bills (id bigint default 0 not null primary key, note varchar(30))");
		if (postgresql) {
			TestDatabase.execute(pool,
					"create function number_bill() returns trigger language plpgsql as 'begin if new.id = 0 then"
							+ " new.id := nextval(''bill_numbers''); end if; return new; end'",
					"create trigger bill before insert on bills for each row execute function number_bill()");
		}
		else {
			TestDatabase.execute(pool, "create trigger bill before insert on bills for each row"
					+ " set new.id = if(new.id = 0, nextval(bill_numbers), new.id)");
		}
	}

	private void adopt(String table, boolean postgresql) {
		Result plan = command(table);
		assertThat(plan.exitCode()).as(plan.out()).isZero();
		List<String> ddl = JsonPath.read(plan.out(), "$.ddl");
		// statements that widen columns are skipped, so the highest possible key of each
		// column is unchanged
		ddl.stream()
			.filter((statement) -> statement.contains("generated by default") || statement.contains("auto_increment = ")
					|| statement.contains("add constraint ids_limit"))
			.forEach(this.jdbc::execute);
		assertThat(ddl.isEmpty()).isEqualTo(List.of("purchases", "invoices", "bills").contains(table));
		runConfirmed(table);
	}

	/**
	 * End the bridge, through which new instances draw the keys of a table from the
	 * source of the old instances.
	 */
	private void endBridge(String table) {
		Result ended = runConfirmed(table, "ids.adopt.end=true");
		JsonPath.<List<String>>read(ended.out(), "$.ddl").forEach(this.jdbc::execute);
	}

	private static List<String> sourceOptions(String table) {
		return switch (table) {
			case "tickets" -> List.of("ids.adopt.source=hibernate_sequences", "ids.adopt.row=tickets");
			case "bills" -> List.of("ids.adopt.source=bill_numbers");
			default -> List.of();
		};
	}

	private Result runConfirmed(String table, String... properties) {
		Result result = command(table,
				Stream.concat(Stream.of(properties), Stream.of("ids.adopt.confirm=true")).toArray(String[]::new));
		assertThat(result.exitCode()).as(result.out()).isZero();
		return result;
	}

	private Result command(String table, String... properties) {
		return CommandLine
			.run(After.class, "adopt",
					Stream
						.of(properties(),
								Stream.of("ids.adopt.table=" + table, "ids.adopt.generator=" + table,
										"ids.output=json"),
								sourceOptions(table).stream(), Stream.of(properties))
						.flatMap((stream) -> stream)
						.toArray(String[]::new));
	}

	private ConfigurableApplicationContext start(Class<?> application) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.run(properties().map((property) -> "--" + property).toArray(String[]::new));
	}

	private Stream<String> properties() {
		return Stream.of("spring.datasource.url=" + this.database.url(),
				"spring.datasource.username=" + this.database.username(),
				"spring.datasource.password=" + this.database.password(), "spring.jpa.hibernate.ddl-auto=none",
				"ids.strategy=sequential", "ids.sequential.end=" + END, "ids.block.wait-timeout=60s",
				"ids.generators.owners.block.size=20", "ids.generators.pets.block.size=20",
				"ids.generators.visits.block.size=20", "ids.generators.purchases.block.size=20",
				"ids.generators.tickets.block.size=20", "ids.generators.invoices.block.size=20",
				"ids.generators.bills.block.size=20");
	}

	private static void insertConcurrently(ConfigurableApplicationContext... applications) throws Exception {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
		ExecutorService threads = Executors.newFixedThreadPool(2 * applications.length);
		try {
			List<Callable<Void>> tasks = new ArrayList<>();
			for (ConfigurableApplicationContext application : applications) {
				for (int i = 0; i < 2; i++) {
					tasks.add(() -> {
						do {
							insert(application, 5);
						}
						while (System.nanoTime() < end);
						return null;
					});
				}
			}
			for (Future<Void> task : threads.invokeAll(tasks)) {
				// a duplicate key would violate the primary key and fail the task
				task.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static void insert(ConfigurableApplicationContext application, int count) {
		RowInserter rowInserter = application.getBean(RowInserter.class);
		inTransaction(application, (entities) -> {
			for (int i = 0; i < count; i++) {
				rowInserter.insert(entities);
			}
		});
	}

	private static void inTransaction(ConfigurableApplicationContext application, RowInserter inserter) {
		EntityManager entities = SharedEntityManagerCreator
			.createSharedEntityManager(application.getBean(EntityManagerFactory.class));
		new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> inserter.insert(entities));
	}

	/**
	 * Inserts an owner with a pet and a visit, and a row into each of the other tables.
	 */
	interface RowInserter {

		void insert(EntityManager entities);

	}

	/**
	 * The application before the adoption.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
			TransactionAutoConfiguration.class })
	static class Before {

		@Bean
		PersistenceManagedTypes types() {
			return PersistenceManagedTypes.of(Owner.class.getName(), Pet.class.getName(), Visit.class.getName(),
					Purchase.class.getName(), Ticket.class.getName());
		}

		@Bean
		RowInserter rowInserter() {
			return (entities) -> {
				Owner owner = new Owner();
				Pet pet = new Pet();
				pet.owner = owner;
				Visit visit = new Visit();
				visit.pet = pet;
				Stream.of(owner, pet, visit, new Purchase(), new Ticket()).forEach(entities::persist);
				for (String table : List.of("invoices", "bills")) {
					entities.createNativeQuery("insert into " + table + " (note) values ('before')").executeUpdate();
				}
			};
		}

		@Entity(name = "OldOwner")
		@Table(name = "owners")
		static class Owner {

			@Id
			@GeneratedValue(strategy = GenerationType.IDENTITY)
			Integer id;

			@Column
			String note = "before";

		}

		@Entity(name = "OldPet")
		@Table(name = "pets")
		static class Pet {

			@Id
			@GeneratedValue(strategy = GenerationType.IDENTITY)
			Integer id;

			@Column
			String note = "before";

			@ManyToOne
			@JoinColumn(name = "owner_id")
			Owner owner;

		}

		@Entity(name = "OldVisit")
		@Table(name = "visits")
		static class Visit {

			@Id
			@GeneratedValue(strategy = GenerationType.IDENTITY)
			Integer id;

			@Column
			String note = "before";

			@ManyToOne
			@JoinColumn(name = "pet_id")
			Pet pet;

		}

		@Entity(name = "OldPurchase")
		@Table(name = "purchases")
		static class Purchase {

			@Id
			@GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "purchases_seq")
			@SequenceGenerator(name = "purchases_seq", sequenceName = "purchases_seq", allocationSize = 50)
			Long id;

			@Column
			String note = "before";

		}

		@Entity(name = "OldTicket")
		@Table(name = "tickets")
		static class Ticket {

			@Id
			@GeneratedValue(strategy = GenerationType.TABLE, generator = "tickets")
			@TableGenerator(name = "tickets", table = "hibernate_sequences", pkColumnName = "sequence_name",
					valueColumnName = "next_val", pkColumnValue = "tickets", allocationSize = 50)
			Long id;

			@Column
			String note = "before";

		}

	}

	/**
	 * The application with the starter.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
			DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
			IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class, IdsHibernateAutoConfiguration.class })
	static class After {

		@Bean
		PersistenceManagedTypes types() {
			return PersistenceManagedTypes.of(Owner.class.getName(), Pet.class.getName(), Visit.class.getName(),
					Purchase.class.getName(), Ticket.class.getName(), Invoice.class.getName(), Bill.class.getName());
		}

		@Bean
		RowInserter rowInserter() {
			return (entities) -> {
				Owner owner = new Owner();
				Pet pet = new Pet();
				pet.owner = owner;
				Visit visit = new Visit();
				visit.pet = pet;
				Stream.of(owner, pet, visit, new Purchase(), new Ticket(), new Invoice(), new Bill())
					.forEach(entities::persist);
			};
		}

		@Entity(name = "NewOwner")
		@Table(name = "owners")
		static class Owner {

			@Id
			@GeneratedId("owners")
			Integer id;

			@Column
			String note = "after";

		}

		@Entity(name = "NewPet")
		@Table(name = "pets")
		static class Pet {

			@Id
			@GeneratedId("pets")
			Integer id;

			@Column
			String note = "after";

			@ManyToOne
			@JoinColumn(name = "owner_id")
			Owner owner;

		}

		@Entity(name = "NewVisit")
		@Table(name = "visits")
		static class Visit {

			@Id
			@GeneratedId("visits")
			Integer id;

			@Column
			String note = "after";

			@ManyToOne
			@JoinColumn(name = "pet_id")
			Pet pet;

		}

		@Entity(name = "NewPurchase")
		@Table(name = "purchases")
		static class Purchase {

			@Id
			@GeneratedId("purchases")
			Long id;

			@Column
			String note = "after";

		}

		@Entity(name = "NewTicket")
		@Table(name = "tickets")
		static class Ticket {

			@Id
			@GeneratedId("tickets")
			Long id;

			@Column
			String note = "after";

		}

		@Entity(name = "NewInvoice")
		@Table(name = "invoices")
		static class Invoice {

			@Id
			@GeneratedId("invoices")
			Long id;

			@Column
			String note = "after";

		}

		@Entity(name = "NewBill")
		@Table(name = "bills")
		static class Bill {

			@Id
			@GeneratedId("bills")
			Long id;

			@Column
			String note = "after";

		}

	}

}
