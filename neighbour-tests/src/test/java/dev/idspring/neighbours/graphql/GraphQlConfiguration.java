package dev.idspring.neighbours.graphql;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.graphql.execution.RuntimeWiringConfigurer;

@Configuration(proxyBeanMethods = false)
class GraphQlConfiguration {

	@Bean
	RuntimeWiringConfigurer idsInGraphQl(IdScalars scalars) {
		return (wiring) -> wiring.scalar(scalars.of(TicketId.class)).scalar(scalars.of("CustomerId", "customers"));
	}

}
