package dev.idspring.autoconfigure;

import dev.idspring.entity.IdFormats;
import dev.idspring.jackson.IdJacksonModule;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.JacksonModule;

/**
 * Auto-configuration for ids as strings in the JSON of Jackson 3. Spring Boot gives the
 * module to its mappers.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(JacksonModule.class)
@ConditionalOnBean(IdFormats.class)
public final class IdsJacksonAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	IdJacksonModule idsJacksonModule(IdFormats texts) {
		return new IdJacksonModule(texts);
	}

}
