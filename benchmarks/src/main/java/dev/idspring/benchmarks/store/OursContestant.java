package dev.idspring.benchmarks.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.testsupport.TestDatabase;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.util.StringUtils;

/**
 * This project's starter in an application.
 *
 * @param name the name in the results
 * @param settings the settings of the default generator, as command-line arguments of the
 * application
 */
record OursContestant(String name, String... settings) implements Contestant {

	static final String NAME = "ours";

	/**
	 * How long the fail-over protection takes to raise its rate limit far enough for the
	 * measurements. Each raise takes effect {@code ids.jdbc.failover-lag} after it was
	 * stored.
	 */
	static final Duration RAMP_UP = Duration.ofSeconds(15);

	static OursContestant withDefaults() {
		return new OursContestant(NAME);
	}

	@Override
	public Duration rampUp() {
		return RAMP_UP;
	}

	@Override
	public Source open(Network network, String keySpace) {
		TestDatabase database = network.database();
		DatabasePopulatorUtils.execute(
				new ResourceDatabasePopulator(
						new ClassPathResource("dev/idspring/jdbc/schema-" + database.platform() + ".sql")),
				network.pool());
		FirstId firstId = new FirstId();
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.initializers((starting) -> starting.getBeanFactory().addBeanPostProcessor(firstId))
			.run(StringUtils.concatenateStringArrays(this.settings,
					new String[] { "--spring.main.banner-mode=off", "--spring.main.log-startup-info=false",
							"--spring.datasource.url=" + database.url(),
							"--spring.datasource.username=" + database.username(),
							"--spring.datasource.password=" + database.password(),
							"--spring.datasource.hikari.maximum-pool-size=" + Network.POOL_SIZE,
							"--spring.datasource.hikari.minimum-idle=0", "--ids.key-space=" + keySpace }));
		return new Generator(network, keySpace, context, firstId.nanos());
	}

	private record Generator(Network network, String keySpace, ConfigurableApplicationContext context,
			long timeToFirstId) implements Source {

		@Override
		public LongSupplier idSupplier() {
			return this.context.getBean(IdGenerator.class)::nextLong;
		}

		@Override
		public long reserved() {
			Long reserved = this.network.direct()
				.queryForObject("select next_ordinal from ids_key_space where name = ?", Long.class, this.keySpace);
			return (reserved != null) ? reserved : 0;
		}

		@Override
		public OptionalLong exhaustions() {
			return OptionalLong.of(this.context.getBean(ManagedIdGenerator.class).snapshot().block().exhaustions());
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

	/**
	 * Draws the first id as soon as the generator has been created, and measures the time
	 * since the first bean of the starter was instantiated. A measurement after the
	 * application has started would be too short, because ids may already be in memory.
	 */
	private static final class FirstId implements InstantiationAwareBeanPostProcessor {

		private long started;

		private long drawn;

		@Override
		public @Nullable Object postProcessBeforeInstantiation(Class<?> type, String name) {
			if (this.started == 0 && name.startsWith("dev.idspring.autoconfigure.")) {
				this.started = System.nanoTime();
			}
			return null;
		}

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			// open a connection before the measurement begins
			if (bean instanceof DataSource pool && this.started == 0) {
				warmUp(pool);
			}
			if (bean instanceof IdGenerator generator) {
				generator.nextLong();
				this.drawn = System.nanoTime();
			}
			return bean;
		}

		private static void warmUp(DataSource pool) {
			try (Connection connection = pool.getConnection()) {
				connection.isValid(10);
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}

		long nanos() {
			return this.drawn - this.started;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
