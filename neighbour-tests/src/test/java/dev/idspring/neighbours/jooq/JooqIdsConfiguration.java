package dev.idspring.neighbours.jooq;

import java.util.Map;

import dev.idspring.IdGenerators;
import org.springframework.boot.jooq.autoconfigure.DefaultConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.idspring.neighbours.jooq.OrdersTable.ORDERS;

@Configuration(proxyBeanMethods = false)
class JooqIdsConfiguration {

	@Bean
	DefaultConfigurationCustomizer idsOfRecords(IdGenerators ids) {
		IdRecordListener listener = new IdRecordListener(
				Map.of(ORDERS.ID, ids.get("orders"), ORDERS.CODE, ids.get("codes")));
		return (configuration) -> configuration.set(listener);
	}

}
