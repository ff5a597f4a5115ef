package dev.idspring.autoconfigure;

import org.springframework.context.annotation.Lazy;
import jakarta.annotation.Resource;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests the failure analysis of applications that request a generator that does not
 * exist, or inject one with the wrong type or name.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissingGeneratorTests {

	@Test
	void unknownQualifierIsReportedWithTheKnownNames(CapturedOutput output) {
		assertStartupFails(MisspelledQualifier.class, "--ids.generators.orders.strategy=sequential",
				"--ids.generators.product-codes.strategy=coprime");
		StartupFailures.assertAnalysis(output,
				"needs the id generator 'ordrs', which does not exist. Known generators: default, product-codes, orders.",
				"Correct @Qualifier(\"ordrs\"), or configure the generator under ids.generators.ordrs.");
		assertThat(StartupFailures.description(output)).contains("Parameter 0 of constructor in ").contains("Shop");
	}

	@ParameterizedTest
	@ValueSource(classes = { WithoutIdGenerator.class, WithoutIdGenerators.class })
	void failureOfAContextWithoutGeneratorsSuggestsAutoConfigureTestIds(Class<?> application, CapturedOutput output) {
		assertStartupFails(application);
		StartupFailures.assertAnalysis(output, "needs an id generator, and this application context has none.",
				"annotate the class with @AutoConfigureTestIds from id-spring-boot-test.");
	}

	@Test
	void disabledGeneratorsAreReported(CapturedOutput output) {
		assertStartupFails(WithUnnamedParameter.class, "--ids.enabled=false");
		StartupFailures.assertAnalysis(output, "needs an id generator, and this application context has none.",
				"remove ids.enabled or set it to true");
	}

	@Test
	void invalidValueOfEnabledIsReported(CapturedOutput output) {
		assertStartupFails(WithUnnamedParameter.class, "--ids.enabled=maybe");
		StartupFailures.assertAnalysis(output, "ids.enabled is 'maybe'.", "remove ids.enabled or set it to true");
	}

	@Test
	void unknownQualifierOfALazyParameterIsReported(CapturedOutput output) {
		assertStartupFails(MisspelledLazyQualifier.class);
		StartupFailures.assertAnalysis(output, "needs the id generator 'ordrs', which does not exist.",
				"Correct @Qualifier(\"ordrs\")");
	}

	@ParameterizedTest
	@ValueSource(classes = { SpringType.class, ConcreteType.class })
	void injectionOfAnotherTypeIsReportedWithTheTypeOfGenerators(Class<?> application, CapturedOutput output) {
		assertStartupFails(application);
		StartupFailures.assertAnalysis(output, "but id generators are beans of type dev.idspring.IdGenerator.",
				"Import dev.idspring.IdGenerator");
		assertThat(StartupFailures.description(output)).contains("Parameter 0 of constructor in ");
	}

	@Test
	void generatorNameUsedAsBeanNameIsReportedWithTheBeanName(CapturedOutput output) {
		assertStartupFails(GeneratorNameAsBeanName.class, "--ids.generators.orders.strategy=sequential");
		StartupFailures.assertAnalysis(output,
				"needs a bean 'orders', but the bean of the id generator 'orders' is 'ordersIdGenerator'.",
				"or inject @Qualifier(\"orders\") IdGenerator.");
		assertThat(StartupFailures.description(output)).containsPattern("Bean '.*ByNameShop' needs");
	}

	@Test
	void unknownNameIsReportedWithTheClassThatRequestsIt(CapturedOutput output) {
		assertStartupFails(MisspelledLookup.class);
		StartupFailures.assertAnalysis(output, "There is no id generator 'ordrs'; known: default.",
				"Correct the name, or configure the generator under ids.generators.");
		assertThat(StartupFailures.description(output))
			.contains("The generator is requested by " + LookupShop.class.getName());
	}

	@Test
	void doesNotAnalyzeOtherMissingBeans(CapturedOutput output) {
		assertStartupFails(WithoutOtherBean.class);
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("id generator");
	}

	private static void assertStartupFails(Class<?> application, String... arguments) {
		assertThatException().isThrownBy(() -> new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "spring.datasource.url=" + TestDatabase.h2().url())
			.run(arguments)
			.close());
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Shop.class)
	static class MisspelledQualifier extends StartupFailures.Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(UnnamedShop.class)
	static class WithUnnamedParameter extends StartupFailures.Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(UnnamedShop.class)
	static class WithoutIdGenerator {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Catalogue.class)
	static class WithoutIdGenerators {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Till.class)
	static class WithoutOtherBean {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(LazyShop.class)
	static class MisspelledLazyQualifier extends StartupFailures.Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(ShopWithSpringType.class)
	static class SpringType extends StartupFailures.Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(ConcreteShop.class)
	static class ConcreteType extends StartupFailures.Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(ByNameShop.class)
	static class GeneratorNameAsBeanName extends StartupFailures.Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(LookupShop.class)
	static class MisspelledLookup extends StartupFailures.Application {

	}

	static class LazyShop {

		LazyShop(@Lazy @Qualifier("ordrs") IdGenerator ids) {
			ids.nextLong();
		}

	}

	static class ShopWithSpringType {

		ShopWithSpringType(org.springframework.util.IdGenerator ids) {
		}

	}

	static class ConcreteShop {

		ConcreteShop(BlockIdGenerator ids) {
		}

	}

	static class ByNameShop {

		@Resource(name = "orders")
		IdGenerator ids;

	}

	static class LookupShop {

		LookupShop(IdGenerators ids) {
			ids.get("ordrs");
		}

	}

	static class Shop {

		Shop(@Qualifier("ordrs") IdGenerator ids) {
		}

	}

	static class UnnamedShop {

		UnnamedShop(IdGenerator ids) {
		}

	}

	static class Catalogue {

		Catalogue(IdGenerators ids) {
		}

	}

	static class Till {

		Till(@Qualifier("ordrs") Runnable drawer) {
		}

	}

}
