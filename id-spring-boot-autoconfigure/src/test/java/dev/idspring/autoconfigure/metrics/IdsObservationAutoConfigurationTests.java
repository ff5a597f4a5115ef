package dev.idspring.autoconfigure.metrics;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.testsupport.ReservingListener;
import dev.idspring.testsupport.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the observations of {@link IdsMetricsAutoConfiguration}.
 */
class IdsObservationAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, MetricsAutoConfiguration.class,
				IdsMetricsAutoConfiguration.class))
		.withPropertyValues("ids.store=memory", "ids.generators.orders.strategy=sequential",
				"ids.generators.events.strategy=snowflake");

	private final ApplicationContextRunner observingRunner = this.contextRunner
		.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new);

	private static Timer timer(AssertableApplicationContext context, String generator) {
		return Awaitility.await()
			.ignoreExceptions()
			.until(() -> context.getBean(MeterRegistry.class)
				.get("ids.block.reservations")
				.tag("generator", generator)
				.tag("outcome", "success")
				.tag("error", "none")
				.timer(), (timer) -> timer.count() > 0);
	}

	@Test
	void reservationsAreTimed() {
		this.observingRunner.run((context) -> {
			context.getBean(IdGenerators.class).get("orders").nextLongs(3);
			assertThat(timer(context, "orders").getId().getTag("strategy")).isEqualTo("sequential");
			assertThat(timer(context, "orders").totalTime(TimeUnit.NANOSECONDS)).isPositive();
			assertThat(timer(context, "events").getId().getTag("strategy")).isEqualTo("snowflake");
			assertThat(context.getBean(MeterRegistry.class).get("ids.block.reservations").meters())
				.allSatisfy((meter) -> assertThat(meter).isInstanceOf(Timer.class));
		});
	}

	@Test
	void lazyGeneratorIsObservedAfterTheRegistryIsCreated() {
		this.observingRunner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				assertThat(context.getBean(IdGenerators.class).get("orders").nextLong()).isEqualTo(1);
				context.getBean(ObservationRegistry.class);
				context.getBean(IdGenerators.class).get("orders").nextLongs(3_000);
				assertThat(timer(context, "orders").count()).isPositive();
			});
	}

	@Test
	void observationsCanBeSwitchedOff() {
		this.observingRunner.withPropertyValues("management.observations.enable.ids=false").run((context) -> {
			context.getBean(IdGenerators.class).get("orders").nextLongs(3_000);
			assertThat(context.getBean(MeterRegistry.class).find("ids.block.reservations").meters()).isEmpty();
		});
	}

	@Test
	void createsNoObserverWithoutRegistries() {
		this.contextRunner
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdGeneratorListener.class));
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdGeneratorListener.class));
	}

	@Test
	void createsNoObserverWithoutGenerators() {
		this.observingRunner.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdGeneratorListener.class));
	}

	@Test
	void userDefinedObserverIsUsed() {
		List<String> generators = new CopyOnWriteArrayList<>();
		this.observingRunner.withBean(IdGeneratorListener.class, () -> new ReservingListener((generator, strategy) -> {
			generators.add(generator);
			return IdGeneratorListener.Attempt.NOT_OBSERVED;
		})).run((context) -> {
			assertThat(context).as("in addition to the user-defined observer")
				.hasSingleBean(ObservedReservations.class);
			context.getBean(IdGenerators.class).get("default").nextLong();
			Awaitility.await().untilAsserted(() -> assertThat(generators).contains("default", "orders", "events"));
		});
	}

	@Test
	void databaseAccessIsWithinTheSpanOfTheReservation() throws Exception {
		SimpleTracer tracer = new SimpleTracer();
		List<SimpleSpan> spans = new CopyOnWriteArrayList<>();
		try (HikariDataSource pool = TestDatabase.h2().pool(10)) {
			DataSource tracedPool = new DelegatingDataSource(pool) {

				@Override
				public Connection getConnection() throws SQLException {
					SimpleSpan span = tracer.currentSpan();
					if (span != null) {
						spans.add(span);
					}
					return super.getConnection();
				}

			};
			this.observingRunner.withConfiguration(AutoConfigurations.of(IdsJdbcAutoConfiguration.class))
				.withBean(DataSource.class, () -> tracedPool)
				.withBean(ObservationHandler.class, () -> new DefaultTracingObservationHandler(tracer))
				.withPropertyValues("ids.store=jdbc", "ids.jdbc.connection=shared", "ids.jdbc.initialize-schema=always")
				.run((context) -> {
					context.getBean(IdGenerators.class).get("orders").nextLongs(3_000);
					context.getBean(IdGenerators.class).get("default").nextLong();
					Awaitility.await()
						.untilAsserted(() -> assertThat(spans).extracting(SimpleSpan::getName)
							.contains("reserve default", "reserve orders", "reserve events"));
				});
		}
	}

}
