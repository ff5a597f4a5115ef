package dev.idspring.neighbours.batch;

import dev.idspring.IdGenerator;
import org.springframework.batch.core.configuration.annotation.EnableBatchProcessing;
import org.springframework.batch.core.configuration.annotation.EnableJdbcJobRepository;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableBatchProcessing
@EnableJdbcJobRepository
class BatchConfiguration {

	@Bean
	IdIncrementerFactory incrementerFactory(@Qualifier("batch") IdGenerator ids) {
		return new IdIncrementerFactory(ids);
	}

}
