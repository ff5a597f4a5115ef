package dev.idspring.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.ClockException;
import dev.idspring.IdGenerationException;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.autoconfigure.actuate.IdsEndpointAutoConfiguration;
import dev.idspring.autoconfigure.actuate.IdsHealthContributorAutoConfiguration;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.FaultyDataSource.Fault;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application with a generator of each strategy. One thread per generator draws ids,
 * as fast as possible or with a pause after each call. The test can make the connections
 * of the pools fail.
 */
final class SoakApplication implements AutoCloseable {

	static final List<String> STRATEGIES = List.of("coprime", "sequential", "recycled", "gapless", "snowflake",
			"decimal-uid", "composite");

	/** The number of connections: those of the pool, and the one that reserves ids. */
	static final int CONNECTIONS = 5;

	/**
	 * The pause after each successful call; none with {@code test.ids.soak-minutes}.
	 */
	private static final long PAUSE_NANOS = (SoakTests.MINUTES > 0) ? 0 : 5_000_000;

	private final FaultyDataSource faultyDataSource;

	private final Tally tally;

	private final ConfigurableApplicationContext context;

	private final IdGenerators generators;

	private final List<Thread> threads = new ArrayList<>();

	private volatile boolean closing;

	private SoakApplication(FaultyDataSource faultyDataSource, Tally tally, ConfigurableApplicationContext context) {
		this.faultyDataSource = faultyDataSource;
		this.tally = tally;
		this.context = context;
		this.generators = context.getBean(IdGenerators.class);
	}

	/**
	 * Create the tables, as a migration would.
	 */
	static void prepare(TestDatabase database) {
		try (HikariDataSource pool = database.pool(1)) {
			new JdbcSchema(pool, "ids_").create();
		}
	}

	/**
	 * Start an application.
	 * @param fault the fault of the database during startup
	 * @throws NotStartedException if the fault prevented startup
	 */
	static SoakApplication start(TestDatabase database, Fault fault, Tally tally) {
		FaultyDataSource faultyDataSource = new FaultyDataSource(
				new DriverManagerDataSource(database.url(), database.username(), database.password()) {

					@Override
					public int getLoginTimeout() {
						// a closing pool waits this many seconds for connections that it
						// is opening; it would not close connections that open after this
						// time
						return 10;
					}

				});
		faultyDataSource.begin(fault);
		SoakApplication application;
		try {
			application = new SoakApplication(faultyDataSource, tally, run(new DataSourceHolder(faultyDataSource)));
		}
		catch (RuntimeException ex) {
			throw new NotStartedException(ex);
		}
		tally.countStart();
		STRATEGIES.forEach(application::startThread);
		return application;
	}

	private static ConfigurableApplicationContext run(DataSourceHolder holder) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.registerShutdownHook(false)
			.properties("ids.jdbc.initialize-schema=never", "ids.block.wait-timeout=500ms", "ids.coprime.length=10",
					"ids.recycled.series-size=" + DuplicateDetector.SERIES_SIZE, "ids.snowflake.tail=sequence",
					"ids.decimal-uid.node-digits=3", "ids.decimal-uid.random-digits=4", "ids.lease=10s",
					"management.endpoints.jmx.exposure.include=ids")
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DataSourceHolder.class,
					() -> holder));
		STRATEGIES
			.forEach((strategy) -> application.properties("ids.generators." + strategy + ".strategy=" + strategy));
		return application.run();
	}

	private void startThread(String strategy) {
		IdGenerator generator = this.generators.get(strategy);
		TransactionTemplate transaction = new TransactionTemplate(
				this.context.getBean(PlatformTransactionManager.class));
		Thread thread = new Thread(() -> {
			try {
				while (!this.closing) {
					draw(strategy, () -> new long[] { strategy.equals("gapless")
							? transaction.execute((status) -> generator.nextLong()) : generator.nextLong() });
				}
			}
			catch (Throwable ex) {
				this.tally.addViolation("the thread of " + strategy + " has ended: " + ex);
			}
		}, "soak-" + strategy);
		thread.start();
		this.threads.add(thread);
	}

	private void draw(String strategy, Supplier<long[]> ids) {
		try {
			long[] drawn = ids.get();
			for (long id : drawn) {
				if (!this.tally.detector(strategy).isNew(this.generators.get(strategy), id)) {
					this.tally.addViolation(strategy + " issued " + id + ", which it had issued before");
				}
			}
			this.tally.countDrawn(strategy, drawn.length);
			LockSupport.parkNanos(PAUSE_NANOS);
		}
		catch (KeySpaceRegressionException | KeySpaceExhaustedException | ClockException ex) {
			this.tally.addViolation(ex.toString());
		}
		catch (IdGenerationException | DataAccessException | TransactionException ex) {
			this.tally.countFailure();
		}
	}

	void disturb(Fault fault) {
		this.faultyDataSource.begin(fault);
	}

	/**
	 * Draw ids on the calling thread for some time.
	 */
	void drawFor(Duration time) {
		Deadline end = Deadline.after(TimeSource.system(), time);
		while (!end.hasPassed()) {
			draw("sequential", () -> this.generators.get("sequential").nextLongs(100));
		}
	}

	@Override
	public void close() {
		this.closing = true;
		for (Thread thread : this.threads) {
			try {
				thread.join();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
		this.context.close();
	}

	/**
	 * Holds the data source of the pool. The data source itself is not a bean, since it
	 * would be a second {@code DataSource}.
	 */
	record DataSourceHolder(DataSource source) {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceTransactionManagerAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
			IdsAutoConfiguration.class, IdsEndpointAutoConfiguration.class,
			IdsHealthContributorAutoConfiguration.class })
	static class Application {

		@Bean
		HikariDataSource dataSource(DataSourceHolder holder) {
			HikariDataSource pool = new HikariDataSource();
			pool.setDataSource(holder.source());
			pool.setMaximumPoolSize(CONNECTIONS - 1);
			pool.setConnectionTimeout(500);
			return pool;
		}

	}

	static final class NotStartedException extends RuntimeException {

		NotStartedException(RuntimeException cause) {
			super(cause);
		}

	}

}
