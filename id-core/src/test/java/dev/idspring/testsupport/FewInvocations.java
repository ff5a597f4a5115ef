package dev.idspring.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Marks a parameterized test. {@code mvn verify} runs only its first invocations, and
 * {@code -Pwide} runs all of them.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Tag("longer")
@ExtendWith(FewInvocations.Condition.class)
public @interface FewInvocations {

	/**
	 * Return how many invocations {@code mvn verify} runs.
	 */
	int value();

	/**
	 * Disables the other invocations.
	 */
	final class Condition implements ExecutionCondition {

		private static final Pattern INVOCATION = Pattern.compile("-invocation:#(\\d+)]$");

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			Matcher invocation = INVOCATION.matcher(context.getUniqueId());
			return (Boolean.getBoolean("test.ids.all-invocations") || !invocation.find()
					|| Integer.parseInt(invocation.group(1)) <= context.getRequiredTestMethod()
						.getAnnotation(FewInvocations.class)
						.value()) ? ConditionEvaluationResult.enabled("")
								: ConditionEvaluationResult.disabled("-Pwide runs it");
		}

	}

}
