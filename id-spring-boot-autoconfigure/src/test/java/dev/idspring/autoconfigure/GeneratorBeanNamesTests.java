package dev.idspring.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.ScopedIdGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.BDDMockito;
import org.mockito.Mockito;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.beans.factory.xml.XmlBeanDefinitionReader;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ClassPathBeanDefinitionScanner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.type.filter.AssignableTypeFilter;
import org.springframework.util.AlternativeJdkIdGenerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests applications that define beans with the same names as generator beans.
 */
@ExtendWith(OutputCaptureExtension.class)
class GeneratorBeanNamesTests {

	private static final String DEFAULT_BEAN = "idGenerator";

	private static final String ORDERS_BEAN = "ordersIdGenerator";

	/**
	 * The ways to define a bean, each with a part of the error message.
	 */
	private static final Map<String, BiConsumer<GenericApplicationContext, String>> DEFINITIONS = Map.of(
			"defined by method '%s' in ",
			(context, name) -> register(context, name.equals(DEFAULT_BEAN) ? DefaultMethod.class : OrdersMethod.class),
			"defined by method '%ss' in ",
			(context, name) -> register(context, name.equals(DEFAULT_BEAN) ? DefaultAlias.class : OrdersAlias.class),
			"defined in file [", GeneratorBeanNamesTests::scan, "defined in Byte array resource [",
			GeneratorBeanNamesTests::readXml, "defined programmatically",
			(context, name) -> context.registerBean(name, SpringGenerator.class),
			"registered programmatically as a singleton",
			(context, name) -> context.getBeanFactory().registerSingleton(name, new SpringGenerator()));

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
		.withPropertyValues("ids.store=memory", "ids.generators.orders.coprime.length=8");

	@ParameterizedTest
	@CsvSource({ "idGenerator, default, false", "idGenerator, default, true", "ordersIdGenerator, orders, false",
			"ordersIdGenerator, orders, true" })
	void beanOfAnotherTypeMakesStartupFailAndItsOriginIsReported(String bean, String generator,
			boolean allowOverriding) {
		DEFINITIONS.forEach((origin, definition) -> this.contextRunner
			.withAllowBeanDefinitionOverriding(allowOverriding)
			.withInitializer((context) -> definition.accept((GenericApplicationContext) context, bean))
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.as(origin)
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("The bean '" + bean + "', " + String.format(origin, bean))
				.hasMessageContaining("has the name of the bean of id generator '" + generator + "', but its type is "
						+ SpringGenerator.class.getName() + " and not dev.idspring.IdGenerator.")
				.hasMessageContaining("Rename the bean")));
	}

	@ParameterizedTest
	@ValueSource(strings = { DEFAULT_BEAN, ORDERS_BEAN })
	void beanThatReplacesAGeneratorLaterMustBeAGenerator(String bean) {
		ApplicationContextRunner runner = this.contextRunner.withAllowBeanDefinitionOverriding(true);
		runner.withBean(LaterDefinition.class, bean, SpringGenerator.class)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("'" + bean + "', defined in later"));
		runner.withBean(LaterDefinition.class, bean, IdGenerator.class)
			.run((context) -> assertThat(context.getBean(bean, IdGenerator.class).name()).isEqualTo("later"));
	}

	@Test
	void replacementOfAScopedGeneratorMustBeScoped() {
		ApplicationContextRunner runner = this.contextRunner.withPropertyValues("ids.generators.bills.strategy=gapless",
				"ids.generators.bills.scoped=true");
		runner.withBean("billsIdGenerator", IdGenerator.class, () -> generator("own"))
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasMessageContaining("and not dev.idspring.ScopedIdGenerator."));
		runner.withBean("billsIdGenerator", ScopedIdGenerator.class, () -> Mockito.mock())
			.run((context) -> assertThat(context).hasNotFailed());
		this.contextRunner.withBean(ORDERS_BEAN, ScopedIdGenerator.class, () -> Mockito.mock())
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasMessageContaining("its type is dev.idspring.ScopedIdGenerator and not dev.idspring.IdGenerator."));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void generatorOfTheApplicationReplacesTheOneWithTheSameBeanName(boolean allowOverriding) {
		ApplicationContextRunner runner = this.contextRunner.withAllowBeanDefinitionOverriding(allowOverriding);
		runner.withUserConfiguration(OwnGenerators.class).run((context) -> {
			assertThat(context.getBean(DEFAULT_BEAN, IdGenerator.class).name()).isEqualTo("own");
			assertThat(context.getBean(ORDERS_BEAN, IdGenerator.class).name()).isEqualTo("own-orders");
			assertThat(context.getBean(IdGenerators.class).names()).containsExactlyInAnyOrder("own", "own-orders");
		});
	}

	@Test
	void replacementOfANamedGeneratorDoesNotReplaceTheDefaultOne() {
		this.contextRunner.withBean(ORDERS_BEAN, IdGenerator.class, () -> generator("own"))
			.withUserConfiguration(Draws.class)
			.run((context) -> {
				assertThat(context.getBean("draws")).isEqualTo(List.of("default", "own"));
				assertThat(context.getBean(IdGenerators.class).names()).containsExactlyInAnyOrder("default", "own");
			});
	}

	@Test
	void primaryReplacementOfANamedGeneratorAlsoReplacesTheDefaultOne() {
		this.contextRunner
			.withBean(ORDERS_BEAN, IdGenerator.class, () -> generator("own"),
					(definition) -> definition.setPrimary(true))
			.withUserConfiguration(Draws.class)
			.run((context) -> assertThat(context.getBean("draws")).isEqualTo(List.of("own", "own")));
	}

	@Test
	void scopedGeneratorsWithTheSameNameAreRejected() {
		ScopedIdGenerator generator = Mockito.mock();
		BDDMockito.given(generator.name()).willReturn("bills");
		this.contextRunner.withBean("one", ScopedIdGenerator.class, () -> generator)
			.withBean("other", ScopedIdGenerator.class, () -> generator)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("There are two id generators named 'bills'."));
	}

	@Test
	void scopedProxyOfAGeneratorIsListedOnce() {
		this.contextRunner.withUserConfiguration(ProxiedGenerator.class)
			.run((context) -> assertThat(context.getBean(IdGenerators.class).names()).containsExactlyInAnyOrder("mine",
					"orders"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "orderItems", "order_items" })
	void beanOfAnotherTypeIsReportedWithValidNamesOfProperties(String generator) {
		this.contextRunner.withBean("orderItemsIdGenerator", SpringGenerator.class)
			.withPropertyValues("ids.generators." + generator + ".strategy=sequential")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(IdSetupException.class,
						(ex) -> assertThat(ex.getProperties()).isNotEmpty().allSatisfy(ConfigurationPropertyName::of)));
	}

	@Test
	void defaultBeanNameIsAvailableWhenTheApplicationHasItsOwnGenerator() {
		this.contextRunner.withUserConfiguration(DefaultMethod.class)
			.withBean("mine", IdGenerator.class, () -> generator("mine"))
			.run((context) -> {
				assertThat(context.getBean(DEFAULT_BEAN)).isInstanceOf(SpringGenerator.class);
				assertThat(context.getBean(IdGenerators.class).names()).containsExactlyInAnyOrder("mine", "orders");
			});
		this.contextRunner.withUserConfiguration(DefaultMethod.class)
			.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void beansOfParentContextsDoNotReplaceGenerators() {
		new ApplicationContextRunner().withUserConfiguration(DefaultMethod.class, OrdersMethod.class)
			.run((parent) -> this.contextRunner.withParent(parent)
				.run((context) -> assertThat(context.getBean(IdGenerators.class).names())
					.containsExactlyInAnyOrder("default", "orders")));
	}

	@Test
	void analysisContainsTheBeanItsOriginAndTheGenerator(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> new SpringApplicationBuilder(StartupFailures.Application.class, OrdersMethod.class)
				.web(WebApplicationType.NONE)
				.properties("spring.main.banner-mode=off", "ids.store=memory")
				.run("--ids.generators.orders.strategy=sequential")
				.close());
		StartupFailures.assertAnalysis(output,
				"The bean 'ordersIdGenerator', defined by method 'ordersIdGenerator' in " + OrdersMethod.class.getName()
						+ ", has the name of the bean of id generator 'orders'",
				"Rename the bean or the generator. If the bean is to replace the generator, declare it as IdGenerator.");
		assertThat(StartupFailures.description(output)).contains("Property: ids.generators.orders.strategy");
	}

	@Configuration(proxyBeanMethods = false)
	static class ProxiedGenerator {

		@Bean
		@Scope(value = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
		IdGenerator mine() {
			return generator("mine");
		}

	}

	private static IdGenerator generator(String name) {
		IdGenerator generator = Mockito.mock();
		BDDMockito.given(generator.name()).willReturn(name);
		return generator;
	}

	private static void register(GenericApplicationContext context, Class<?> configuration) {
		new AnnotatedBeanDefinitionReader(context).register(configuration);
	}

	private static void scan(GenericApplicationContext context, String name) {
		ClassPathBeanDefinitionScanner scanner = new ClassPathBeanDefinitionScanner(context, false);
		scanner.addIncludeFilter(new AssignableTypeFilter(SpringGenerator.class));
		scanner.setBeanNameGenerator((definition, registry) -> name);
		scanner.scan(GeneratorBeanNamesTests.class.getPackageName());
	}

	private static void readXml(GenericApplicationContext context, String name) {
		String xml = "<beans xmlns='http://www.springframework.org/schema/beans'><bean id='" + name + "' class='"
				+ SpringGenerator.class.getName() + "'/></beans>";
		XmlBeanDefinitionReader reader = new XmlBeanDefinitionReader(context);
		reader.setValidating(false);
		reader.setNamespaceAware(true);
		reader.loadBeanDefinitions(new ByteArrayResource(xml.getBytes(StandardCharsets.UTF_8)));
	}

	/**
	 * A generator of Spring's own type {@code IdGenerator}, which has the same simple
	 * name as the type of this starter.
	 */
	static class SpringGenerator extends AlternativeJdkIdGenerator {

	}

	@Configuration(proxyBeanMethods = false)
	static class DefaultMethod {

		@Bean
		SpringGenerator idGenerator() {
			return new SpringGenerator();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OrdersMethod {

		@Bean
		SpringGenerator ordersIdGenerator() {
			return new SpringGenerator();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DefaultAlias {

		@Bean({ "random", DEFAULT_BEAN })
		SpringGenerator idGenerators() {
			return new SpringGenerator();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OrdersAlias {

		@Bean({ "random", ORDERS_BEAN })
		SpringGenerator ordersIdGenerators() {
			return new SpringGenerator();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Draws {

		@Bean
		List<String> draws(IdGenerator ids, IdGenerator ordersIdGenerator) {
			return List.of(ids.name(), ordersIdGenerator.name());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnGenerators {

		@Bean
		IdGenerator idGenerator() {
			return generator("own");
		}

		@Bean
		IdGenerator ordersIdGenerator() {
			return generator("own-orders");
		}

	}

	/**
	 * Defines a bean after the beans of the auto-configuration were defined.
	 */
	record LaterDefinition<T>(String name, Class<T> type) implements BeanDefinitionRegistryPostProcessor {

		@Override
		public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
			RootBeanDefinition definition = new RootBeanDefinition(this.type, () -> this.type
				.cast((this.type == IdGenerator.class) ? generator("later") : new SpringGenerator()));
			definition.setResourceDescription("later");
			registry.registerBeanDefinition(this.name, definition);
		}

	}

}
