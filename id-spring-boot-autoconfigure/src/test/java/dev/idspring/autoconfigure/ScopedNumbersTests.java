package dev.idspring.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdScopeResolver;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.autoconfigure.persistence.IdsHibernateAutoConfiguration;
import dev.idspring.scope.ScopedKey;
import dev.idspring.scope.Invoice;
import dev.idspring.testsupport.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Configuration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the generators of scoped numbers that the auto-configuration creates.
 */
@ExtendWith(OutputCaptureExtension.class)
class ScopedNumbersTests {

	private final TestDatabase database = TestDatabase.h2();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
				IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=" + this.database.url(), "spring.datasource.username=sa",
				"ids.jdbc.initialize-schema=always", "ids.generators.invoices.strategy=gapless",
				"ids.generators.invoices.scoped=true", "ids.generators.invoices.period=year",
				"ids.generators.invoices.text.pattern=INV-{scope}-{yyyy}-{n:5}");

	private static <T> T inTransaction(ApplicationContext context, Supplier<T> work) {
		return context.getBean(TransactionTemplate.class).execute((status) -> work.get());
	}

	@Test
	void scopedGeneratorIsABeanOfItsOwnTypeFoundByName() {
		this.runner
			.withPropertyValues("ids.generators.credit-notes.strategy=gapless",
					"ids.generators.credit-notes.scoped=true", "ids.generators.plain.strategy=gapless")
			.withUserConfiguration(Invoices.class)
			.run((context) -> {
				ScopedIdGenerator invoices = context.getBean("invoicesIdGenerator", ScopedIdGenerator.class);
				assertThat(context.getBean(Invoices.class).ids).isSameAs(invoices);
				IdGenerators generators = context.getBean(IdGenerators.class);
				assertThat(generators.scoped("invoices")).isSameAs(invoices);
				assertThat(generators.scoped("creditNotes").name()).isEqualTo("credit-notes");
				assertThat(generators.names()).containsExactly("default", "plain");
				assertThatIllegalArgumentException().isThrownBy(() -> generators.get("invoices"))
					.withMessageContaining("call scoped(\"invoices\").in(...)");
				assertThatIllegalArgumentException().isThrownBy(() -> generators.scoped("plain"))
					.withMessageContaining("call get(\"plain\")");
				assertThatIllegalArgumentException().isThrownBy(() -> generators.scoped("other"))
					.withMessageContaining("known: invoices, credit-notes");
				LocalDate day = LocalDate.of(2026, 5, 4);
				assertThat(inTransaction(context, () -> invoices.in("acme").at(day).nextString()))
					.isEqualTo("INV-acme-2026-00001");
				assertThat(inTransaction(context, () -> generators.scoped("credit-notes").in("acme").nextString()))
					.isEqualTo("1");
			});
	}

	@Test
	void usesTheScopeOfTheResolverAndFailsIfThereIsNone() {
		this.runner.run((context) -> {
			ScopedIdGenerator invoices = context.getBean(ScopedIdGenerator.class);
			assertThatExceptionOfType(IdGenerationException.class)
				.isThrownBy(() -> inTransaction(context, () -> invoices.in().nextLong()))
				.withMessageContaining("'invoices' was used without a scope")
				.withMessageContaining("declare an IdScopeResolver bean");
		});
		ThreadLocal<String> tenant = new ThreadLocal<>();
		this.runner
			.withBean(IdScopeResolver.class, () -> (generator) -> (tenant.get() != null) ? List.of(tenant.get()) : null)
			.run((context) -> {
				ScopedIdGenerator invoices = context.getBean(ScopedIdGenerator.class);
				tenant.set("acme");
				assertThat(inTransaction(context, () -> invoices.in().nextLong())).isEqualTo(1);
				assertThat(inTransaction(context, () -> invoices.in("acme").nextLong())).isEqualTo(2);
				tenant.set("globex");
				assertThat(inTransaction(context, () -> invoices.in().nextLong())).isEqualTo(1);
				tenant.remove();
				assertThatExceptionOfType(IdGenerationException.class)
					.isThrownBy(() -> inTransaction(context, () -> invoices.in().nextLong()))
					.withMessageContaining("the IdScopeResolver returned no scope");
			});
	}

	@Test
	void sessionsInTenantSchemasUseTheTableInTheSchemaThatThePrefixNames() {
		this.database.execute("create schema t1", "create schema t2");
		ThreadLocal<String> tenant = new ThreadLocal<>();
		ApplicationContextRunner tenantRunner = this.runner.withBean(IdScopeResolver.class,
				() -> (generator) -> List.of(tenant.get()));
		Function<ApplicationContext, Long> draw = (context) -> inTransaction(context, () -> {
			DataSource dataSource = context.getBean(DataSource.class);
			Connection connection = DataSourceUtils.getConnection(dataSource);
			try {
				connection.setSchema(tenant.get());
				return context.getBean(ScopedIdGenerator.class).in().nextLong();
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		});
		tenantRunner.run((context) -> {
			tenant.set("T1");
			assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> draw.apply(context))
				.withMessageContaining("ids_gapless is in schema PUBLIC, but this session is in T1.")
				.withMessageContaining("Set ids.jdbc.table-prefix=PUBLIC.ids_.");
		});
		tenantRunner.withPropertyValues("ids.jdbc.table-prefix=PUBLIC.ids_").run((context) -> {
			for (String schema : List.of("T1", "T2")) {
				tenant.set(schema);
				assertThat(draw.apply(context)).isEqualTo(1);
				assertThat(draw.apply(context)).isEqualTo(2);
			}
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"ids.generators.invoices.text.pattern={n} | ids.generators.invoices.text.pattern is '{n}' but lacks {yyyy}: numbers restart in each period, so different numbers would have the same text. Add {yyyy}, or choose a longer ids.generators.invoices.period",
			"ids.generators.invoices.text.pattern={scope}{n}{yyyy} | side by side",
			"ids.generators.invoices.text.alphabet=base32 | ids.generators.invoices.text.alphabet is base32 but cannot be set: scoped numbers have decimal digits",
			"ids.generators.invoices.zone=Mars | ids.generators.invoices.zone is 'Mars', which is not a time zone",
			"ids.generators.invoices.period=week | Use one of none, year, month, day",
			"ids.generators.invoices.max-scopes=0 | ids.generators.invoices.max-scopes is 0 but must be",
			"ids.generators.invoices.gapless.end=0 | ids.generators.invoices.gapless.end is 0 but must be",
			"ids.generators.invoices.strategy=sequential | the strategy of id generator 'invoices' is sequential",
			"ids.generators.invoices.scoped=false | have no scopes",
			"ids.scoped=true | ids.scoped has no effect: the default generator cannot have scopes" })
	void invalidSettingsAreReportedByName(String property, String problem) {
		this.runner.withPropertyValues(property).run((context) -> {
			FailureAnalysis analysis = new IdSetupFailureAnalyzer(new StandardEnvironment())
				.analyze(context.getStartupFailure());
			assertThat(analysis.getDescription() + " " + analysis.getAction()).contains(problem);
		});
	}

	@Test
	void inheritsTheCheckCharacterButNotTheAlphabet() {
		this.runner.withPropertyValues("ids.strategy=sequential", "ids.text.alphabet=base32", "ids.text.check=true")
			.run((context) -> assertThat(inTransaction(context,
					() -> context.getBean(ScopedIdGenerator.class)
						.in("acme")
						.at(LocalDate.of(2026, 1, 1))
						.nextString()))
				.startsWith("INV-acme-2026-00001")
				.hasSize(20));
	}

	@Test
	void changedPatternMakesStartupFailButChangedZoneDoesNot() {
		this.runner.run((context) -> assertThat(context).hasNotFailed());
		this.runner.withPropertyValues("ids.generators.invoices.zone=Europe/Berlin")
			.run((context) -> assertThat(context).hasNotFailed());
		this.runner.withPropertyValues("ids.generators.invoices.text.pattern={scope}-{yyyy}-{n}")
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(KeySpaceMismatchException.class)
				.hasStackTraceContaining(
						"created with text.pattern=INV-{scope}-{yyyy}-{n:5}, but the configuration has text.pattern={scope}-{yyyy}-{n}."));
	}

	@Test
	void columnToVerifyIsRejected() {
		this.runner.withPropertyValues("ids.generators.invoices.verify-column=invoice.number")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("ids.generators.invoices.verify-column has no effect: each scope"));
	}

	@Test
	void logsAPatternWithoutTheScopeAtStartup(CapturedOutput output) {
		this.runner.run((context) -> assertThat(output)
			.contains("Id generator 'invoices' (gapless) formats the numbers of scopes as INV-{scope}-{yyyy}-{n:5}")
			.doesNotContain("unique only within its scope"));
		this.runner.withPropertyValues("ids.generators.notes.strategy=gapless", "ids.generators.notes.scoped=true")
			.run((context) -> assertThat(output)
				.contains("a string is unique only within its scope: ids.generators.notes.text.pattern leaves out the"
						+ " scope"));
	}

	@Test
	void scopedGeneratorIsNotInjectedAsAPlainGenerator(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> new SpringApplicationBuilder(WithPlainGenerator.class).web(WebApplicationType.NONE)
				.run("--spring.datasource.url=" + this.database.url(), "--ids.jdbc.initialize-schema=always",
						"--ids.generators.invoices.strategy=gapless", "--ids.generators.invoices.scoped=true"));
		assertThat(output).contains("the numbers of id generator 'invoices' have scopes")
			.contains("@Qualifier(\"invoices\") ScopedIdGenerator");
	}

	@Test
	void entityGetsANumberInTheScopeOfTheResolver() {
		ThreadLocal<String> tenant = new ThreadLocal<>();
		jpa(Invoice.class).withBean(IdScopeResolver.class, () -> (generator) -> List.of(tenant.get()))
			.run((context) -> {
				tenant.set("acme");
				assertThat(persist(context, new Invoice()).number).endsWith("-00001").startsWith("INV-acme-");
				assertThat(persist(context, new Invoice()).number).endsWith("-00002");
				tenant.set("globex");
				assertThat(persist(context, new Invoice()).number).endsWith("-00001").startsWith("INV-globex-");
			});
	}

	@Test
	void scopedNumberAsPrimaryKeyIsRejected() {
		jpa(ScopedKey.class).run((context) -> assertThat(context).getFailure()
			.hasStackTraceContaining("ScopedKey.id is a primary key and annotated with @GeneratedId(\"invoices\")")
			.hasStackTraceContaining("rows of two scopes would have the same key"));
	}

	private ApplicationContextRunner jpa(Class<?> entity) {
		return this.runner
			.withConfiguration(
					AutoConfigurations.of(HibernateJpaAutoConfiguration.class, IdsHibernateAutoConfiguration.class))
			.withPropertyValues("spring.jpa.hibernate.ddl-auto=create-drop")
			.withBean(PersistenceManagedTypes.class, () -> PersistenceManagedTypes.of(entity.getName()));
	}

	private static <T> T persist(ApplicationContext context, T entity) {
		context.getBean(TransactionTemplate.class)
			.executeWithoutResult((status) -> EntityManagerFactoryUtils
				.getTransactionalEntityManager(context.getBean(EntityManagerFactory.class))
				.persist(entity));
		return entity;
	}

	static final class Invoices {

		private final ScopedIdGenerator ids;

		Invoices(@Qualifier("invoices") ScopedIdGenerator ids) {
			this.ids = ids;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
			IdsAutoConfiguration.class })
	static final class WithPlainGenerator {

		WithPlainGenerator(@Qualifier("invoices") IdGenerator ids) {
		}

	}

}
