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
 * Disables a test on versions of Spring Boot that are earlier than the required one.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresSpringBoot.Condition.class)
public @interface RequiresSpringBoot {

	/**
	 * Return the earliest version of Spring Boot on which the test can run.
	 * @return major and minor version, separated by a dot
	 */
	String version();

	String because();

	/**
	 * Compares the running version of Spring Boot with the required one.
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
		 * Return the running version. So far, all major and minor versions have had a
		 * single digit, so versions can be compared as strings.
		 */
		private static String running() {
			try {
				return (String) Class.forName("org.springframework.boot.SpringBootVersion")
					.getMethod("getVersion")
					.invoke(null);
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException("@RequiresSpringBoot requires Spring Boot on the class path", ex);
			}
		}

	}

}
