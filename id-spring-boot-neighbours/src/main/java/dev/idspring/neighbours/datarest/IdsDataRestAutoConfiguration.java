package dev.idspring.neighbours.datarest;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats;
import dev.idspring.autoconfigure.web.IdEntityConverter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.repository.support.Repositories;
import org.springframework.data.rest.core.config.RepositoryRestConfiguration;
import org.springframework.data.rest.webmvc.config.RepositoryRestConfigurer;
import org.springframework.data.rest.webmvc.spi.BackendIdConverter;
import org.springframework.web.servlet.config.annotation.CorsRegistry;

/**
 * Auto-configuration for ids in the URLs of Spring Data REST.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(BackendIdConverter.class)
@ConditionalOnBean(IdGenerators.class)
@ConditionalOnMissingBean(BackendIdConverter.class)
public final class IdsDataRestAutoConfiguration {

	private final IdEntityConverter entities;

	IdsDataRestAutoConfiguration(ObjectProvider<IdGenerators> generators, ApplicationContext context) {
		this.entities = new IdEntityConverter(() -> new Repositories(context), new IdFormats(generators::getObject));
	}

	@Bean
	IdRestConverter idsBackendIdConverter() {
		return new IdRestConverter(this.entities);
	}

	@Bean
	RepositoryRestConfigurer idsRepositoryRestConfigurer(IdRestConverter ids, ApplicationContext context,
			ConfigurableListableBeanFactory beans) {
		return new RepositoryRestConfigurer() {

			/**
			 * Register a lookup bean for each entity type whose ids the converter
			 * supports. The beans are registered here, because the repositories are not
			 * known earlier.
			 */
			@Override
			public void configureRepositoryRestConfiguration(RepositoryRestConfiguration config, CorsRegistry cors) {
				for (Class<?> type : new Repositories(context)) {
					String name = "idsEntityLookup." + type.getName();
					if (ids.supports(type) && !beans.containsSingleton(name)) {
						beans.registerSingleton(name,
								new IdEntityLookup(type, ids, IdsDataRestAutoConfiguration.this.entities));
					}
				}
			}

		};
	}

}
