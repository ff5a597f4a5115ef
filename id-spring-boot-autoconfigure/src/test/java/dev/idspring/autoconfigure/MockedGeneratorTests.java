package dev.idspring.autoconfigure;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.mockito.BDDMockito;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that bean overrides of Spring Test work for generators: each override replaces
 * one generator and does not affect the others. Each context is closed after its test,
 * because open contexts in a JVM share the memory store.
 */
class MockedGeneratorTests {

	@DirtiesContext
	@SpringBootTest(classes = Application.class, properties = { "ids.store=memory", "ids.key-space=mocked",
			"ids.generators.orders.key-space=mocked-orders", "ids.generators.tickets.key-space=mocked-tickets" })
	abstract static class AbstractOverrideTests {

		@Autowired
		Shop shop;

		/**
		 * Assert which generators are mocks. The name of a mock is {@code null}.
		 */
		void assertMocked(boolean ids, boolean orders, boolean tickets) {
			assertThat(this.shop.ids.name() == null).isEqualTo(ids);
			assertThat(this.shop.ordersIdGenerator.name() == null).isEqualTo(orders);
			assertThat(this.shop.tickets.name() == null).isEqualTo(tickets);
		}

	}

	@Nested
	class DefaultByType extends AbstractOverrideTests {

		@MockitoBean
		IdGenerator ids;

		@Test
		void isReplaced() {
			BDDMockito.given(this.ids.nextLong()).willReturn(42L);
			assertThat(this.shop.ids.nextLong()).isEqualTo(42);
			assertMocked(true, false, false);
		}

	}

	@Nested
	class NamedByQualifier extends AbstractOverrideTests {

		@MockitoBean
		@Qualifier("tickets")
		IdGenerator mock;

		@Test
		void isReplaced() {
			assertMocked(false, false, true);
		}

	}

	@Nested
	class TwoNamed extends AbstractOverrideTests {

		@MockitoBean
		@Qualifier("tickets")
		IdGenerator tickets;

		@MockitoBean("ordersIdGenerator")
		IdGenerator orders;

		@Test
		void areFoundByTheirNames(@Autowired IdGenerators ids) {
			assertThat(ids.get("tickets")).isSameAs(this.tickets);
			assertThat(ids.get("orders")).isSameAs(this.orders);
			assertThat(ids.get("default").name()).isEqualTo("default");
		}

	}

	@Nested
	class NamedByBeanName extends AbstractOverrideTests {

		@MockitoBean("ordersIdGenerator")
		IdGenerator mock;

		@Test
		void isReplaced() {
			assertMocked(false, true, false);
		}

	}

	@Nested
	class SpyOfTheDefault extends AbstractOverrideTests {

		@MockitoSpyBean
		IdGenerator spy;

		@Test
		void recordsCallsToTheGenerator() {
			long id = this.shop.ids.nextLong();
			assertThat(id).isNotNegative();
			BDDMockito.then(this.spy).should().nextLong();
			assertMocked(false, false, false);
		}

	}

	@Nested
	@DirtiesContext
	@SpringBootTest(classes = { Application.class, MisleadingConsumer.class },
			properties = { "ids.store=memory", "ids.key-space=mocked", "ids.generators.orders.key-space=mocked-orders",
					"ids.generators.tickets.key-space=mocked-tickets" })
	class MockBehindAMisleadingParameterName {

		@MockitoBean
		IdGenerator ids;

		@Autowired
		MisleadingConsumer misleading;

		@Test
		void isInjected() {
			assertThat(this.misleading.orders).isSameAs(this.ids);
		}

	}

	record Shop(IdGenerator ids, IdGenerator ordersIdGenerator, @Qualifier("tickets") IdGenerator tickets) {

	}

	/**
	 * Gets the default generator, although its parameter has the name of another one.
	 * Unless the default generator is a mock, startup fails.
	 */
	record MisleadingConsumer(IdGenerator orders) {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(IdsAutoConfiguration.class)
	@Import(Shop.class)
	static class Application {

	}

}
