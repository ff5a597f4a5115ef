package dev.idspring.autoconfigure.web;

import java.util.function.Consumer;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.repository.support.Repositories;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Auto-configuration for ids in the paths, parameters, headers and forms of requests,
 * with Spring MVC and Spring WebFlux.
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

}
