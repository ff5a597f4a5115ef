package dev.idspring.neighbours.openapi;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats;
import io.swagger.v3.core.converter.ModelConverter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration for ids in the OpenAPI documents of springdoc. Springdoc registers
 * all Swagger model converters that are beans.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnClass(ModelConverter.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsOpenApiAutoConfiguration {

	/**
	 * Springdoc registers the converter beans in their order, so this one is the first.
	 * Swagger calls them in the reverse order, so the other beans can unwrap an id before
	 * they pass it on to this converter.
	 */
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	IdModelConverter idsModelConverter(ObjectProvider<IdGenerators> generators) {
		return new IdModelConverter(new IdFormats(generators::getObject));
	}

}
