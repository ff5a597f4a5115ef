package dev.idspring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Explains what to leave out of an application that has no database, nor needs one for
 * its ids: the starter brings Spring Boot's {@code DataSource}, which cannot be made
 * then. Ahead of Spring Boot's own analyzer, which cannot know that.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class NeedlessDataSourceFailureAnalyzer implements FailureAnalyzer {

	/** Not visible here. */
	private static final String FAILURE = "org.springframework.boot.jdbc.autoconfigure.DataSourceProperties"
			+ "$DataSourceBeanCreationException";

	private final Environment environment;

	NeedlessDataSourceFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		Throwable cause = failure;
		while (cause != null && !cause.getClass().getName().equals(FAILURE)) {
			cause = cause.getCause();
		}
		StoreType store = store();
		if (cause == null || store == StoreType.JDBC) {
			return null;
		}
		return new FailureAnalysis("Spring Boot cannot make a DataSource: " + cause.getMessage()
				+ ". Ids do not need one, as ids.store is " + store.id()
				+ ", but id-spring-boot-starter brings spring-boot-starter-jdbc, for which Spring Boot makes one.",
				"If the application has no database, set spring.autoconfigure.exclude to"
						+ " org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration. If it has one, set"
						+ " spring.datasource.url, or put an embedded database on the class path.",
				cause);
	}

	private StoreType store() {
		try {
			return StoreType.configured(this.environment);
		}
		catch (BindException ex) {
			return StoreType.JDBC;
		}
	}

}
