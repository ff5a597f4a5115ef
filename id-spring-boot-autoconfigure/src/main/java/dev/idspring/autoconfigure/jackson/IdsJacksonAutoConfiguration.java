package dev.idspring.autoconfigure.jackson;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.JacksonModule;

/**
 * Auto-configuration for ids as strings in the JSON of Jackson 3. Spring Boot registers
 * the module with its mappers.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(JacksonModule.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsJacksonAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	IdJacksonModule idsJacksonModule(ObjectProvider<IdGenerators> generators) {
		return new IdJacksonModule(new IdFormats(generators::getObject));
	}

}
