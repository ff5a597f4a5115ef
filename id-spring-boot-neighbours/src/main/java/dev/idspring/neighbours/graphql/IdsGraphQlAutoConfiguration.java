package dev.idspring.neighbours.graphql;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats;
import graphql.schema.GraphQLScalarType;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for {@link IdScalars}, which creates GraphQL scalars for ids.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(GraphQLScalarType.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsGraphQlAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	IdScalars idScalars(ObjectProvider<IdGenerators> generators) {
		return new IdScalars(new IdFormats(generators::getObject));
	}

}
