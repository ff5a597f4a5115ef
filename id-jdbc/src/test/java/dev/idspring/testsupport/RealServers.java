package dev.idspring.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Marks tests that need servers that a Maven run does not start. {@code .ci/clusters}
 * provides the servers and runs these tests. In other runs, the tests are skipped if a
 * server is missing.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("clusters")
@ExtendWith(RealServers.Servers.class)
public @interface RealServers {

	/**
	 * Return the servers that the tests need, in addition to the databases of the other
	 * tests.
	 */
	GivenServer[] value() default {};

	/**
	 * Skips classes whose servers are missing, and records the duration of the others.
	 */
	class Servers implements ExecutionCondition, BeforeAllCallback, AfterAllCallback {

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			List<GivenServer> missing = context.getTestClass()
				.flatMap((type) -> AnnotationSupport.findAnnotation(type, RealServers.class))
				.map((servers) -> Arrays.stream(servers.value()).filter((server) -> !server.isGiven()).toList())
				.orElse(List.of());
			return missing.isEmpty() ? ConditionEvaluationResult.enabled("All servers are available")
					: ConditionEvaluationResult.disabled("Missing: " + missing + ". Run .ci/clusters, or set "
							+ missing.stream().map(GivenServer::variable).toList());
		}

		@Override
		public void beforeAll(ExtensionContext context) {
			store(context).put("start", System.nanoTime());
		}

		@Override
		public void afterAll(ExtensionContext context) {
			long nanos = System.nanoTime() - store(context).get("start", Long.class);
			Figures.add("%s: %.1f s", context.getRequiredTestClass().getSimpleName(), nanos / 1e9);
		}

		private static ExtensionContext.Store store(ExtensionContext context) {
			return context.getStore(Namespace.create(Servers.class, context.getRequiredTestClass()));
		}

	}

}
