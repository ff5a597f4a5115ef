package dev.idspring.annotation;

import java.io.Serializable;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.autoconfigure.IdsDataSource;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import jakarta.persistence.AttributeOverride;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.PrimaryKeyJoinColumn;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import org.hibernate.cfg.MultiTenancySettings;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.dialect.H2Dialect;
import org.hibernate.engine.jdbc.connections.spi.AbstractDataSourceBasedMultiTenantConnectionProviderImpl;
import org.hibernate.context.spi.TenantSchemaMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;

/**
 * Tests which columns of entities are verified when an application starts, and in which
 * schema and database they are looked up.
 */
@ExtendWith(OutputCaptureExtension.class)
class EntityTablesTests extends AbstractEntityColumnsTests {

	private static final Pattern VERIFIED_COLUMN = Pattern.compile("(\\S+) \\(\\S+\\) <- id generator");

	/** Tables without constraints, for the entities of the tests. */
	private static final String[] TABLES = { "create table mapped (mapped_id bigint)",
			"create table vehicles (id bigint)", "create table cars (vehicle_id bigint, plate_number bigint)",
			"create table cats (id bigint, chip_number bigint, collar bigint)",
			"create table dogs (id bigint, chip_number bigint, collar bigint)", "create table people (id bigint)",
			"create table addresses (person_id bigint, id bigint)", "create table letters (letter_id bigint)",
			"create table stamps (stamped bigint)",
			"create table orders (id bigint, billing_code bigint, shipping_code bigint)",
			"create table lines (order_id bigint, line_number bigint)",
			"create table notes (note_line bigint, note_order bigint)" };

	private static List<String> verifiedColumns(CapturedOutput output) {
		return VERIFIED_COLUMN.matcher(output.getOut()).results().map((line) -> line.group(1)).toList();
	}

	/**
	 * Hibernate treats MariaDB databases as catalogs.
	 */
	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	@FewInvocations(2)
	void tableInTheDefaultSchemaOfHibernateIsVerified(Kind kind, CapturedOutput output) {
		TestDatabase database = kind.create();
		String shop = createShop(kind, database);
		ApplicationContextRunner runner = hibernate(database, Owner.class).withPropertyValues(
				"spring.jpa.properties.hibernate.default_" + ((kind == Kind.MARIADB) ? "catalog=" : "schema=") + shop);
		database.execute("create table owners (id smallint primary key)", "insert into owners values (13)");
		runner.run((context) -> {
			Owner owner = new Owner();
			context.getBean(EntityManagerFactory.class).runInTransaction((entities) -> entities.persist(owner));
			assertThat(owner.id).isEqualTo(1);
			assertThat(verifiedColumns(output)).containsExactly(shop + ".owners.id");
		});
		database.execute("insert into " + shop + ".owners values (77)");
		assertStartupFails(runner.withPropertyValues("ids.key-space=other"),
				shop + ".owners.id (" + Owner.class.getName() + ".id) already contains 77");
	}

	private static String createShop(Kind kind, TestDatabase database) {
		String shop = (kind == Kind.MARIADB) ? database.url().replaceAll(".*/|\\?.*", "") + "_shop" : "shop";
		database.execute("create " + ((kind == Kind.MARIADB) ? "database " : "schema ") + shop,
				"create table " + shop + ".owners (id bigint primary key)");
		return shop;
	}

	@Test
	void eachColumnOfAPropertyIsVerifiedAndLogged(CapturedOutput output) {
		TestDatabase database = TestDatabase.h2();
		database.execute(TABLES);
		hibernate(database, Mapped.class, Vehicle.class, Car.class, Animal.class, Cat.class, Dog.class, Person.class,
				Mail.class, Letter.class, Order.class, Line.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(verifiedColumns(output)).containsExactlyInAnyOrder("mapped.mapped_id", "vehicles.id",
				"cars.vehicle_id", "cars.plate_number", "cats.id", "cats.chip_number", "cats.collar", "dogs.id",
				"dogs.chip_number", "dogs.collar", "people.id", "addresses.person_id", "addresses.id",
				"letters.letter_id", "stamps.stamped", "orders.id", "orders.billing_code", "orders.shipping_code",
				"lines.line_number", "notes.note_line");
	}

	@ParameterizedTest
	@FewInvocations(4)
	@ValueSource(strings = { "mapped.mapped_id", "vehicles.id", "cars.vehicle_id", "cars.plate_number", "cats.id",
			"cats.chip_number", "cats.collar", "dogs.id", "dogs.chip_number", "dogs.collar", "people.id",
			"addresses.person_id", "addresses.id", "letters.letter_id", "stamps.stamped", "orders.billing_code",
			"orders.shipping_code" })
	void startupFailsWhenAnyColumnOfAPropertyContainsAnUnreservedKey(String column) {
		TestDatabase database = TestDatabase.h2();
		database.execute(TABLES);
		String[] names = column.split("\\.");
		database.execute("insert into " + names[0] + " (" + names[1] + ") values (13)");
		assertStartupFails(
				hibernate(database, Mapped.class, Vehicle.class, Car.class, Animal.class, Cat.class, Dog.class,
						Person.class, Mail.class, Letter.class, Order.class, Line.class),
				column + " (", "already contains 13");
	}

	@Test
	void startupFailsWhenAnotherTableIsTooNarrowForPartOfACompositeKey() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table lines (order_id bigint, line_number bigint)",
				"create table notes (note_line smallint, note_order bigint)");
		assertStartupFails(hibernate(database, Line.class), "notes.note_line (", "can hold 32767 at most");
	}

	@Test
	void columnsAreNotVerifiedWhenHibernateUsesMultiTenancy(CapturedOutput output) {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table owners (id smallint primary key)", "insert into owners values (13)");
		hibernate(database, Owner.class)
			.withBean(HibernatePropertiesCustomizer.class,
					() -> customizer(MultiTenancySettings.MULTI_TENANT_CONNECTION_PROVIDER,
							new TenantConnections(database.pool(1))))
			.run((context) -> assertThat(context).hasNotFailed());
		hibernate(database, Owner.class)
			.withBean(HibernatePropertiesCustomizer.class,
					() -> customizer(MultiTenancySettings.MULTI_TENANT_SCHEMA_MAPPER,
							(TenantSchemaMapper<Object>) String::valueOf))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getOut().lines().filter((line) -> line.contains(" <- id generator"))).hasSize(2)
			.allMatch((line) -> line.contains(" " + Owner.class.getName() + ".id <- "));
	}

	private static HibernatePropertiesCustomizer customizer(String name, Object value) {
		return (properties) -> properties
			.putAll(Map.of(name, value, MultiTenancySettings.MULTI_TENANT_IDENTIFIER_RESOLVER, new TenantResolver()));
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	@FewInvocations(1)
	void verifiesTheColumnInTheDatabaseOfHibernateRatherThanOfTheStore(Kind kind, CapturedOutput output) {
		TestDatabase store = TestDatabase.h2();
		store.execute("create table owners (id smallint primary key)", "insert into owners values (13)");
		TestDatabase application = kind.create();
		application.execute("create table owners (id bigint primary key)");
		ApplicationContextRunner runner = hibernate(application, Owner.class)
			.withUserConfiguration(TwoDataSources.class)
			.withPropertyValues("test.store=" + store.url());
		runner.run((context) -> assertThat(context).hasNotFailed());
		assertThat(verifiedColumns(output)).containsExactly("owners.id");
		application.execute("insert into owners values (77)");
		assertStartupFails(runner.withPropertyValues("ids.key-space=other"), "owners.id (", "already contains 77");
	}

	@Test
	void oneWarningIsLoggedWhenTheDatabaseOfEntitiesIsUnsupported(CapturedOutput output) {
		TestDatabase application = TestDatabase.h2();
		application.execute("create table owners (id bigint primary key)");
		hibernate(application, Owner.class).withUserConfiguration(TwoDataSources.class, UnknownDatabase.class)
			.withPropertyValues("test.store=" + TestDatabase.h2().url(),
					"spring.jpa.properties.hibernate.dialect=" + H2Dialect.class.getName())
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.containsOnlyOnce("The entity columns in a database other than that of the id store cannot be verified: ")
			.contains("Informix");
	}

	@Test
	void verifiesTheColumnInTheDatabaseOfSpringDataRatherThanOfTheStore() {
		TestDatabase store = TestDatabase.h2();
		store.execute("create table clinic (id smallint primary key)", "insert into clinic values (13)");
		TestDatabase application = TestDatabase.h2();
		application.execute("create table clinic (id bigint primary key)");
		ApplicationContextRunner runner = dataJdbc(application, Clinic.class)
			.withUserConfiguration(TwoDataSources.class)
			.withPropertyValues("test.store=" + store.url());
		runner.run((context) -> assertThat(context).hasNotFailed());
		application.execute("insert into clinic values (77)");
		assertStartupFails(runner.withPropertyValues("ids.key-space=other"), "already contains 77");
		runner.withPropertyValues("ids.key-space=skipped", "ids.sequential.start=100")
			.run((context) -> context.getBean(IdGenerator.class).nextLongs(2_000));
		application.execute("insert into clinic values (1999)");
		store.execute("update ids_key_space set next_ordinal = 1000");
		assertStartupFails(runner.withPropertyValues("ids.key-space=skipped", "ids.sequential.start=100"),
				"already contains 1999", "If a backup was restored or a lagging replica was promoted, run java -jar",
				"--ids.command=skip-ahead --ids.skip-ahead.key-space=skipped");
	}

	@Test
	void columnIsNotVerifiedWhenItsDatabaseIsAmbiguous() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table clinic (id smallint primary key)");
		dataJdbc(database, Clinic.class)
			.withBean("ids", DataSource.class, () -> database.pool(1),
					(definition) -> ((AbstractBeanDefinition) definition)
						.addQualifier(new AutowireCandidateQualifier(IdsDataSource.class)))
			.withBean("other", DataSource.class, () -> TestDatabase.h2().pool(1))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void columnOfAnEmbeddedEntityOfSpringDataHasThePrefixOfTheProperty(CapturedOutput output) {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table ward (id bigint, near_code bigint, far_code bigint)",
				// this table has the name of the embedded entity but does not store it,
				// so it must not be verified
				"create table site (code smallint)");
		dataJdbc(database, Ward.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(verifiedColumns(output)).containsExactlyInAnyOrder("ward.id", "ward.near_code", "ward.far_code");
		database.execute("drop table ward", "create table ward (id bigint, near_code bigint, far_code smallint)");
		assertStartupFails(dataJdbc(database, Ward.class), "ward.far_code (" + Site.class.getName() + ".code)",
				"can hold 32767 at most");
	}

	@Entity(name = "TablesOwner")
	@Table(name = "owners")
	static class Owner {

		@Id
		@GeneratedId
		Long id;

	}

	@MappedSuperclass
	static class Base {

		@Id
		@GeneratedId
		Long id;

	}

	@Entity(name = "TablesMapped")
	@Table(name = "mapped")
	@AttributeOverride(name = "id", column = @Column(name = "mapped_id"))
	static class Mapped extends Base {

	}

	@Entity(name = "TablesVehicle")
	@Table(name = "vehicles")
	@Inheritance(strategy = InheritanceType.JOINED)
	static class Vehicle extends Base {

	}

	@Entity(name = "TablesCar")
	@Table(name = "cars")
	@PrimaryKeyJoinColumn(name = "vehicle_id")
	static class Car extends Vehicle {

		@GeneratedId
		@Column(unique = true)
		Long plateNumber;

	}

	@Entity(name = "TablesAnimal")
	@Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
	abstract static class Animal {

		@Id
		@GeneratedId
		Long id;

		@GeneratedId
		@Column(unique = true)
		Long chipNumber;

		@Embedded
		@AttributeOverride(name = "code", column = @Column(name = "collar", unique = true))
		Code collar;

	}

	@Entity(name = "TablesCat")
	@Table(name = "cats")
	static class Cat extends Animal {

	}

	@Entity(name = "TablesDog")
	@Table(name = "dogs")
	static class Dog extends Animal {

	}

	@Embeddable
	static class Code {

		@GeneratedId
		Long code;

	}

	@Entity(name = "TablesPerson")
	@Table(name = "people")
	@SecondaryTable(name = "addresses", pkJoinColumns = @PrimaryKeyJoinColumn(name = "person_id"))
	static class Person extends Base {

		/**
		 * The column has the same name as the key column, but is in the secondary table.
		 */
		@GeneratedId
		@Column(table = "addresses", name = "id", unique = true)
		Long address;

	}

	@Entity(name = "TablesMail")
	@Table(name = "letters")
	@AttributeOverride(name = "id", column = @Column(name = "letter_id"))
	static class Mail extends Base {

	}

	@Entity(name = "TablesLetter")
	@SecondaryTable(name = "stamps", pkJoinColumns = @PrimaryKeyJoinColumn(name = "stamped"))
	static class Letter extends Mail {

	}

	@Entity(name = "TablesOrder")
	@Table(name = "orders")
	static class Order extends Base {

		@Embedded
		@AttributeOverride(name = "code", column = @Column(name = "billing_code", unique = true))
		Code billing;

		@Embedded
		@AttributeOverride(name = "code", column = @Column(name = "shipping_code", unique = true))
		Code shipping;

	}

	@Embeddable
	static class LineKey implements Serializable {

		private static final long serialVersionUID = 1L;

		@Column(name = "order_id")
		Long orderId;

		@GeneratedId
		@Column(name = "line_number")
		Long lineNumber;

	}

	@Entity(name = "TablesLine")
	@Table(name = "lines")
	@SecondaryTable(name = "notes",
			pkJoinColumns = { @PrimaryKeyJoinColumn(name = "note_order", referencedColumnName = "order_id"),
					@PrimaryKeyJoinColumn(name = "note_line", referencedColumnName = "line_number") })
	static class Line {

		@EmbeddedId
		LineKey key;

	}

	record Clinic(@org.springframework.data.annotation.Id @GeneratedId Long id) {

	}

	record Ward(@org.springframework.data.annotation.Id @GeneratedId Long id,
			@org.springframework.data.relational.core.mapping.Embedded.Nullable(prefix = "near_") Site near,
			@org.springframework.data.relational.core.mapping.Embedded.Nullable(prefix = "far_") Site far) {

	}

	record Site(@GeneratedId Long code) {

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDataSources {

		@Bean(defaultCandidate = false)
		@IdsDataSource
		HikariDataSource idsDataSource(@Value("${test.store}") String url) {
			HikariDataSource dataSource = new HikariDataSource();
			dataSource.setJdbcUrl(url);
			dataSource.setUsername("sa");
			return dataSource;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UnknownDatabase {

		@Bean
		static BeanPostProcessor unknown() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					return beanName.equals("dataSource") ? unknown((DataSource) bean) : bean;
				}

			};
		}

		private static DataSource unknown(DataSource dataSource) {
			return new DelegatingDataSource(dataSource) {

				@Override
				public Connection getConnection() throws SQLException {
					Connection realConnection = super.getConnection();
					DatabaseMetaData metaData = mock(DatabaseMetaData.class, delegatesTo(realConnection.getMetaData()));
					willReturn("Informix Dynamic Server").given(metaData).getDatabaseProductName();
					Connection connection = mock(Connection.class, delegatesTo(realConnection));
					willReturn(metaData).given(connection).getMetaData();
					return connection;
				}

			};
		}

	}

	static class TenantResolver implements CurrentTenantIdentifierResolver<Object> {

		@Override
		public Object resolveCurrentTenantIdentifier() {
			return "tenant";
		}

		@Override
		public boolean validateExistingCurrentSessions() {
			return true;
		}

	}

	static class TenantConnections extends AbstractDataSourceBasedMultiTenantConnectionProviderImpl<Object> {

		private static final long serialVersionUID = 1L;

		private final transient DataSource dataSource;

		TenantConnections(DataSource dataSource) {
			this.dataSource = dataSource;
		}

		@Override
		protected DataSource selectAnyDataSource() {
			return this.dataSource;
		}

		@Override
		protected DataSource selectDataSource(Object tenant) {
			return this.dataSource;
		}

	}

}
