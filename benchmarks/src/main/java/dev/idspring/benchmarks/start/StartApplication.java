package dev.idspring.benchmarks.start;

import java.lang.management.ManagementFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A web application with a database. It prints how long it took to start and how many
 * classes were loaded, and stops.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class StartApplication {

	/** The beginning of the output line. */
	static final String READY = "READY AFTER MILLISECONDS, CLASSES: ";

	/**
	 * Access the database at startup, because real applications do so to check or create
	 * tables.
	 */
	@Bean
	static Tables tables(JdbcTemplate jdbc) {
		jdbc.execute("create table if not exists application (id bigint not null primary key)");
		return new Tables();
	}

	@Bean
	static ApplicationListener<ApplicationReadyEvent> ready() {
		return (event) -> System.out.println(READY + ManagementFactory.getRuntimeMXBean().getUptime() + ", "
				+ ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
	}

	public static void main(String[] args) {
		ConfigurableApplicationContext context = SpringApplication.run(StartApplication.class, args);
		System.exit(SpringApplication.exit(context));
	}

	/**
	 * A placeholder for beans that use the database, such as repositories.
	 */
	static final class Tables {

	}

}
