package dev.idspring.autoconfigure.web;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import javax.sql.DataSource;

import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.testsupport.TestDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.support.WebClientHttpServiceGroupConfigurer;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceArgumentResolver;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import org.springframework.web.service.invoker.RequestParamArgumentResolver;
import org.springframework.web.service.registry.HttpServiceGroup.ClientType;
import org.springframework.web.service.registry.HttpServiceProxyRegistry;
import org.springframework.web.service.registry.ImportHttpServices;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link IdArgumentResolver} in clients of HTTP services.
 */
class IdArgumentResolverTests {

	private static final String TEXT = "00000000g8";

	private static final long ID = 1_000;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, IdsHttpServiceAutoConfiguration.class,
				IdsRestClientAutoConfiguration.class, IdsWebClientAutoConfiguration.class))
		.withUserConfiguration(Transport.class)
		.withPropertyValues("ids.store=memory", "ids.generators.orders.coprime.length=10");

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
	 * Spring calls the application's resolvers before Spring's default ones.
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

	@Test
	void wronglyAnnotatedClientThatIsNotABeanFailsOnUse() {
		this.runner.withUserConfiguration(OwnFactory.class).run((context) -> {
			WronglyAnnotatedClient wrong = context.getBean(HttpServiceProxyFactory.class)
				.createClient(WronglyAnnotatedClient.class);
			for (Runnable call : List.<Runnable>of(() -> wrong.number(1), () -> wrong.unknown(1L), () -> wrong.body(1),
					() -> wrong.part(1))) {
				assertThatExceptionOfType(IdSetupException.class).isThrownBy(call::run)
					.withMessageContaining("parameter 0 of " + WronglyAnnotatedClient.class.getName());
			}
		});
	}

	@Test
	void startupFailsForACustomFactoryWithoutTheResolver() {
		this.runner.withUserConfiguration(FactoryWithoutResolver.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("method 'get' parameter 0 of " + FactoryWithoutResolver.Api.class.getName())
				.hasMessageContaining("customArgumentResolver"));
	}

	@ParameterizedTest
	@ValueSource(classes = { WrongNumber.class, UnknownGenerator.class, AnnotatedMap.class, AnnotatedBody.class,
			AnnotatedPart.class, AnnotatedResult.class, InheritedWrongNumber.class })
	void startupFailsForWronglyAnnotatedClients(Class<?> configuration) {
		this.runner.withUserConfiguration(configuration)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("@IdAsString")
				.hasMessageContaining(configuration.getName()));
	}

	@Test
	void wronglyAnnotatedLazyClientFailsOnUse() {
		this.runner.withUserConfiguration(WrongNumber.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				WrongNumber.Api client = context.getBean(WrongNumber.Api.class);
				assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> client.get(1));
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

	private static List<String> sentRequests(ApplicationContext context) {
		return context.getBean(Transport.class).sentRequests;
	}

	@IdAsString("orders")
	record OrderId(long value) {

	}

	record Foreign(long id) {

	}

	interface Finder<ID> {

		@GetExchange("/find/{id}")
		void find(@PathVariable ID id);

	}

	interface Client extends Finder<OrderId> {

		@GetExchange("/number/{id}")
		void number(@PathVariable @IdAsString("orders") long id);

		@GetExchange("/boxed/{id}")
		void boxed(@PathVariable @IdAsString("orders") @Nullable Long id);

		@GetExchange("/text/{id}")
		void text(@PathVariable @IdAsString("orders") String id);

		@GetExchange("/typed/{id}")
		void typed(@PathVariable OrderId id);

		@GetExchange("/foreign/{id}")
		void foreign(@PathVariable @IdAsString("orders") Foreign id);

		@GetExchange("/uuid/{id}")
		void uuid(@PathVariable @IdAsString("orders") UUID id);

		@GetExchange("/segment/{ids}")
		void segment(@PathVariable @IdAsString("orders") List<Long> ids);

		@GetExchange("/variables/{id}")
		void variables(@PathVariable Map<String, OrderId> variables);

		@GetExchange("/parameters")
		void parameters(@RequestParam(required = false) @IdAsString("orders") @Nullable Long id,
				@RequestParam(required = false) @Nullable OrderId order);

		@GetExchange("/optional")
		void optional(@RequestParam @IdAsString("orders") Optional<Long> id, @RequestParam Optional<OrderId> order);

		@GetExchange("/map")
		void map(@RequestParam Map<String, Object> parameters);

		@GetExchange("/many")
		void many(@RequestParam(required = false) @IdAsString("orders") @Nullable List<@Nullable Long> list,
				@RequestParam(required = false) @IdAsString("orders") long @Nullable [] array,
				@RequestParam(required = false) @IdAsString("orders") Long @Nullable [] boxed,
				@RequestParam(required = false) @Nullable List<OrderId> orders,
				@RequestParam(required = false) OrderId @Nullable [] typed);

		@GetExchange("/header")
		void header(@RequestHeader("X-Order") @IdAsString("orders") long id,
				@RequestHeader("X-Others") List<OrderId> others,
				@CookieValue("order") @IdAsString("orders") long cookie);

		@GetExchange("/plain/{id}")
		void plain(@PathVariable long id, @RequestParam LocalDate day,
				@RequestAttribute @IdAsString("orders") Long attribute);

		@GetExchange("/plain")
		void plainList(@RequestParam List<Long> ids);

	}

	@Configuration(proxyBeanMethods = false)
	@ImportHttpServices(group = "rest", types = Client.class)
	@ImportHttpServices(group = "web", types = Client.class, clientType = ClientType.WEB_CLIENT)
	static class Groups {

	}

	/**
	 * Records requests and returns empty responses.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Transport {

		private final List<String> sentRequests = new CopyOnWriteArrayList<>();

		@Bean
		RestClient.Builder restClientBuilder() {
			return record(RestClient.builder());
		}

		private RestClient.Builder record(RestClient.Builder builder) {
			return builder.baseUrl("http://shop").requestInterceptor((request, body, execution) -> {
				recordRequest(request.getURI().toString(), request.getHeaders().toSingleValueMap(),
						request.getHeaders().get("X-Others"));
				return new MockClientHttpResponse(new byte[0], HttpStatus.OK);
			});
		}

		@Bean
		RestClientHttpServiceGroupConfigurer restClientGroups() {
			return (groups) -> groups.forEachGroup((group, builder, factory) -> {
				record(builder);
				factory.conversionService(conversions());
			});
		}

		@Bean
		WebClientHttpServiceGroupConfigurer webClientGroups() {
			return (groups) -> groups.forEachGroup((group, builder, factory) -> {
				builder.baseUrl("http://shop").exchangeFunction((request) -> {
					Map<String, String> headers = new HashMap<>(request.headers().toSingleValueMap());
					request.cookies().forEach((name, values) -> headers.put("Cookie", name + "=" + values.get(0)));
					recordRequest(request.url().toString(), headers, request.headers().get("X-Others"));
					return Mono.just(ClientResponse.create(HttpStatus.OK).build());
				});
				factory.conversionService(conversions());
			});
		}

		private static DefaultFormattingConversionService conversions() {
			DefaultFormattingConversionService conversions = new DefaultFormattingConversionService();
			conversions.addConverter(LocalDate.class, String.class, (date) -> "day " + date.toEpochDay());
			return conversions;
		}

		private void recordRequest(String uri, Map<String, String> headers, @Nullable List<String> others) {
			StringBuilder request = new StringBuilder(uri.substring("http://shop".length()));
			for (String name : List.of("X-Order", "X-Others", "Cookie")) {
				String value = (name.equals("X-Others") && others != null) ? String.join(",", others)
						: headers.get(name);
				if (value != null) {
					request.append(' ').append(name).append('=').append(value);
				}
			}
			this.sentRequests.add(request.toString());
		}

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
	static class OwnFactory {

		@Bean
		HttpServiceProxyFactory factory(RestClient.Builder builder, IdArgumentResolver ids) {
			return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(builder.build()))
				.customArgumentResolver(ids)
				.build();
		}

		@Bean
		Client client(HttpServiceProxyFactory factory) {
			return factory.createClient(Client.class);
		}

	}

	interface WronglyAnnotatedClient {

		@GetExchange("/{id}")
		void number(@PathVariable @IdAsString("orders") int id);

		@GetExchange("/{id}")
		void unknown(@PathVariable @IdAsString("nowhere") Long id);

		@PostExchange("/")
		void body(@RequestBody @IdAsString("orders") long id);

		@PostExchange("/")
		void part(@RequestPart @IdAsString("orders") long id);

	}

	@Configuration(proxyBeanMethods = false)
	static class FactoryWithoutResolver {

		@Bean
		Api client(RestClient.Builder builder) {
			return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(builder.build()))
				.build()
				.createClient(Api.class);
		}

		interface Api {

			@GetExchange("/{id}")
			void get(@PathVariable @IdAsString("orders") long id, @RequestParam OrderId other);

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

	@ImportHttpServices(types = WrongNumber.Api.class)
	static class WrongNumber {

		interface Api {

			@GetExchange("/{id}")
			void get(@PathVariable @IdAsString("orders") int id);

		}

	}

	@ImportHttpServices(types = UnknownGenerator.Api.class)
	static class UnknownGenerator {

		interface Api {

			@GetExchange("/{id}")
			void get(@PathVariable @IdAsString("nowhere") long id);

		}

	}

	@ImportHttpServices(types = AnnotatedMap.Api.class)
	static class AnnotatedMap {

		interface Api {

			@GetExchange("/")
			void get(@RequestParam @IdAsString("orders") Map<String, Long> ids);

		}

	}

	@ImportHttpServices(types = AnnotatedBody.Api.class)
	static class AnnotatedBody {

		interface Api {

			@PostExchange("/")
			void post(@RequestBody @IdAsString("orders") long id);

		}

	}

	@ImportHttpServices(types = AnnotatedPart.Api.class)
	static class AnnotatedPart {

		interface Api {

			@PostExchange("/")
			void post(@RequestPart @IdAsString("orders") long id);

		}

	}

	@ImportHttpServices(types = AnnotatedResult.Api.class)
	static class AnnotatedResult {

		interface Api {

			@PostExchange("/")
			@IdAsString("orders")
			Long post();

		}

	}

	/**
	 * The extending interface supplies the type argument.
	 */
	@ImportHttpServices(types = InheritedWrongNumber.Api.class)
	static class InheritedWrongNumber {

		interface Api extends Base<Integer> {

		}

		interface Base<ID> {

			@GetExchange("/{id}")
			void get(@PathVariable @IdAsString("orders") ID id);

		}

	}

}
