package dev.idspring.autoconfigure.web;

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
import org.springframework.context.annotation.Bean;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/**
 * Auto-configuration for ids in the requests of Spring WebFlux.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(WebFluxConfigurer.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsWebFluxAutoConfiguration {

	@Bean
	WebFluxConfigurer idsTextConverterConfigurer(ObjectProvider<IdGenerators> generators) {
		return new ConverterConfigurer(new IdTextConverter(new IdFormats(generators::getObject)));
	}

	@Bean
	static BeanPostProcessor idsBindingPostProcessor(ObjectProvider<IdGenerators> generators) {
		return new BindingPostProcessor(generators);
	}

	@Bean
	SmartInitializingSingleton idsParametersCheck(ObjectProvider<IdGenerators> generators,
			ObjectProvider<RequestMappingHandlerMapping> mappings) {
		return () -> mappings.stream()
			.forEach((mapping) -> new IdBinding(new IdFormats(generators::getObject))
				.check(mapping.getHandlerMethods().values()));
	}

	/**
	 * Adds a converter.
	 *
	 * @param converter the converter
	 */
	private record ConverterConfigurer(GenericConverter converter) implements WebFluxConfigurer {

		@Override
		public void addFormatters(FormatterRegistry registry) {
			registry.addConverter(this.converter);
		}

	}

	/**
	 * Prepares the binding of parameters of handler methods.
	 *
	 * @param generators the generators, looked up late
	 */
	private record BindingPostProcessor(ObjectProvider<IdGenerators> generators) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (bean instanceof RequestMappingHandlerAdapter adapter) {
				new IdBinding(new IdFormats(this.generators::getObject)).makeStrict(adapter.getWebBindingInitializer());
			}
			return bean;
		}

	}

}
