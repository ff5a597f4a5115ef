package dev.idspring.autoconfigure;

import com.fasterxml.jackson.databind.Module;
import dev.idspring.entity.IdTexts;
import dev.idspring.jackson2.IdJackson2Module;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for ids as strings in the JSON of Jackson 2. Spring Boot gives the
 * module to its mapper where {@code spring-boot-jackson2} is used.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(Module.class)
@ConditionalOnBean(IdTexts.class)
public final class IdsJackson2AutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	IdJackson2Module idsJackson2Module(IdTexts texts) {
		return new IdJackson2Module(texts);
	}

}
