package dev.idspring.jdbc;

import java.util.Map;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DataSourceRelation}.
 */
class DataSourceRelationTests {

	private final DataSource one = new DriverManagerDataSource("jdbc:h2:mem:one");

	private final DataSource other = new DriverManagerDataSource("jdbc:h2:mem:other");

	@Test
	void proxyIsRelatedOnlyToItsTarget() {
		DataSource proxy = new LazyConnectionDataSourceProxy(this.one);
		assertThat(DataSourceRelation.exists(proxy, this.one)).isTrue();
		assertThat(DataSourceRelation.exists(this.one, proxy)).isTrue();
		assertThat(DataSourceRelation.exists(proxy, this.other)).isFalse();
	}

	@Test
	void routingDataSourceWithoutALookupKeyIsRelatedOnlyToItsTargets() {
		Routing routing = new Routing();
		routing.setTargetDataSources(Map.of("tenant", this.one));
		routing.afterPropertiesSet();
		assertThat(DataSourceRelation.exists(routing, routing)).isTrue();
		assertThat(DataSourceRelation.exists(routing, this.one)).isTrue();
		assertThat(DataSourceRelation.exists(this.other, routing)).isFalse();
	}

	private static final class Routing extends AbstractRoutingDataSource {

		@Override
		protected Object determineCurrentLookupKey() {
			throw new IllegalStateException("This thread has no tenant");
		}

	}

}
