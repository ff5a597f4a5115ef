package dev.idspring.autoconfigure;

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
 * Starts applications that inject a generator which does not exist.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissingGeneratorTests {

	@Test
	void qualifierOfNoGeneratorIsAnsweredWithTheNamesThereAre(CapturedOutput output) {
		fail(Misspelt.class, "--ids.generators.orders.strategy=sequential",
				"--ids.generators.product-codes.strategy=coprime");
		IdSetupFailureTests.assertAnalysis(output,
				"needs the id generator 'ordrs', which does not exist. There are default, product-codes, orders.",
				"Correct @Qualifier(\"ordrs\"), or configure the generator under ids.generators.ordrs.");
		assertThat(IdSetupFailureTests.description(output)).contains("Parameter 0 of constructor in ").contains("Shop");
	}

	@ParameterizedTest
	@ValueSource(classes = { WithoutGenerators.class, WithoutAnyGenerators.class })
	void contextWithoutGeneratorsIsToldOfTestIds(Class<?> application, CapturedOutput output) {
		fail(application);
		IdSetupFailureTests.assertAnalysis(output, "needs an id generator, and this application context has none.",
				"annotate the class with @AutoConfigureTestIds of id-spring-boot-test.");
	}

	@Test
	void disabledGeneratorsAreNamed(CapturedOutput output) {
		fail(Unnamed.class, "--ids.enabled=false");
		IdSetupFailureTests.assertAnalysis(output, "needs an id generator, and this application context has none.",
				"Do not set ids.enabled to false");
	}

	@Test
	void otherBeansAreLeftToSpringBoot(CapturedOutput output) {
		fail(Other.class);
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("id generator");
	}

	private static void fail(Class<?> application, String... arguments) {
		assertThatException().isThrownBy(() -> new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "spring.datasource.url=" + TestDatabase.h2().url())
			.run(arguments)
			.close());
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Shop.class)
	static class Misspelt extends IdSetupFailureTests.Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(UnnamedShop.class)
	static class Unnamed extends IdSetupFailureTests.Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(UnnamedShop.class)
	static class WithoutGenerators {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Catalogue.class)
	static class WithoutAnyGenerators {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Till.class)
	static class Other {

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
