package dev.idspring.integration.shutdown;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

/**
 * An application with two pools, which stand for two databases. During its destruction, a
 * bean saves an entity through the pool that the id store does not use. The id store's
 * pool is created later, so without the starter, Spring would close it first.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = R2dbcAutoConfiguration.class)
class TwoDatabaseShop {

	@Bean
	HikariDataSource archive(DataSourceProperties properties) {
		return properties.initializeDataSourceBuilder().type(HikariDataSource.class).build();
	}

	@Bean
	LocalContainerEntityManagerFactoryBean entityManagerFactory(@Qualifier("archive") DataSource archive) {
		LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
		factory.setDataSource(archive);
		factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		factory.setManagedTypes(PersistenceManagedTypes.of(LateSavingShop.Note.class.getName()));
		return factory;
	}

	@Bean
	DisposableBean jpaNoteRepository(LastSaves saves, Notes notes) {
		return saves.onDestruction("jpaNoteRepository", () -> notes.save(new LateSavingShop.Note()).id());
	}

	@Bean
	@Primary
	HikariDataSource dataSource(DataSourceProperties properties) {
		return properties.initializeDataSourceBuilder().type(HikariDataSource.class).build();
	}

}
