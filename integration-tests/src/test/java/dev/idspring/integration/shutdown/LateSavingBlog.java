package dev.idspring.integration.shutdown;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.autoconfigure.IdsDataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.core.R2dbcEntityOperations;
import org.springframework.data.r2dbc.repository.config.EnableR2dbcRepositories;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;

/**
 * Beans that save entities over R2DBC when they are destroyed. The pool for ids is
 * created after these beans, so by default Spring would close the pool first.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
		exclude = { DataJpaRepositoriesAutoConfiguration.class, DataJdbcRepositoriesAutoConfiguration.class })
@EnableR2dbcRepositories(considerNestedRepositories = true)
class LateSavingBlog {

	@Bean
	DisposableBean r2dbcRepository(LastSaves saves, Posts posts) {
		return saves.onDestruction("r2dbcRepository", () -> posts.save(new Post(null)).block().id());
	}

	@Bean
	DisposableBean r2dbcTemplate(LastSaves saves, R2dbcEntityOperations template) {
		return saves.onDestruction("r2dbcTemplate", () -> template.insert(new Post(null)).block().id());
	}

	@Bean(defaultCandidate = false)
	@IdsDataSource
	HikariDataSource idsDataSource(Environment environment) {
		HikariDataSource dataSource = new HikariDataSource();
		dataSource.setJdbcUrl(environment.getRequiredProperty("spring.datasource.url"));
		dataSource.setUsername(environment.getRequiredProperty("spring.datasource.username"));
		return dataSource;
	}

	@Table("NOTE")
	record Post(@Id @GeneratedId @Nullable Long id) {

	}

	interface Posts extends ReactiveCrudRepository<Post, Long> {

	}

}
