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
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.naming.PhysicalNamingStrategyStandardImpl;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
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
			EntityTables tables = context.getBean("idsHibernateEntityTables", EntityTables.class);
			assertThat(tables.tableOf(Plain.class)).isEqualTo("plain_rows");
			assertThat(tables.tableOfId(Plain.class)).isEqualTo("plain_rows");
			assertThat(tables.tableOf(String.class)).isNull();
		});
	}

	@Test
	void entitiesWithSeveralTablesHaveOneForTheirIdsOnly() {
		this.runner.withBean(EntityManagerFactory.class, HibernateEntityTablesTests::hibernate).run((context) -> {
			EntityTables tables = context.getBean("idsHibernateEntityTables", EntityTables.class);
			assertThat(tables.tableOf(Split.class)).isNull();
			assertThat(tables.tableOfId(Split.class)).isEqualTo("split_rows");
		});
	}

	@Test
	void tableThatSeveralFactoriesNameDifferentlyCannotBeTold() {
		this.runner.withBean("one", EntityManagerFactory.class, HibernateEntityTablesTests::hibernate)
			.withBean("two", EntityManagerFactory.class, HibernateEntityTablesTests::hibernate)
			.run((context) -> assertThat(
					context.getBean("idsHibernateEntityTables", EntityTables.class).tableOf(Plain.class))
				.isEqualTo("plain_rows"));
		this.runner.withBean("one", EntityManagerFactory.class, HibernateEntityTablesTests::hibernate)
			.withBean("other", EntityManagerFactory.class, HibernateEntityTablesTests::otherNames)
			.run((context) -> {
				EntityTables tables = context.getBean("idsHibernateEntityTables", EntityTables.class);
				assertThat(tables.tableOf(Plain.class)).isNull();
				assertThat(tables.tableOfId(Plain.class)).isNull();
			});
	}

	@Test
	void factoriesOfOtherProvidersArePassedOver() {
		this.runner.withBean("foreign", EntityManagerFactory.class, HibernateEntityTablesTests::foreign)
			.withBean("hibernate", EntityManagerFactory.class, HibernateEntityTablesTests::hibernate)
			.run((context) -> {
				EntityTables tables = context.getBean("idsHibernateEntityTables", EntityTables.class);
				assertThat(tables.tableOf(Plain.class)).isEqualTo("plain_rows");
				assertThat(tables.tableOf(String.class)).isNull();
			});
	}

	private static EntityManagerFactory hibernate() {
		return configuration().createEntityManagerFactory();
	}

	private static EntityManagerFactory otherNames() {
		return configuration().property("hibernate.physical_naming_strategy", Prefixing.class.getName())
			.createEntityManagerFactory();
	}

	private static HibernatePersistenceConfiguration configuration() {
		return new HibernatePersistenceConfiguration("tables").managedClasses(Plain.class, Split.class)
			.jdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
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

	/**
	 * A naming strategy that an application may have.
	 */
	public static class Prefixing extends PhysicalNamingStrategyStandardImpl {

		private static final long serialVersionUID = 1L;

		@Override
		public Identifier toPhysicalTableName(Identifier logicalName, JdbcEnvironment environment) {
			return Identifier.toIdentifier("other_" + logicalName.getText());
		}

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
