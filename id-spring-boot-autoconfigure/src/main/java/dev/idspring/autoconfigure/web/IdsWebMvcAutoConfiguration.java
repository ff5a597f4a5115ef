package dev.idspring.autoconfigure.web;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Auto-configuration for ids in the paths, parameters, headers and forms of requests that
 * Spring MVC handles.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(RequestMappingHandlerAdapter.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsWebMvcAutoConfiguration {

	@Bean
	static BeanPostProcessor idsBindingPostProcessor(ObjectProvider<IdGenerators> generators) {
		return IdBinding.postProcessor(RequestMappingHandlerAdapter.class, generators,
				RequestMappingHandlerAdapter::getWebBindingInitializer);
	}

	@Bean
	SmartInitializingSingleton idsParametersCheck(ObjectProvider<IdGenerators> generators,
			ObjectProvider<RequestMappingHandlerMapping> mappings) {
		return () -> {
			for (RequestMappingHandlerMapping mapping : mappings) {
				new IdBinding(generators).check(mapping.getHandlerMethods().values());
			}
		};
	}

}
