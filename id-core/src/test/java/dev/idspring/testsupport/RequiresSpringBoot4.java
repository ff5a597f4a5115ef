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
import org.springframework.util.ClassUtils;

/**
 * Disables a test when it is compiled and run for an earlier line of Spring Boot.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresSpringBoot4.Condition.class)
public @interface RequiresSpringBoot4 {

	/**
	 * Return why the test cannot run on an earlier line.
	 * @return the reason
	 */
	String value();

	/**
	 * Looks for a class of Spring Boot 4.
	 */
	final class Condition implements ExecutionCondition {

		private static final String ONLY_THERE = "org.springframework.boot.bootstrap.BootstrapContext";

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			return AnnotationSupport.findAnnotation(context.getElement(), RequiresSpringBoot4.class)
				.filter((required) -> !ClassUtils.isPresent(ONLY_THERE, getClass().getClassLoader()))
				.map((required) -> ConditionEvaluationResult.disabled(required.value()))
				.orElseGet(() -> ConditionEvaluationResult.enabled("Spring Boot 4"));
		}

	}

}
