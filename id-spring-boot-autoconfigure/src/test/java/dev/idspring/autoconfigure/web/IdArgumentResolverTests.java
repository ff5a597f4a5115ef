package dev.idspring.autoconfigure.web;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

import javax.sql.DataSource;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.testsupport.TestDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.service.invoker.HttpServiceArgumentResolver;
import org.springframework.web.service.invoker.RequestParamArgumentResolver;
import org.springframework.web.service.registry.HttpServiceGroup.ClientType;
import org.springframework.web.service.registry.HttpServiceProxyRegistry;
import org.springframework.web.service.registry.ImportHttpServices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests that clients of HTTP services send ids as text, by means of
 * {@link IdArgumentResolver}.
 */
class IdArgumentResolverTests extends AbstractIdArgumentResolverTests {

	private static final String TEXT = "00000000g8";

	private static final long ID = 1_000;

	private final ApplicationContextRunner clientRunner = this.runner.withUserConfiguration(Groups.class);

	@ParameterizedTest
	@ValueSource(strings = { "rest", "web" })
	void pathVariablesAreSentAsText(String group) {
		this.clientRunner.run((context) -> {
			assertSent(context, group, (client) -> client.number(ID), "/number/" + TEXT);
			assertSent(context, group, (client) -> client.boxed(ID), "/boxed/" + TEXT);
			assertSent(context, group, (client) -> client.text(TEXT), "/text/" + TEXT);
			assertSent(context, group, (client) -> client.typed(new OrderId(ID)), "/typed/" + TEXT);
			assertSent(context, group, (client) -> client.foreign(new Foreign(ID)), "/foreign/" + TEXT);
			assertSent(context, group, (client) -> client.segment(List.of(ID, 1L)),
					"/segment/" + TEXT + "%2C0000000001");
			assertSent(context, group, (client) -> client.variables(Map.of("id", new OrderId(ID))),
					"/variables/" + TEXT);
			UUID uuid = context.getBean(IdGenerators.class).get("orders").toUuid(ID);
			assertSent(context, group, (client) -> client.uuid(uuid), "/uuid/" + TEXT);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "rest", "web" })
	void requestParametersAreSentAsText(String group) {
		this.clientRunner.run((context) -> {
			assertSent(context, group, (client) -> client.parameters(ID, new OrderId(1)),
					"/parameters?id=" + TEXT + "&order=0000000001");
			assertSent(context, group, (client) -> client.parameters(null, null), "/parameters");
			assertSent(context, group, (client) -> client.optional(Optional.of(ID), Optional.of(new OrderId(1))),
					"/optional?id=" + TEXT + "&order=0000000001");
			assertSent(context, group, (client) -> client.optional(Optional.empty(), Optional.empty()), "/optional");
			Map<String, Object> mixed = new LinkedHashMap<>();
			mixed.put("id", new OrderId(ID));
			mixed.put("page", 2);
			mixed.put("others", List.of(new OrderId(1)));
			assertSent(context, group, (client) -> client.map(mixed), "/map?id=" + TEXT + "&page=2&others=0000000001");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "rest", "web" })
	void elementsAreSentAsText(String group) {
		String textOfOne = "0000000001";
		this.clientRunner.run((context) -> {
			assertSent(context, group, (client) -> client.many(Arrays.asList(ID, null, 1L), null, null, null, null),
					"/many?list=" + TEXT + "&list=" + textOfOne);
			assertSent(context, group, (client) -> client.many(null, new long[] { ID, 1 }, null, null, null),
					"/many?array=" + TEXT + "&array=" + textOfOne);
			assertSent(context, group, (client) -> client.many(null, null, new Long[] { ID, 1L }, null, null),
					"/many?boxed=" + TEXT + "&boxed=" + textOfOne);
			assertSent(context, group,
					(client) -> client.many(null, null, null, List.of(new OrderId(ID), new OrderId(1)), null),
					"/many?orders=" + TEXT + "&orders=" + textOfOne);
			assertSent(context, group,
					(client) -> client.many(null, null, null, null, new OrderId[] { new OrderId(ID) }),
					"/many?typed=" + TEXT);
			assertSent(context, group, (client) -> client.many(List.of(), null, null, List.of(), null), "/many");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "rest", "web" })
	void headersAndCookiesAreSentAsText(String group) {
		this.clientRunner.run((context) -> {
			assertSent(context, group, (client) -> client.header(ID, List.of(new OrderId(1), new OrderId(ID)), ID),
					"/header X-Order=" + TEXT + " X-Others=0000000001," + TEXT + " Cookie=order=" + TEXT);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "rest", "web" })
	void doesNotAffectArgumentsThatAreNotIds(String group) {
		this.clientRunner.run((context) -> {
			assertSent(context, group, (client) -> client.plain(ID, LocalDate.EPOCH, 7L), "/plain/1000?day=day%200");
			assertThatIllegalArgumentException().isThrownBy(() -> client(context, group).boxed(null))
				.withMessageContaining("'id'");
		});
	}

	/**
	 * The inherited method declares its id with a type variable.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "rest", "web" })
	void inheritedMethodsSendTypedIds(String group) {
		this.clientRunner
			.run((context) -> assertSent(context, group, (client) -> client.find(new OrderId(ID)), "/find/" + TEXT));
	}

	@Test
	void doesNotSendNumbersOutsideTheKeySpace() {
		this.clientRunner.run((context) -> {
			assertThatIllegalArgumentException().isThrownBy(() -> client(context, "rest").number(-1))
				.withMessageContaining("-1 is not a key")
				.withMessageContaining("parameter 0 of " + Client.class.getName());
			assertThat(sentRequests(context)).isEmpty();
		});
	}

	/**
	 * Spring calls the application's resolvers before the default ones.
	 */
	@Test
	void customRequestParameterResolverStillSendsIdsAsText() {
		this.clientRunner.withUserConfiguration(OwnResolver.class).run((context) -> {
			assertSent(context, "rest", (client) -> client.parameters(ID, null), "/parameters?id=" + TEXT);
			assertSent(context, "rest", (client) -> client.plainList(List.of(1L, 2L)), "/plain?ids=1%2C2");
			assertThat(context.getBean(OwnResolver.class).injected).isInstanceOf(RequestParamArgumentResolver.class);
		});
	}

	@Test
	void customFactoryWithTheResolverSendsIdsAsText() {
		this.runner.withUserConfiguration(OwnFactory.class).run((context) -> {
			context.getBean(Client.class).number(ID);
			assertThat(sentRequests(context)).containsExactly("/number/" + TEXT);
		});
	}

	/**
	 * A data source may need a client, for example to fetch its password from a vault.
	 */
	@Test
	void storeOfTheGeneratorsCanDependOnAClient() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
					IdsHttpServiceAutoConfiguration.class, IdsRestClientAutoConfiguration.class,
					IdsWebClientAutoConfiguration.class))
			.withUserConfiguration(Transport.class, Groups.class, OwnDataSource.class)
			.withPropertyValues("ids.generators.orders.coprime.length=10", "ids.jdbc.initialize-schema=always")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertSent(context, "rest", (client) -> client.number(ID), "/number/" + TEXT);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.web", "org.springframework.web.reactive" })
	void webLibrariesAreOptional(String missing) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, IdsHttpServiceAutoConfiguration.class,
					IdsRestClientAutoConfiguration.class, IdsWebClientAutoConfiguration.class))
			.withPropertyValues("ids.store=memory")
			.withClassLoader(new FilteredClassLoader(missing))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("idsWebClientGroupConfigurer"));
	}

	private static void assertSent(ApplicationContext context, String group, Consumer<Client> call, String request) {
		sentRequests(context).clear();
		call.accept(client(context, group));
		assertThat(sentRequests(context)).containsExactly(request);
	}

	private static Client client(ApplicationContext context, String group) {
		return context.getBean(HttpServiceProxyRegistry.class).getClient(group, Client.class);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportHttpServices(group = "rest", types = Client.class)
	@ImportHttpServices(group = "web", types = Client.class, clientType = ClientType.WEB_CLIENT)
	static class Groups {

	}

	/**
	 * An application that sends lists in its own way and injects its own resolver.
	 */
	@Configuration(proxyBeanMethods = false)
	static class OwnResolver {

		private @Nullable HttpServiceArgumentResolver injected;

		@Bean
		RequestParamArgumentResolver listsInOneParameter() {
			RequestParamArgumentResolver resolver = new RequestParamArgumentResolver(
					new DefaultFormattingConversionService());
			resolver.setFavorSingleValue(true);
			return resolver;
		}

		@Bean
		RestClientHttpServiceGroupConfigurer ownGroups(HttpServiceArgumentResolver resolver) {
			this.injected = resolver;
			return (groups) -> groups.forEachProxyFactory((group, factory) -> factory.customArgumentResolver(resolver));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnDataSource {

		@Bean
		DataSource dataSource(HttpServiceProxyRegistry clients) {
			clients.getClient("rest", Client.class).plain(1, LocalDate.EPOCH, 1L);
			return TestDatabase.h2().pool(5);
		}

	}

}
