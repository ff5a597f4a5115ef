package dev.idspring.testsupport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Instances of an application, with and without the starter, on the same database.
 */
public final class Instances implements AutoCloseable {

	private final TestDatabase database;

	private final HikariDataSource pool;

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	public Instances(TestDatabase database) {
		this.database = database;
		this.pool = database.pool(10);
	}

	/**
	 * Return the data source of an instance without the starter.
	 */
	public HikariDataSource dataSource() {
		return this.pool;
	}

	public JdbcTemplate jdbc() {
		return new JdbcTemplate(this.pool);
	}

	/**
	 * Start an instance with the starter.
	 */
	public ConfigurableApplicationContext start(String... properties) {
		String[] arguments = properties(properties).map((property) -> "--" + property).toArray(String[]::new);
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.run(arguments);
		this.contexts.add(context);
		return context;
	}

	/**
	 * Return the properties with which an instance is started.
	 */
	public Stream<String> properties(String... additional) {
		return Stream.concat(Stream.of("spring.datasource.url=" + this.database.url(),
				"spring.datasource.username=" + this.database.username(),
				"spring.datasource.password=" + this.database.password(),
				"spring.datasource.hikari.maximum-pool-size=4", "ids.jdbc.initialize-schema=always",
				"ids.key-space=orders"), Arrays.stream(additional));
	}

	public IdGenerator generator(String... properties) {
		return start(properties).getBean(IdGenerator.class);
	}

	/**
	 * Run tasks at the same time, and return their results.
	 */
	@SafeVarargs
	public static <T> List<T> sideBySide(Callable<T>... tasks) {
		return sideBySide(List.of(tasks));
	}

	/**
	 * Run tasks at the same time, and return their results.
	 */
	public static <T> List<T> sideBySide(List<Callable<T>> tasks) {
		CyclicBarrier start = new CyclicBarrier(tasks.size());
		List<CompletableFuture<T>> results = tasks.stream().map((task) -> CompletableFuture.supplyAsync(() -> {
			try {
				start.await();
				return task.call();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}, (command) -> new Thread(command).start())).toList();
		return results.stream().map(CompletableFuture::join).toList();
	}

	@Override
	public void close() {
		this.contexts.forEach(ConfigurableApplicationContext::close);
		this.pool.close();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			JdbcTemplateAutoConfiguration.class, TransactionAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
			IdsAutoConfiguration.class })
	public static class Application {

	}

}
