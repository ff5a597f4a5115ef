package dev.idspring.autoconfigure;

import java.util.List;

import dev.idspring.IdSetupException;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * What remembers how far key spaces are reserved.
 *
 * @since 0.1.0
 */
public enum StoreType {

	/**
	 * A table in the application's database.
	 */
	JDBC,

	/**
	 * The memory of this JVM: forgets everything at shutdown, so ids repeat after a
	 * restart.
	 */
	MEMORY,

	/**
	 * Nothing, for time strategies whose nodes have numbers that are given.
	 */
	NONE;

	/**
	 * Return the store that {@code ids.store} names, in whatever spelling it binds.
	 * @throws BindException if there is none of that name
	 */
	static StoreType configured(Environment environment) {
		return Binder.get(environment).bind("ids.store", StoreType.class).orElse(JDBC);
	}

	/**
	 * Refuse to serve as a store that the configuration does not ask for. Conditions make
	 * sure of that, unless they were evaluated when the application was built.
	 * @param configured the store that is configured now
	 */
	void checkConfigured(StoreType configured) {
		if (configured != this) {
			throw new IdSetupException(
					"ids.store is " + configured.id() + ", but was " + id()
							+ " when the application was processed ahead of time.",
					"Set ids.store to " + id() + ", or build the application with ids.store=" + configured.id() + ".",
					List.of("ids.store"), null);
		}
	}

	/**
	 * Return the name as it is written in configuration files.
	 */
	String id() {
		return Strategy.nameOf(this);
	}

	/**
	 * Matches the store that {@code ids.store} names, in whatever spelling it binds.
	 */
	static final class OnStore extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			StoreType wanted = metadata.getAnnotations()
				.get(ConditionalOnStore.class)
				.getEnum("value", StoreType.class);
			ConditionMessage.Builder message = ConditionMessage.forCondition("Id store", wanted);
			try {
				StoreType configured = StoreType.configured(context.getEnvironment());
				return new ConditionOutcome(configured == wanted, message.because("ids.store is " + configured));
			}
			catch (BindException ex) {
				// binding the properties will fail as well, and say which values there
				// are
				return ConditionOutcome.noMatch(message.because("ids.store has an unknown value"));
			}
		}

	}

}
