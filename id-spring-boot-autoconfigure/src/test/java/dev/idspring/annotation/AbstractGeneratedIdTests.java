package dev.idspring.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsHibernateAutoConfiguration;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs applications with JPA entities for the tests of {@link GeneratedId}. The first
 * generator that a test names starts at 1000, the second one at 2000, and so on. The
 * default generator starts at 1. An id thus shows which generator issued it.
 */
abstract class AbstractGeneratedIdTests {

	final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
				IdsAutoConfiguration.class, IdsHibernateAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true", "spring.jpa.hibernate.ddl-auto=create-drop",
				"spring.jpa.properties.hibernate.generate_statistics=true", "ids.store=memory",
				"ids.strategy=sequential");

	void assertStartupFails(Class<?> entity, String... message) {
		assertStartupFails(Stream.of(entity), message);
	}

	void assertStartupFails(Stream<Class<?>> entities, String... message) {
		run(entities, List.of("known"), (context) -> {
			assertThat(context).hasFailed();
			Throwable cause = context.getStartupFailure();
			while (!(cause instanceof IdSetupException)) {
				cause = cause.getCause();
				assertThat(cause).as("has an IdSetupException as a cause").isNotNull();
			}
			assertThat(cause).hasMessageContainingAll(message);
		});
	}

	void run(Stream<Class<?>> entities, List<String> generators, ContextConsumer<AssertableApplicationContext> test) {
		run(this.runner, entities, generators, test);
	}

	void run(ApplicationContextRunner runner, Stream<Class<?>> entities, List<String> generators,
			ContextConsumer<AssertableApplicationContext> test) {
		List<String> properties = new ArrayList<>();
		for (int i = 0; i < generators.size(); i++) {
			properties.add("ids.generators." + generators.get(i) + ".sequential.start=" + 1000 * (i + 1));
		}
		String[] names = entities.map(Class::getName).toArray(String[]::new);
		runner.withPropertyValues(properties.toArray(String[]::new))
			.withBean(PersistenceManagedTypes.class, () -> PersistenceManagedTypes.of(names))
			.run(test);
	}

	static <T> T persist(AssertableApplicationContext context, T entity) {
		context.getBean(EntityManagerFactory.class).runInTransaction((entities) -> entities.persist(entity));
		return entity;
	}

	static <T> T find(AssertableApplicationContext context, Class<T> type, Object id) {
		return context.getBean(EntityManagerFactory.class).callInTransaction((entities) -> entities.find(type, id));
	}

	@Entity(name = "Wrapped")
	static class Wrapped {

		@Id
		@GeneratedId
		Long id;

		@GeneratedId
		String code;

		String name;

	}

	@Entity(name = "Primitive")
	static class Primitive {

		@Id
		@GeneratedId
		long id;

		@GeneratedId
		long number;

	}

	@Entity(name = "Text")
	@Table(name = "texts")
	static class Text {

		@Id
		@GeneratedId
		String id;

	}

	@Embeddable
	static class TenantKey {

		String tenant;

		@GeneratedId
		Long number;

		@Override
		public boolean equals(Object other) {
			return other instanceof TenantKey key && this.tenant.equals(key.tenant) && this.number.equals(key.number);
		}

		@Override
		public int hashCode() {
			return Arrays.asList(this.tenant, this.number).hashCode();
		}

	}

	@Entity(name = "WithEmbeddedId")
	static class WithEmbeddedId {

		@EmbeddedId
		TenantKey id = new TenantKey();

	}

	static class IdClassKey {

		String tenant;

		Long number;

		@Override
		public boolean equals(Object other) {
			return other instanceof IdClassKey key && this.tenant.equals(key.tenant) && this.number.equals(key.number);
		}

		@Override
		public int hashCode() {
			return Arrays.asList(this.tenant, this.number).hashCode();
		}

	}

	@GeneratedId
	@Retention(RetentionPolicy.RUNTIME)
	@interface Composed {

	}

}
