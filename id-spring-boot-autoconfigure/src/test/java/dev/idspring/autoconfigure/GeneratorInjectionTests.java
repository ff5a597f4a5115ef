package dev.idspring.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ContextAnnotationAutowireCandidateResolver;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link GeneratorInjection}: which generator an injection point gets, and
 * which injection points make startup fail.
 */
@ExtendWith(OutputCaptureExtension.class)
class GeneratorInjectionTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
		.withPropertyValues("ids.store=memory", "ids.generators.orders.block.size=10",
				"ids.generators.product-codes.block.size=10", "ids.generators.tax.block.size=10");

	@ParameterizedTest
	@ValueSource(classes = { UnnamedParameter.class, NameWithoutGenerator.class, ShortNameOneLetterOff.class,
			OptionalGenerator.class, QualifiedDefault.class })
	void injectsTheDefaultGeneratorIfNoOtherIsSelected(Class<? extends Consumer> consumer) {
		assertThat(injectedName(consumer)).isEqualTo("default");
	}

	@ParameterizedTest
	@ValueSource(classes = { BeanNameAsParameter.class, BeanNameAsField.class, BeanNameAsLazyParameter.class,
			BeanNameAsProvider.class, QualifiedOrders.class })
	void beanNameOrQualifierSelectsANamedGenerator(Class<? extends Consumer> consumer) {
		assertThat(injectedName(consumer)).isEqualTo("orders");
	}

	@Test
	void logsABeanNameWithoutAGenerator(CapturedOutput output) {
		assertThat(injectedName(NameWithoutGenerator.class)).isEqualTo("default");
		assertThat(output).doesNotContain("gets the default id generator");
		assertThat(injectedName(BeanNameWithoutGenerator.class)).isEqualTo("default");
		assertThat(output).containsOnlyOnce("'archiveIdGenerator' of " + BeanNameWithoutGenerator.class.getName()
				+ " gets the default id generator: there is no generator 'archive' under ids.generators");
	}

	private String injectedName(Class<? extends Consumer> consumer) {
		String[] names = new String[1];
		this.contextRunner.withUserConfiguration(consumer).run((context) -> {
			assertThat(context).hasNotFailed();
			names[0] = context.getBean(consumer).generator().name();
		});
		return names[0];
	}

	@ParameterizedTest
	@ValueSource(classes = { GeneratorNameAsParameter.class, NameEndingInIds.class, NameInSnakeCase.class,
			MisspelledBeanName.class, OtherSpellingOfGeneratorName.class, GeneratorNameAsField.class })
	void parameterOrFieldNamedLikeAGeneratorMakesStartupFail(Class<?> consumer) {
		this.contextRunner.withUserConfiguration(consumer).run((context) -> {
			assertThat(context).hasFailed();
			assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> {
				throw rootCause(context.getStartupFailure());
			})
				.withMessageContaining(consumer.getName())
				.withMessageContaining("is named like the id generator '")
				.withMessageMatching("(?s).*Write @Qualifier\\(\"(orders|product-codes)\"\\) IdGenerator .*");
		});
	}

	@Test
	void remedyNamesTheQualifierOfABeanThatReplacesTheGenerator() {
		this.contextRunner.withBean("ordersIdGenerator", IdGenerator.class, () -> mock(IdGenerator.class))
			.withUserConfiguration(GeneratorNameAsParameter.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("Write @Qualifier(\"ordersIdGenerator\") IdGenerator orders, or name it"));
	}

	@ParameterizedTest
	@ValueSource(classes = { UnnamedParameter.class, BeanNameAsParameter.class, BeanNameAsMethodParameter.class })
	void parameterWithoutANameInTheClassFileMakesStartupFail(Class<?> consumer) {
		withoutParameterNames(this.contextRunner).withUserConfiguration(consumer)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining(consumer.getName())
				.hasMessageContaining("Compile the class with the option -parameters, or write @Qualifier")
				.hasMessageContaining("one of default, orders, "));
	}

	@Test
	void parameterWithoutANameInTheClassFileIsAcceptedIfItsNameDoesNotMatter() {
		withoutParameterNames(this.contextRunner)
			.withUserConfiguration(QualifiedOrders.class, GeneratorCollections.class)
			.run((context) -> assertThat(context.getBean(QualifiedOrders.class).generator().name())
				.isEqualTo("orders"));
		withoutParameterNames(new ApplicationContextRunner())
			.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
			.withPropertyValues("ids.store=memory")
			.withUserConfiguration(BeanNameAsParameter.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void setterThatIsAutowiredByTypeGetsTheDefaultGenerator() {
		this.contextRunner.run((context) -> {
			ByType bean = new ByType();
			context.getAutowireCapableBeanFactory()
				.autowireBeanProperties(bean, AutowireCapableBeanFactory.AUTOWIRE_BY_TYPE, false);
			assertThat(bean.generator.name()).isEqualTo("default");
		});
	}

	private static ApplicationContextRunner withoutParameterNames(ApplicationContextRunner runner) {
		return runner.withInitializer(
				(context) -> ((DefaultListableBeanFactory) context.getBeanFactory()).setParameterNameDiscoverer(null));
	}

	@Test
	void childContextHasTheSameInjectionRules() {
		this.contextRunner.run((parent) -> {
			ApplicationContextRunner child = this.contextRunner.withParent(parent);
			child.withUserConfiguration(BeanNameAsParameter.class, UnnamedParameter.class).run((context) -> {
				assertThat(context.getBean(BeanNameAsParameter.class).generator())
					.isSameAs(context.getBean("ordersIdGenerator"));
				assertThat(context.getBean(UnnamedParameter.class).generator()).isSameAs(parent.getBean("idGenerator"));
			});
			child.withUserConfiguration(NameEndingInIds.class)
				.run((context) -> assertThat(context).hasFailed()
					.getFailure()
					.rootCause()
					.hasMessageContaining("'orderIds' of " + NameEndingInIds.class.getName()
							+ " is named like the id generator 'orders'"));
		});
	}

	@Test
	void childContextProvidesItsOwnGeneratorsAndThoseOfItsParent() {
		this.contextRunner.run((parent) -> this.contextRunner.withParent(parent)
			.withPropertyValues("ids.generators.invoices.strategy=sequential")
			.run((context) -> {
				IdGenerators generators = context.getBean(IdGenerators.class);
				assertThat(generators.get("invoices")).isSameAs(context.getBean("invoicesIdGenerator"));
				assertThat(generators.get("orders")).isSameAs(context.getBean("ordersIdGenerator"));
				assertThat(generators.get("default")).isSameAs(parent.getBean("idGenerator"));
				assertThat(parent.getBean(IdGenerators.class).names()).doesNotContain("invoices");
			}));
	}

	private static Throwable rootCause(Throwable failure) {
		return (failure.getCause() != null) ? rootCause(failure.getCause()) : failure;
	}

	@Test
	void checksTheNameOfAProviderOnUse() {
		this.contextRunner.withUserConfiguration(GeneratorNameAsProvider.class)
			.run((context) -> assertThatExceptionOfType(IdSetupException.class)
				.isThrownBy(() -> context.getBean(GeneratorNameAsProvider.class).generator()));
	}

	@Test
	void collectionsContainAllGeneratorsUnderAnyName() {
		this.contextRunner.withUserConfiguration(GeneratorCollections.class)
			.run((context) -> assertThat(context.getBean(GeneratorCollections.class).sizes).containsExactly(4, 4, 4));
	}

	@Test
	void primaryBeanOfTheApplicationIsInjectedUnderAnyName() {
		this.contextRunner.withUserConfiguration(PrimaryGenerator.class, GeneratorNameAsParameter.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(GeneratorNameAsParameter.class).generator())
					.isSameAs(context.getBean("tickets"));
			});
	}

	@Test
	void copyOfTheBeanFactoryHasTheSameInjectionRules() {
		this.contextRunner.run((context) -> {
			DefaultListableBeanFactory child = new DefaultListableBeanFactory(context);
			child.copyConfigurationFrom(context.getBeanFactory());
			assertThat(child.getAutowireCandidateResolver()).isInstanceOf(GeneratorInjection.class);
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { BeanNameAsParameter.class, BeanNameAsField.class, BeanNameAsMethodParameter.class })
	void logsABeanNameIfThereIsOnlyTheDefaultGenerator(Class<? extends Consumer> consumer, CapturedOutput output) {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
			.withPropertyValues("ids.store=memory")
			.withUserConfiguration(consumer)
			.run((context) -> {
				assertThat(context.getBean(consumer).generator().name()).isEqualTo("default");
				assertThat(output).containsOnlyOnce("'ordersIdGenerator' of " + consumer.getName()
						+ " gets the default id generator: there is no generator 'orders' under ids.generators");
				assertThat(((DefaultListableBeanFactory) context.getBeanFactory()).getAutowireCandidateResolver())
					.as("resolver of an application without named generators")
					.isInstanceOf(ContextAnnotationAutowireCandidateResolver.class);
			});
	}

	interface Consumer {

		IdGenerator generator();

	}

	record UnnamedParameter(IdGenerator generator) implements Consumer {

	}

	record NameWithoutGenerator(IdGenerator generator, IdGenerator invoices) implements Consumer {

	}

	record BeanNameWithoutGenerator(IdGenerator generator, IdGenerator archiveIdGenerator) implements Consumer {

	}

	record ShortNameOneLetterOff(IdGenerator generator, IdGenerator taxi) implements Consumer {

	}

	record QualifiedDefault(@Qualifier("default") IdGenerator orders) implements Consumer {

		@Override
		public IdGenerator generator() {
			return this.orders;
		}

	}

	record OptionalGenerator(java.util.Optional<IdGenerator> ids) implements Consumer {

		@Override
		public IdGenerator generator() {
			return this.ids.orElseThrow();
		}

	}

	record BeanNameAsParameter(IdGenerator ordersIdGenerator) implements Consumer {

		@Override
		public IdGenerator generator() {
			return this.ordersIdGenerator;
		}

	}

	static class BeanNameAsField implements Consumer {

		@Autowired
		private IdGenerator ordersIdGenerator;

		@Override
		public IdGenerator generator() {
			return this.ordersIdGenerator;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BeanNameAsMethodParameter implements Consumer {

		private IdGenerator generator;

		@Bean
		Object user(IdGenerator ordersIdGenerator, BeanNameAsMethodParameter owner) {
			owner.generator = ordersIdGenerator;
			return new Object();
		}

		@Override
		public IdGenerator generator() {
			return this.generator;
		}

	}

	static class ByType {

		private IdGenerator generator;

		public void setGenerator(IdGenerator generator) {
			this.generator = generator;
		}

	}

	static class BeanNameAsLazyParameter implements Consumer {

		private final IdGenerator generator;

		BeanNameAsLazyParameter(@Lazy IdGenerator ordersIdGenerator) {
			this.generator = ordersIdGenerator;
		}

		@Override
		public IdGenerator generator() {
			return this.generator;
		}

	}

	static class BeanNameAsProvider implements Consumer {

		private final ObjectProvider<IdGenerator> provider;

		BeanNameAsProvider(ObjectProvider<IdGenerator> ordersIdGenerator) {
			this.provider = ordersIdGenerator;
		}

		@Override
		public IdGenerator generator() {
			return this.provider.getObject();
		}

	}

	record QualifiedOrders(@Qualifier("orders") IdGenerator generator) implements Consumer {

	}

	record GeneratorNameAsParameter(IdGenerator orders) implements Consumer {

		@Override
		public IdGenerator generator() {
			return this.orders;
		}

	}

	record NameEndingInIds(IdGenerator orderIds) {

	}

	record NameInSnakeCase(IdGenerator order_ids) {

	}

	record MisspelledBeanName(IdGenerator orderIdGenerator) {

	}

	record OtherSpellingOfGeneratorName(IdGenerator productCodes) {

	}

	static class GeneratorNameAsField {

		@Autowired
		private IdGenerator orders;

	}

	static class GeneratorNameAsProvider {

		private final ObjectProvider<IdGenerator> provider;

		GeneratorNameAsProvider(ObjectProvider<IdGenerator> orders) {
			this.provider = orders;
		}

		IdGenerator generator() {
			return this.provider.getObject();
		}

	}

	static class GeneratorCollections {

		private final List<Integer> sizes;

		GeneratorCollections(List<IdGenerator> ordersIdGenerator, Map<String, IdGenerator> orders,
				IdGenerator[] order) {
			this.sizes = List.of(ordersIdGenerator.size(), orders.size(), order.length);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryGenerator {

		@Bean
		@Primary
		IdGenerator tickets(IdGeneratorFactory factory) {
			return factory.create("tickets");
		}

	}

}
