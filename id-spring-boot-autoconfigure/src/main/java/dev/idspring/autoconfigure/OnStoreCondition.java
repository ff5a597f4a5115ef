package dev.idspring.autoconfigure;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches the store that {@code ids.store} names, in whatever spelling it binds.
 */
class OnStoreCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Map<String, @Nullable Object> attributes = metadata.getAnnotationAttributes(ConditionalOnStore.class.getName());
		Object wanted = (attributes != null) ? attributes.get("value") : null;
		ConditionMessage.Builder message = ConditionMessage.forCondition("Id store", String.valueOf(wanted));
		try {
			StoreType configured = StoreType.configured(context.getEnvironment());
			return new ConditionOutcome(configured == wanted, message.because("ids.store is " + configured));
		}
		catch (BindException ex) {
			// binding the properties will fail as well, and say which values there are
			return ConditionOutcome.noMatch(message.because("ids.store has an unknown value"));
		}
	}

}
