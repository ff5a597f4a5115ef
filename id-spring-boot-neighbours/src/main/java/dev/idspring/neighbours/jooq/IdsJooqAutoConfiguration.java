package dev.idspring.neighbours.jooq;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.RecordListenerProvider;
import org.jooq.impl.DataSourceConnectionProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the ids of jOOQ's records. At startup, it checks that records
 * can be inserted in the transactions that draw their gapless ids.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(DSLContext.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsJooqAutoConfiguration {

	@Bean
	static SmartInitializingSingleton idsJooqCheck(ConfigurableListableBeanFactory beans) {
		return () -> {
			Map<IdRecordListener, List<@Nullable DataSource>> dataSourcesByListener = new IdentityHashMap<>();
			Stream.of(beans.getBeanNamesForType(DSLContext.class, true, false))
				.filter(beans::containsSingleton)
				.map((name) -> beans.getBean(name, DSLContext.class).configuration())
				.forEach((configuration) -> listeners(configuration)
					.forEach((listener) -> dataSourcesByListener.computeIfAbsent(listener, (key) -> new ArrayList<>())
						.add(dataSource(configuration))));
			dataSourcesByListener.forEach((listener, dataSources) -> {
				// skip the check if a DataSource is unknown, because it may be the one
				// whose transactions draw the ids
				if (dataSources.stream().allMatch(Objects::nonNull)) {
					listener.verifyInserts(dataSources.stream().flatMap(Stream::ofNullable).toList());
				}
			});
		};
	}

	private static @Nullable DataSource dataSource(Configuration configuration) {
		return (configuration.connectionProvider() instanceof DataSourceConnectionProvider dataSourceProvider)
				? dataSourceProvider.dataSource() : null;
	}

	private static Stream<IdRecordListener> listeners(Configuration configuration) {
		return Stream.of(configuration.recordListenerProviders())
			.map(RecordListenerProvider::provide)
			.filter(IdRecordListener.class::isInstance)
			.map(IdRecordListener.class::cast);
	}

}
