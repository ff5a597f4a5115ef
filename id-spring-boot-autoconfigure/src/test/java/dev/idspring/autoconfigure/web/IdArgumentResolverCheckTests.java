package dev.idspring.autoconfigure.web;

import java.util.List;
import java.util.Map;

import dev.idspring.IdSetupException;
import dev.idspring.annotation.IdAsString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import org.springframework.web.service.registry.ImportHttpServices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that wrongly annotated clients of HTTP services fail, and that startup fails if
 * the custom factory of a client does not use {@link IdArgumentResolver}.
 */
class IdArgumentResolverCheckTests extends AbstractIdArgumentResolverTests {

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
