package dev.idspring.autoconfigure.web;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;
import org.springframework.data.repository.support.Repositories;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.function.client.support.WebClientHttpServiceGroupConfigurer;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import org.springframework.web.service.registry.HttpServiceGroupConfigurer;
import org.springframework.web.service.registry.HttpServiceProxyRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Auto-configuration for ids in the paths, parameters, headers and forms of requests,
 * with Spring MVC and Spring WebFlux, and with the clients of HTTP services.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsWebAutoConfiguration {

	private static IdBinding binding(ObjectProvider<IdGenerators> generators) {
		return new IdBinding(new IdFormats(generators::getObject));
	}

	private static <T> BeanPostProcessor postProcessor(Class<T> type, Consumer<T> action) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String beanName) {
				if (type.isInstance(bean)) {
					action.accept(type.cast(bean));
				}
				return bean;
			}

		};
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	@ConditionalOnClass(RequestMappingHandlerAdapter.class)
	static class MvcConfiguration {

		@Bean
		static BeanPostProcessor idsBindingPostProcessor(ObjectProvider<IdGenerators> generators) {
			return postProcessor(RequestMappingHandlerAdapter.class,
					(adapter) -> binding(generators).applyTo(adapter.getWebBindingInitializer()));
		}

		@Bean
		SmartInitializingSingleton idsParametersCheck(ObjectProvider<IdGenerators> generators,
				ObjectProvider<RequestMappingHandlerMapping> mappings) {
			return () -> mappings.forEach((mapping) -> binding(generators).check(mapping.getHandlerMethods().values()));
		}

		/**
		 * Spring Data reads ids as numbers when it converts them to entities.
		 */
		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(Repositories.class)
		static class EntitiesConfiguration {

			@Bean
			WebMvcConfigurer idsEntityConverterConfigurer(ObjectProvider<IdGenerators> generators,
					ApplicationContext context) {
				return new WebMvcConfigurer() {

					@Override
					public void addFormatters(FormatterRegistry registry) {
						registry.addConverter(new IdEntityConverter(() -> new Repositories(context),
								new IdFormats(generators::getObject)));
					}

				};
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	@ConditionalOnClass(org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter.class)
	static class WebFluxConfiguration {

		@Bean
		static BeanPostProcessor idsBindingPostProcessor(ObjectProvider<IdGenerators> generators) {
			return postProcessor(
					org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter.class,
					(adapter) -> binding(generators).applyTo(adapter.getWebBindingInitializer()));
		}

		@Bean
		SmartInitializingSingleton idsParametersCheck(ObjectProvider<IdGenerators> generators,
				ObjectProvider<org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping> mappings) {
			return () -> mappings.forEach((mapping) -> binding(generators).check(mapping.getHandlerMethods().values()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(HttpServiceProxyRegistry.class)
	static class ClientsConfiguration {

		/**
		 * A fallback, as the application may have one resolver of its own.
		 */
		@Bean
		@Lazy
		@Fallback
		@ConditionalOnMissingBean
		IdArgumentResolver idsArgumentResolver(ObjectProvider<IdGenerators> generators) {
			return new IdArgumentResolver(new IdFormats(generators::getObject));
		}

		/**
		 * Clients exist as soon as a bean needs them, which may be before the generators.
		 */
		@Bean
		SmartInitializingSingleton idsClientsCheck(ObjectProvider<IdGenerators> generators,
				ConfigurableListableBeanFactory beans) {
			return () -> {
				List<HandlerMethod> exchanges = Stream.of(beans.getSingletonNames())
					.map(beans::getSingleton)
					.filter(ClientsConfiguration::isClient)
					.flatMap(ClientsConfiguration::exchanges)
					.toList();
				IdBinding binding = binding(generators);
				binding.check(exchanges);
				if (Stream.of(beans.getBeanNamesForType(IdArgumentResolver.class, true, false))
					.noneMatch(beans::containsSingleton)) {
					binding.refuseUnresolved(exchanges);
				}
			};
		}

		/**
		 * Clients are proxies, and so are controllers that implement the same interface.
		 */
		private static boolean isClient(@Nullable Object bean) {
			return bean instanceof Advised proxy && Stream.of(proxy.getAdvisors())
				.anyMatch((advisor) -> advisor.getAdvice().getClass().getNestHost() == HttpServiceProxyFactory.class);
		}

		private static Stream<HandlerMethod> exchanges(Object client) {
			return MethodIntrospector
				.selectMethods(client.getClass(),
						(Method method) -> AnnotatedElementUtils.hasAnnotation(method, HttpExchange.class))
				.stream()
				.map((method) -> new HandlerMethod(client, method));
		}

		/**
		 * The first of the resolvers: others for request parameters would send numbers.
		 */
		private static <T> void configure(HttpServiceGroupConfigurer.Groups<T> groups,
				ObjectProvider<IdArgumentResolver> resolver) {
			groups.forEachProxyFactory((group, factory) -> factory.customArgumentResolver(resolver.getObject()));
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(RestClientHttpServiceGroupConfigurer.class)
		static class RestClientConfiguration {

			@Bean
			@Order(Ordered.HIGHEST_PRECEDENCE)
			RestClientHttpServiceGroupConfigurer idsRestClientGroupConfigurer(
					ObjectProvider<IdArgumentResolver> resolver) {
				return (groups) -> configure(groups, resolver);
			}

		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(WebClientHttpServiceGroupConfigurer.class)
		static class WebClientConfiguration {

			@Bean
			@Order(Ordered.HIGHEST_PRECEDENCE)
			WebClientHttpServiceGroupConfigurer idsWebClientGroupConfigurer(
					ObjectProvider<IdArgumentResolver> resolver) {
				return (groups) -> configure(groups, resolver);
			}

		}

	}

}
