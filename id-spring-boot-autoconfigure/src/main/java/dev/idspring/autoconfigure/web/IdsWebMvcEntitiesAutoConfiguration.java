package dev.idspring.autoconfigure.web;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.repository.support.Repositories;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Auto-configuration for entities as arguments of Spring MVC controller methods. The
 * entities are loaded by the ids in the request. Without this auto-configuration, Spring
 * Data would read the text form of an id as a number.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass({ WebMvcConfigurer.class, Repositories.class })
@ConditionalOnBean(IdGenerators.class)
public final class IdsWebMvcEntitiesAutoConfiguration {

	@Bean
	WebMvcConfigurer idsEntityConverterConfigurer(ObjectProvider<IdGenerators> generators, ApplicationContext context) {
		return new WebMvcConfigurer() {

			@Override
			public void addFormatters(FormatterRegistry registry) {
				registry.addConverter(
						new IdEntityConverter(() -> new Repositories(context), new IdFormats(generators::getObject)));
			}

		};
	}

}
