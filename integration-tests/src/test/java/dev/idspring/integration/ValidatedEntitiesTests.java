package dev.idspring.integration;

import java.util.List;
import java.util.Set;
import java.util.UUID;

import dev.idspring.annotation.GeneratedId;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsDataJdbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsDataR2dbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsHibernateAutoConfiguration;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Valid;
import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.annotations.UuidGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that Bean Validation checks constraints on properties with {@link GeneratedId}
 * after the ids are set.
 */
@Tag("wide")
class ValidatedEntitiesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true", "spring.r2dbc.generate-unique-name=true",
				"ids.store=memory", "ids.strategy=sequential", "ids.generators.codes.strategy=sequential",
				"ids.generators.codes.text.alphabet=0123456789", "ids.generators.codes.text.length=8",
				"ids.generators.codes.sequential.end=99999999");

	private final ApplicationContextRunner jpa = this.runner
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
				IdsHibernateAutoConfiguration.class))
		.withBean(PersistenceManagedTypes.class,
				() -> PersistenceManagedTypes.of(Coupon.class.getName(), Slip.class.getName(),
						ByGetter.class.getName()))
		.withPropertyValues("spring.jpa.hibernate.ddl-auto=create-drop");

	@Test
	void hibernateValidatesPersistedEntitiesAfterTheirIdsAreSet() {
		this.jpa.run((context) -> {
			EntityManagerFactory entities = context.getBean(EntityManagerFactory.class);
			Coupon first = new Coupon("Ada");
			Coupon second = new Coupon("Bob");
			second.slip = null;
			entities.runInTransaction((session) -> List.of(first, second).forEach(session::persist));
			// each id was drawn once
			assertThat(List.of(first.id, second.id)).containsExactlyInAnyOrder(1L, 2L);
			assertThat(List.of(first.code, second.code)).containsExactly("00000001", "00000003");
			assertThat(first.slip.number).isEqualTo("00000002");
			assertThat(second.slip.number).isEqualTo("00000004");
			Coupon found = entities.callInTransaction((session) -> session.find(Coupon.class, first.id));
			assertThat(found.code).isEqualTo(first.code);
			assertThat(found.slip.number).isEqualTo(first.slip.number);
			assertThat(found.slip.token).isEqualTo(first.slip.token).isNotNull();
		});
	}

	@Test
	void hibernateValidatesMergedAndStatelessEntitiesAfterTheirIdsAreSet() {
		this.jpa.run((context) -> {
			EntityManagerFactory entities = context.getBean(EntityManagerFactory.class);
			Coupon merged = entities.callInTransaction((session) -> session.merge(new Coupon("Ada")));
			assertThat(merged.code).isEqualTo("00000001");
			Coupon inserted = new Coupon("Bob");
			try (StatelessSession session = entities.unwrap(SessionFactory.class).openStatelessSession()) {
				session.insert(inserted);
			}
			assertThat(inserted.code).isEqualTo("00000003");
			ByGetter byGetter = new ByGetter();
			entities.runInTransaction((session) -> session.persist(byGetter));
			assertThat(byGetter.getCode()).isEqualTo("00000005");
		});
	}

	@Test
	void otherConstraintsAreStillChecked() {
		this.jpa.run((context) -> {
			assertThat(violations(context.getBean(EntityManagerFactory.class), new Coupon(" ")))
				.containsExactly("customer");
			Coupon coupon = new Coupon("Ada");
			coupon.code = "short";
			assertThat(violations(context.getBean(EntityManagerFactory.class), coupon)).containsExactly("code");
			assertThat(coupon.code).isEqualTo("short");
		});
	}

	private static List<String> violations(EntityManagerFactory entities, Coupon coupon) {
		ConstraintViolationException failure = null;
		try {
			entities.runInTransaction((session) -> {
				session.persist(coupon);
				session.flush();
			});
		}
		catch (ConstraintViolationException ex) {
			failure = ex;
		}
		assertThat(failure).isNotNull();
		return failure.getConstraintViolations()
			.stream()
			.map((violation) -> violation.getPropertyPath().toString())
			.toList();
	}

	@Test
	void springDataJdbcCallbacksValidateEntitiesAfterTheirIdsAreSet() {
		this.runner
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
					DataJdbcRepositoriesAutoConfiguration.class, IdsDataJdbcAutoConfiguration.class))
			.withInitializer((context) -> AutoConfigurationPackages
				.register((BeanDefinitionRegistry) context.getBeanFactory(), "dev.idspring.none"))
			.withUserConfiguration(ValidationConfiguration.class)
			.run((context) -> {
				context.getBean(JdbcTemplate.class).execute(Voucher.CREATE_TABLE);
				Voucher saved = context.getBean(JdbcAggregateTemplate.class).save(new Voucher(null, null, "Ada"));
				assertThat(saved).isEqualTo(new Voucher(1L, "00000001", "Ada"));
				assertThatExceptionOfType(ConstraintViolationException.class)
					.isThrownBy(() -> context.getBean(JdbcAggregateTemplate.class).save(new Voucher(null, null, "")))
					.withMessageContaining("customer");
			});
	}

	@Test
	void springDataR2dbcCallbacksValidateEntitiesAfterTheirIdsAreSet() {
		this.runner
			.withConfiguration(AutoConfigurations.of(R2dbcAutoConfiguration.class, DataR2dbcAutoConfiguration.class,
					IdsDataR2dbcAutoConfiguration.class))
			.withUserConfiguration(ReactiveValidationConfiguration.class)
			.run((context) -> {
				R2dbcEntityTemplate template = context.getBean(R2dbcEntityTemplate.class);
				template.getDatabaseClient().sql(Voucher.CREATE_TABLE).then().block();
				assertThat(template.insert(new Voucher(null, null, "Ada")).block())
					.isEqualTo(new Voucher(1L, "00000001", "Ada"));
				assertThatExceptionOfType(ConstraintViolationException.class)
					.isThrownBy(() -> template.insert(new Voucher(null, null, "")).block())
					.withMessageContaining("customer");
			});
	}

	private static <T> T validated(T entity) {
		try (ValidatorFactory factory = Validation.buildDefaultValidatorFactory()) {
			Set<ConstraintViolation<T>> violations = factory.getValidator().validate(entity);
			if (!violations.isEmpty()) {
				throw new ConstraintViolationException(violations);
			}
			return entity;
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class ValidationConfiguration {

		@Bean
		BeforeConvertCallback<Voucher> validation() {
			return ValidatedEntitiesTests::validated;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReactiveValidationConfiguration {

		@Bean
		org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback<Voucher> validation() {
			return (voucher, table) -> Mono.fromSupplier(() -> validated(voucher));
		}

	}

	@Table("VOUCHER")
	record Voucher(@org.springframework.data.annotation.Id @GeneratedId @NotNull Long id,
			@GeneratedId("codes") @NotBlank @Size(min = 8) String code, @NotBlank String customer) {

		static final String CREATE_TABLE = "create table VOUCHER (ID bigint primary key, CODE varchar(8) not null unique,"
				+ " CUSTOMER varchar(20))";

	}

	@Entity(name = "Coupon")
	static class Coupon {

		@Id
		@GeneratedId
		@NotNull
		@Positive
		private Long id;

		@GeneratedId("codes")
		@NotBlank
		@Size(min = 8)
		@Column(unique = true)
		private String code;

		@NotBlank
		private String customer;

		@Embedded
		@Valid
		@NotNull
		private Slip slip = new Slip();

		protected Coupon() {
		}

		Coupon(String customer) {
			this.customer = customer;
		}

	}

	@Embeddable
	static class Slip {

		@GeneratedId("codes")
		@NotBlank
		private String number;

		@UuidGenerator
		@NotNull
		private UUID token;

	}

	@Entity(name = "ByGetter")
	static class ByGetter {

		private Long id;

		private String code;

		@Id
		@GeneratedId
		public Long getId() {
			return this.id;
		}

		public void setId(Long id) {
			this.id = id;
		}

		@GeneratedId("codes")
		@NotNull
		public String getCode() {
			return this.code;
		}

		public void setCode(String code) {
			this.code = code;
		}

	}

}
