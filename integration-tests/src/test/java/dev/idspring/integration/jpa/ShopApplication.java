package dev.idspring.integration.jpa;

import javax.sql.DataSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
class ShopApplication {

	@Bean
	static BeanPostProcessor statementRecorder() {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof DataSource dataSource) ? new StatementRecordingDataSource(dataSource) : bean;
			}

		};
	}

}
