package dev.idspring.autoconfigure.jackson;

import java.util.List;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration that lets Jackson 3 write and read ids as strings. Spring Boot adds
 * the {@link IdJacksonModule} to the mappers that it builds.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(JacksonModule.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsJacksonAutoConfiguration {

	private static final Log logger = LogFactory.getLog(IdsJacksonAutoConfiguration.class);

	@Bean
	@ConditionalOnMissingBean
	IdJacksonModule idsJacksonModule(ObjectProvider<IdGenerators> generators) {
		return new IdJacksonModule(new IdFormats(generators::getObject));
	}

	/**
	 * Log a message if there are mappers, but none of them has the module. This happens
	 * if the application builds its own mapper, which replaces Spring Boot's mapper.
	 */
	@Bean
	static SmartInitializingSingleton idsJacksonModuleCheck(ObjectProvider<JsonMapper> mappers) {
		return () -> {
			List<JsonMapper> jsonMappers = mappers.stream().toList();
			if (!jsonMappers.isEmpty() && !hasModule(jsonMappers)) {
				logger.info("@IdAsString has no effect in JSON, because no JsonMapper bean has the IdJacksonModule. Add"
						+ " the IdJacksonModule bean to the mapper, or build the mapper with the JsonMapper.Builder"
						+ " bean");
			}
		};
	}

	private static boolean hasModule(List<JsonMapper> mappers) {
		for (JsonMapper mapper : mappers) {
			for (JacksonModule module : mapper.registeredModules()) {
				if (module instanceof IdJacksonModule) {
					return true;
				}
			}
		}
		return false;
	}

}
