package dev.idspring.tools.columns;

import java.time.Duration;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsHibernateAutoConfiguration;
import dev.idspring.tools.doctor.Finding;
import dev.idspring.tools.doctor.Finding.Code;
import dev.idspring.testsupport.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests, in a running application, the findings about sequences from which Hibernate
 * draws: an increment that is not the one that Hibernate assumes, and a sequence that is
 * behind the highest key.
 */
class HibernateAllocationsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
				IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class, IdsColumnsAutoConfiguration.class,
				IdsHibernateAutoConfiguration.class))
		.withPropertyValues("spring.jpa.hibernate.ddl-auto=none", "ids.columns.watch=true",
				"spring.jpa.properties.hibernate.id.sequence.increment_size_mismatch_strategy=none");

	@ParameterizedTest
	@CsvSource({ "10, ''", "50, 'numbers are lost.'", "1, 'numbers repeat.'" })
	void reportsAnAllocationSizeThatDiffersFromTheIncrement(int increment, String expected) {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table shipment (id bigint not null primary key)",
				"create sequence dispatch start with 1 increment by " + increment);
		shipments().withPropertyValues("spring.datasource.url=" + database.url()).run((context) -> {
			var findings = context.getBean(ColumnWatch.class).read(Duration.ofSeconds(30)).findings();
			if (expected.isEmpty()) {
				assertThat(findings).isEmpty();
				return;
			}
			assertThat(findings).singleElement()
				.satisfies((finding) -> assertThat(finding.code()).isEqualTo(Code.ALLOCATION_SIZE))
				.extracting(Finding::what)
				.asString()
				.containsIgnoringCase("dispatch")
				.endsWith(expected);
		});
	}

	/**
	 * With the optimizer {@code hilo}, Hibernate multiplies the values of the sequence by
	 * the allocation size.
	 */
	@ParameterizedTest
	@CsvSource({ "100, 1000, ''", "10, 1000, 'Hibernate continues with 101, from'" })
	void sequenceWithMultipliedValuesIsReportedOnlyIfItIsBehind(int lastValue, int highest, String expected) {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table shipment (id bigint not null primary key)",
				"insert into shipment values (" + highest + ")",
				"create sequence dispatch start with " + (lastValue + 1) + " increment by 1");
		shipments()
			.withPropertyValues("spring.datasource.url=" + database.url(),
					"spring.jpa.properties.hibernate.id.optimizer.pooled.preferred=hilo")
			.run((context) -> {
				var findings = context.getBean(ColumnWatch.class).read(Duration.ofSeconds(30)).findings();
				if (expected.isEmpty()) {
					assertThat(findings).isEmpty();
					return;
				}
				assertThat(findings).singleElement().extracting(Finding::what).asString().contains(expected);
			});
	}

	@Test
	void allocationInAnotherSchemaIsNotComparedWithASequenceOfTheSameName() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create schema other", "create table other.pallet (id bigint not null primary key)",
				"create table pallet (id bigint not null primary key)", "insert into pallet values (70)",
				"create sequence other.pallets increment by 50", "create sequence pallets increment by 7");
		this.runner.withBean(PersistenceManagedTypes.class, () -> PersistenceManagedTypes.of(Pallet.class.getName()))
			.withPropertyValues("spring.datasource.url=" + database.url())
			.run((context) -> {
				var state = context.getBean(ColumnWatch.class).read(Duration.ofSeconds(30));
				assertThat(state.findings()).isEmpty();
				assertThat(state.notRead()).containsExactly(
						"the sequence other.pallets of other.pallet: it is in another schema, or cannot be read");
			});
	}

	private ApplicationContextRunner shipments() {
		return this.runner.withBean(PersistenceManagedTypes.class,
				() -> PersistenceManagedTypes.of(Shipment.class.getName(), Parcel.class.getName()));
	}

	@Entity
	@Table(name = "pallet", schema = "other")
	static class Pallet {

		@Id
		@GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "pallets")
		@SequenceGenerator(name = "pallets", schema = "other", sequenceName = "pallets", allocationSize = 50)
		Long id;

	}

	@Entity
	@Table(name = "shipment", schema = "PUBLIC")
	static class Shipment {

		@Id
		@GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "dispatch")
		@SequenceGenerator(name = "dispatch", sequenceName = "dispatch", allocationSize = 10)
		Long id;

	}

	/**
	 * An entity in the same table, which must not add findings.
	 */
	@Entity
	static class Parcel extends Shipment {

	}

}
