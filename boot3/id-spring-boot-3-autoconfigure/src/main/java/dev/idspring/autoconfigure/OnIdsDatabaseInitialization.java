package dev.idspring.autoconfigure;

import java.util.List;

import dev.idspring.IdSetupException;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.sql.init.OnDatabaseInitializationCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless {@code ids.jdbc.initialize-schema} is {@code never}.
 */
final class OnIdsDatabaseInitialization extends OnDatabaseInitializationCondition {

	private static final String PROPERTY = "ids.jdbc.initialize-schema";

	OnIdsDatabaseInitialization() {
		super("Ids", PROPERTY);
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		try {
			return super.getMatchOutcome(context, metadata);
		}
		catch (IllegalArgumentException ex) {
			throw new IdSetupException(PROPERTY + " is '" + context.getEnvironment().getProperty(PROPERTY)
					+ "', which is not a known value.", "Use one of embedded, always, never.", List.of(PROPERTY), ex);
		}
	}

}
