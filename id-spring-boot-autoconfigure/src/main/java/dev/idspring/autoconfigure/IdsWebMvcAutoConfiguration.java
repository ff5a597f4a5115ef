package dev.idspring.autoconfigure;

import dev.idspring.entity.IdFormats;
import dev.idspring.web.IdBinding;
import dev.idspring.web.IdEntityConverter;
import dev.idspring.web.IdTextConverter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.data.repository.support.Repositories;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Auto-configuration for ids in the requests of Spring MVC.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(WebMvcConfigurer.class)
@ConditionalOnBean(IdFormats.class)
public final class IdsWebMvcAutoConfiguration {

	@Bean
	WebMvcConfigurer idsTextConverterConfigurer(IdFormats texts) {
		return new ConverterConfigurer(new IdTextConverter(texts));
	}

	@Bean
	static BeanPostProcessor idsBindingPostProcessor(ObjectProvider<IdFormats> texts) {
		return new BindingPostProcessor(texts);
	}

	@Bean
	SmartInitializingSingleton idsParametersCheck(IdFormats texts,
			ObjectProvider<RequestMappingHandlerMapping> mappings) {
		return () -> mappings.stream()
			.forEach((mapping) -> new IdBinding(texts).check(mapping.getHandlerMethods().values()));
	}

	/**
	 * Spring Data reads ids as numbers where it converts them to entities.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Repositories.class)
	static class EntitiesConfiguration {

		@Bean
		WebMvcConfigurer idsEntityConverterConfigurer(IdFormats texts, ApplicationContext context) {
			return new ConverterConfigurer(new IdEntityConverter(() -> new Repositories(context), texts));
		}

	}

	/**
	 * Adds a converter.
	 *
	 * @param converter the converter
	 */
	private record ConverterConfigurer(GenericConverter converter) implements WebMvcConfigurer {

		@Override
		public void addFormatters(FormatterRegistry registry) {
			registry.addConverter(this.converter);
		}

	}

	/**
	 * Prepares what binds the parameters of handler methods.
	 *
	 * @param texts finds the text form of what is annotated
	 */
	private record BindingPostProcessor(ObjectProvider<IdFormats> texts) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (bean instanceof RequestMappingHandlerAdapter adapter) {
				new IdBinding(this.texts.getObject()).makeStrict(adapter.getWebBindingInitializer());
			}
			return bean;
		}

	}

}
