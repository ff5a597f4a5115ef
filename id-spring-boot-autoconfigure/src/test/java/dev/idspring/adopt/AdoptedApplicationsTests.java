package dev.idspring.adopt;

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
import dev.idspring.autoconfigure.operations.CommandLine;
import dev.idspring.autoconfigure.operations.CommandLine.Result;
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

/**
 * Adopts the tables of an application while it runs: those of Spring's petclinic, whose
 * keys are identity columns of the type INT, and one that Hibernate numbers by a sequence
 * and an {@code allocationSize} of 50.
 */
class AdoptedApplicationsTests {

	private static final long SECONDS = Long.getLong("test.ids.adopt-seconds", 2);

	private static final List<String> TABLES = List.of("owners", "pets", "visits", "purchases");

	/** What an identity column of MariaDB has left for new instances. */
	private static final long END = 1_000_000_000;

	private TestDatabase database;

	private JdbcTemplate jdbc;

	@ParameterizedTest
	@EnumSource(names = { "POSTGRESQL", "MARIADB" })
	void oldAndNewInstancesInsertSideBySide(Kind kind) throws Exception {
		boolean postgresql = kind == Kind.POSTGRESQL;
		this.database = kind.create();
		try (HikariDataSource pool = this.database.pool(2)) {
			this.jdbc = new JdbcTemplate(pool);
			new JdbcSchema(pool, "ids_").create();
			createTables(pool, postgresql);
			try (ConfigurableApplicationContext one = start(Before.class);
					ConfigurableApplicationContext another = start(Before.class)) {
				insert(one, 100);
				insert(another, 30);
				for (String table : TABLES) {
					adopt(table, postgresql);
				}
				try (ConfigurableApplicationContext first = start(After.class);
						ConfigurableApplicationContext second = start(After.class)) {
					insertAtOnce(one, another, first, second);
				}
			}
			if (postgresql) {
				TABLES.forEach((table) -> confirmed(table, "ids.adopt.end=true"));
			}
			else {
				confirmed("purchases", "ids.adopt.end=true");
				assertThat(this.jdbc.queryForObject("select count(*) from visits where id > " + END, Long.class))
					.isPositive();
			}
			try (ConfigurableApplicationContext first = start(After.class)) {
				insert(first, 100);
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
				"create sequence purchases_seq start with 1 increment by 50");
	}

	private void adopt(String table, boolean postgresql) {
		Result plan = command(table);
		assertThat(plan.exitCode()).as(plan.out()).isZero();
		List<String> ddl = JsonPath.read(plan.out(), "$.ddl");
		// the columns stay INT, so that they end where they ended
		ddl.stream()
			.filter((statement) -> statement.contains("generated by default")
					|| statement.contains("auto_increment = "))
			.forEach(this.jdbc::execute);
		assertThat(ddl.isEmpty()).isEqualTo(table.equals("purchases"));
		confirmed(table);
	}

	private void confirmed(String table, String... properties) {
		Result result = command(table,
				Stream.concat(Stream.of(properties), Stream.of("ids.adopt.confirm=true")).toArray(String[]::new));
		assertThat(result.exitCode()).as(result.out()).isZero();
	}

	private Result command(String table, String... properties) {
		return CommandLine
			.run(After.class, "adopt",
					Stream
						.of(properties(),
								Stream.of("ids.adopt.table=" + table, "ids.adopt.generator=" + table,
										"ids.output=json"),
								Stream.of(properties))
						.flatMap((all) -> all)
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
				"ids.strategy=sequential", "ids.sequential.end=" + END, "ids.generators.owners.block.size=20",
				"ids.generators.pets.block.size=20", "ids.generators.visits.block.size=20",
				"ids.generators.purchases.block.size=20");
	}

	private static void insertAtOnce(ConfigurableApplicationContext... applications) throws Exception {
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
				// a key that comes twice violates the primary key
				task.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static void insert(ConfigurableApplicationContext application, int count) {
		EntityManager entities = SharedEntityManagerCreator
			.createSharedEntityManager(application.getBean(EntityManagerFactory.class));
		Visits visits = application.getBean(Visits.class);
		new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> {
				for (int i = 0; i < count; i++) {
					visits.insert(entities);
				}
			});
	}

	/**
	 * Inserts an owner with a pet and its visit, and what was bought.
	 */
	interface Visits {

		void insert(EntityManager entities);

	}

	/**
	 * As it was.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
			TransactionAutoConfiguration.class })
	static class Before {

		@Bean
		PersistenceManagedTypes types() {
			return PersistenceManagedTypes.of(Owner.class.getName(), Pet.class.getName(), Visit.class.getName(),
					Purchase.class.getName());
		}

		@Bean
		Visits visits() {
			return (entities) -> {
				Owner owner = new Owner();
				Pet pet = new Pet();
				pet.owner = owner;
				Visit visit = new Visit();
				visit.pet = pet;
				Stream.of(owner, pet, visit, new Purchase()).forEach(entities::persist);
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

	}

	/**
	 * As it is with the starter.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
			DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
			IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class, IdsHibernateAutoConfiguration.class })
	static class After {

		@Bean
		PersistenceManagedTypes types() {
			return PersistenceManagedTypes.of(Owner.class.getName(), Pet.class.getName(), Visit.class.getName(),
					Purchase.class.getName());
		}

		@Bean
		Visits visits() {
			return (entities) -> {
				Owner owner = new Owner();
				Pet pet = new Pet();
				pet.owner = owner;
				Visit visit = new Visit();
				visit.pet = pet;
				Stream.of(owner, pet, visit, new Purchase()).forEach(entities::persist);
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

	}

}
