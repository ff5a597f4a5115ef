package dev.idspring.annotation;

import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsDataJdbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsHibernateAutoConfiguration;
import dev.idspring.testsupport.TestDatabase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Starts applications whose entities have columns that an id generator fills.
 */
abstract class AbstractEntityColumnsTests {

	/**
	 * Return an application with an entity of Hibernate whose ids end at 2147483647.
	 */
	static ApplicationContextRunner runner(TestDatabase database, Class<?> entity) {
		return hibernate(database, entity).withPropertyValues("ids.sequential.end=2147483647");
	}

	static ApplicationContextRunner hibernate(TestDatabase database, Class<?>... entities) {
		return jdbc(database)
			.withConfiguration(
					AutoConfigurations.of(HibernateJpaAutoConfiguration.class, IdsHibernateAutoConfiguration.class))
			.withBean(PersistenceManagedTypes.class,
					() -> PersistenceManagedTypes.of(Stream.of(entities).map(Class::getName).toArray(String[]::new)))
			.withPropertyValues("spring.jpa.hibernate.ddl-auto=none");
	}

	static ApplicationContextRunner dataJdbc(TestDatabase database, Class<?> entity) {
		return jdbc(database).withConfiguration(AutoConfigurations.of(IdsDataJdbcAutoConfiguration.class))
			.withBean(JdbcMappingContext.class, () -> {
				JdbcMappingContext mappings = new JdbcMappingContext();
				mappings.getRequiredPersistentEntity(entity);
				return mappings;
			});
	}

	static ApplicationContextRunner jdbc(TestDatabase database) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
					IdsAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=" + database.url(),
					"spring.datasource.username=" + database.username(),
					"spring.datasource.password=" + database.password(), "ids.jdbc.initialize-schema=always",
					"ids.strategy=sequential");
	}

	static void assertStartupFails(ApplicationContextRunner runner, String... messageParts) {
		runner.run((context) -> assertThat(context).hasFailed()
			.getFailure()
			.isInstanceOf(IdSetupException.class)
			.hasMessageContainingAll(messageParts));
	}

	@Entity(name = "VerifiedOwner")
	@Table(name = "owners")
	static class Owner {

		@Id
		@GeneratedId
		Integer id;

	}

	@Entity(name = "VerifiedPet")
	@Table(name = "pets")
	static class Pet {

		@Id
		@GeneratedId("pets")
		Long id;

	}

	@Entity(name = "VerifiedVoucher")
	@Table(name = "vouchers")
	static class Voucher {

		@Id
		Long id;

		@GeneratedId("vouchers")
		@Column(unique = true)
		String code;

	}

}
