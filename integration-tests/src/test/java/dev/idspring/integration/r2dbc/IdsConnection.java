package dev.idspring.integration.r2dbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.autoconfigure.IdsDataSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class IdsConnection {

	@Bean(defaultCandidate = false)
	@IdsDataSource
	@ConfigurationProperties("blog.ids-database")
	HikariDataSource idsDataSource() {
		return new HikariDataSource();
	}

}
