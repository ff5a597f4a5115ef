package dev.idspring.tools.columns;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.GeneratorDefinition;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcProperties;
import dev.idspring.autoconfigure.actuate.IdsEndpointAutoConfiguration;
import dev.idspring.autoconfigure.actuate.IdsHealthContributorAutoConfiguration;
import dev.idspring.tools.doctor.Doctor;
import dev.idspring.worker.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.id.enhanced.SequenceStyleGenerator;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Auto-configuration that watches the key columns of all tables in the application's
 * schema if {@code ids.columns.watch} is {@code true}. The {@code ids} endpoint, the
 * health contributor and meters show the results.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class,
		before = { IdsEndpointAutoConfiguration.class, IdsHealthContributorAutoConfiguration.class },
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass({ DataSource.class, JdbcTemplate.class })
@ConditionalOnBean(DataSource.class)
@ConditionalOnBooleanProperty(name = "ids.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("ids.columns.watch")
public final class IdsColumnsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	Doctor idsDoctor(Environment environment) {
		return new Doctor(GeneratorDefinition.ofDefault(environment).lowThreshold());
	}

	@Bean
	@ConditionalOnMissingBean
	ColumnWatch idsColumnWatch(ObjectProvider<DataSource> dataSources, Doctor doctor,
			ObjectProvider<ColumnWatch.AllocationSource> allocationSources, ObjectProvider<TimeSource> timeSource,
			Environment environment) {
		return new ColumnWatch(dataSource(dataSources), doctor, allocationSources.orderedStream().toList(),
				tablePrefix(environment), timeSource.getIfAvailable(TimeSource::system));
	}

	private static DataSource dataSource(ObjectProvider<DataSource> dataSources) {
		try {
			return dataSources.getObject();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new IdSetupException(
					"ids.columns.watch is true, but there are several DataSource beans and none of them is primary: "
							+ ex.getBeanNamesFound() + ".",
					"Add @Primary to the DataSource of the tables to watch, or set ids.columns.watch to false.");
		}
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

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(OperationResponseBody.class)
	static class ActuatorConfiguration {

		@Bean
		ColumnWatchAdapter idsWatchedColumns(ColumnWatch watch) {
			return new ColumnWatchAdapter(watch);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class MeterConfiguration {

		@Bean
		ColumnMetrics idsColumnMetrics(ColumnWatch watch) {
			return new ColumnMetrics(watch);
		}

	}

}
