package dev.idspring.entity;

import java.lang.reflect.Proxy;
import java.util.UUID;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsEntitiesAutoConfiguration;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the metamodel tells of tables.
 */
class HibernateEntityTablesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, IdsEntitiesAutoConfiguration.class))
		.withPropertyValues("ids.store=memory");

	@Test
	void entitiesWithOneTableHaveThat() {
		this.runner.withBean(EntityManagerFactory.class, HibernateEntityTablesTests::hibernate).run((context) -> {
			EntityTables tables = context.getBean("hibernateEntityTables", EntityTables.class);
			assertThat(tables.tableOf(Plain.class)).isEqualTo("plain_rows");
			assertThat(tables.tableOfId(Plain.class)).isEqualTo("plain_rows");
			assertThat(tables.tableOf(String.class)).isNull();
		});
	}

	@Test
	void entitiesWithSeveralTablesHaveOneForTheirIdsOnly() {
		this.runner.withBean(EntityManagerFactory.class, HibernateEntityTablesTests::hibernate).run((context) -> {
			EntityTables tables = context.getBean("hibernateEntityTables", EntityTables.class);
			assertThat(tables.tableOf(Split.class)).isNull();
			assertThat(tables.tableOfId(Split.class)).isEqualTo("split_rows");
		});
	}

	@Test
	void factoriesOfOtherProvidersArePassedOver() {
		this.runner.withBean("foreign", EntityManagerFactory.class, HibernateEntityTablesTests::foreign)
			.withBean("hibernate", EntityManagerFactory.class, HibernateEntityTablesTests::hibernate)
			.run((context) -> {
				EntityTables tables = context.getBean("hibernateEntityTables", EntityTables.class);
				assertThat(tables.tableOf(Plain.class)).isEqualTo("plain_rows");
				assertThat(tables.tableOf(String.class)).isNull();
			});
	}

	private static EntityManagerFactory hibernate() {
		return new HibernatePersistenceConfiguration("tables").managedClasses(Plain.class, Split.class)
			.jdbcUrl("jdbc:h2:mem:" + UUID.randomUUID())
			.createEntityManagerFactory();
	}

	private static EntityManagerFactory foreign() {
		return (EntityManagerFactory) Proxy.newProxyInstance(HibernateEntityTablesTests.class.getClassLoader(),
				new Class<?>[] { EntityManagerFactory.class }, (proxy, method, arguments) -> switch (method.getName()) {
					case "unwrap" -> throw new PersistenceException("cannot be unwrapped");
					case "hashCode" -> 1;
					case "equals" -> proxy == arguments[0];
					case "toString" -> "foreign";
					default -> null;
				});
	}

	@Entity
	@Table(name = "plain_rows")
	static class Plain {

		@Id
		private long id;

	}

	@Entity
	@Table(name = "split_rows")
	@SecondaryTable(name = "split_more")
	static class Split {

		@Id
		private long id;

		@Column(table = "split_more")
		private long number;

	}

}
