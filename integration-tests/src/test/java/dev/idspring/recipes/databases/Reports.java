package dev.idspring.recipes.databases;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Configuration(proxyBeanMethods = false)
class Reports {

	@Bean(defaultCandidate = false)
	@Qualifier("reports")
	@ConfigurationProperties("reports.datasource")
	HikariDataSource reportsDataSource() {
		return new HikariDataSource();
	}

	@Bean(defaultCandidate = false)
	@Qualifier("reports")
	JdbcClient reportsClient(@Qualifier("reports") DataSource dataSource) {
		return JdbcClient.create(dataSource);
	}

}
