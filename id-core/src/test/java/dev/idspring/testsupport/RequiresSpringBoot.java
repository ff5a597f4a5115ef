package dev.idspring.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Disables a test on earlier versions of Spring Boot.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresSpringBoot.Condition.class)
public @interface RequiresSpringBoot {

	/**
	 * Return the first version on which the test can run.
	 * @return major and minor version, with a point between them
	 */
	String version();

	/**
	 * Return why the test cannot run on earlier versions.
	 * @return the reason
	 */
	String because();

	/**
	 * Compares the version of Spring Boot.
	 */
	final class Condition implements ExecutionCondition {

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			String running = running();
			return AnnotationSupport.findAnnotation(context.getElement(), RequiresSpringBoot.class)
				.filter((required) -> running.compareTo(required.version()) < 0)
				.map((required) -> ConditionEvaluationResult.disabled(running + ": " + required.because()))
				.orElseGet(() -> ConditionEvaluationResult.enabled(running));
		}

		/**
		 * Return the running version. All versions so far have a single digit as major
		 * and minor version, so they can be compared as text.
		 */
		private static String running() {
			try {
				return (String) Class.forName("org.springframework.boot.SpringBootVersion")
					.getMethod("getVersion")
					.invoke(null);
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException("This test is not for modules without Spring Boot", ex);
			}
		}

	}

}
