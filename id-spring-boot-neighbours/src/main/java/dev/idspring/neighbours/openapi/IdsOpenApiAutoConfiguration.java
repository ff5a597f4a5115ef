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
	 * The order makes springdoc register this converter first. Swagger calls converters
	 * in the reverse order, so this converter is called last, after the others have
	 * unwrapped an id, and returns its result to them.
	 */
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	IdModelConverter idsModelConverter(ObjectProvider<IdGenerators> generators) {
		return new IdModelConverter(new IdFormats(generators::getObject));
	}

}
