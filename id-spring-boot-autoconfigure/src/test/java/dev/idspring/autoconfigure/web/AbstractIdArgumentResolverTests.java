package dev.idspring.autoconfigure.web;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurations;
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
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.support.WebClientHttpServiceGroupConfigurer;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import reactor.core.publisher.Mono;

/**
 * Base class of the tests for {@link IdArgumentResolver}: a client of an HTTP service
 * whose requests are recorded instead of sent.
 */
abstract class AbstractIdArgumentResolverTests {

	final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, IdsHttpServiceAutoConfiguration.class,
				IdsRestClientAutoConfiguration.class, IdsWebClientAutoConfiguration.class))
		.withUserConfiguration(Transport.class)
		.withPropertyValues("ids.store=memory", "ids.generators.orders.coprime.length=10");

	static List<String> sentRequests(ApplicationContext context) {
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

}
