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
 * Auto-configuration for entities that Spring Data loads by the ids in requests to Spring
 * MVC. Without it, Spring Data would read these ids as numbers.
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
