package dev.idspring.autoconfigure;

import javax.sql.DataSource;

import dev.idspring.autoconfigure.columns.ColumnWatch;
import dev.idspring.autoconfigure.columns.HibernateAllocations;
import dev.idspring.doctor.Doctor;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.worker.TimeSource;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.id.enhanced.SequenceStyleGenerator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Auto-configuration for what looks at the keys of tables that others number.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { DataSourceAutoConfiguration.class, IdsAutoConfiguration.class })
@ConditionalOnClass({ DataSource.class, JdbcTemplate.class })
@ConditionalOnBean(DataSource.class)
@ConditionalOnBooleanProperty(name = "ids.enabled", matchIfMissing = true)
@Import(GeneratorPropertiesBinder.class)
public final class IdsColumnsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	Doctor idsDoctor(GeneratorPropertiesBinder binder) {
		String name = GeneratorPropertiesBinder.DEFAULT_NAME;
		return new Doctor(binder.lowThreshold(name, binder.bind(name).health()));
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty("ids.columns.watch")
	ColumnWatch idsColumnWatch(ObjectProvider<DataSource> dataSources, Doctor doctor,
			ObjectProvider<ColumnWatch.Allocations> allocations, ObjectProvider<TimeSource> timeSource,
			Environment environment) {
		DataSource dataSource = IdsJdbcAutoConfiguration.single(dataSources,
				"ids.columns.watch is true, but there are several DataSource beans and none of them is primary",
				"Mark that of the tables to watch with @Primary, or set ids.columns.watch to false.");
		return new ColumnWatch(dataSource, doctor, allocations.orderedStream().toList(),
				JdbcSchema.tables(tablePrefix(environment)), timeSource.getIfAvailable(TimeSource::system));
	}

	private static String tablePrefix(Environment environment) {
		return Binder.get(environment).bindOrCreate("ids.jdbc", IdsJdbcProperties.class).tablePrefix();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ EntityManagerFactory.class, SequenceStyleGenerator.class })
	static class HibernateConfiguration {

		@Bean
		HibernateAllocations idsHibernateAllocations(ObjectProvider<EntityManagerFactory> factories) {
			return new HibernateAllocations(factories);
		}

	}

}
