package dev.idspring.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.idspring.IdSetupException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The store that records which ids have been reserved.
 *
 * @since 0.1.0
 */
public enum StoreType {

	/**
	 * Tables in the application's database.
	 */
	JDBC("dev.idspring.jdbc.JdbcSettings",
			"Check that the database is up, that spring.datasource.* points to it, that it is neither a standby nor"
					+ " read-only, and that the user may select from, insert into and update the tables of the id"
					+ " store."),

	/**
	 * A Valkey or Redis server. Requires the module {@code id-redis}.
	 */
	REDIS("dev.idspring.redis.RedisSettings",
			"Check that the server is up, that spring.data.redis.* points to it, that it is not a replica, and that the"
					+ " user may run scripts on the keys {<ids.redis.key-prefix>}:*, and the commands INFO and"
					+ " WAITAOF."),

	/**
	 * The memory of this JVM. Its contents are lost at shutdown, so ids repeat after a
	 * restart.
	 */
	MEMORY(null, null),

	/**
	 * No store. Only for time-based strategies whose node number is not leased.
	 */
	NONE(null, null);

	private final @Nullable String settingsClass;

	private final @Nullable String advice;

	StoreType(@Nullable String settingsClass, @Nullable String advice) {
		this.settingsClass = settingsClass;
		this.advice = advice;
	}

	/**
	 * Return the store that {@code ids.store} names, in any spelling that Spring Boot can
	 * bind. If the property is not set, return the default store.
	 * @throws BindException if there is no store with that name
	 */
	static StoreType configured(Environment environment) {
		return Binder.get(environment).bind("ids.store", StoreType.class).orElse(JDBC);
	}

	/**
	 * Return the store to which a settings class belongs. The classes are compared by
	 * name, because the module of a store may be absent.
	 */
	static Optional<StoreType> ofSettings(Class<?> settings) {
		return Arrays.stream(values()).filter((type) -> settings.getName().equals(type.settingsClass)).findFirst();
	}

	/**
	 * Verify that this store is the configured one. Conditions ensure this, unless they
	 * were evaluated when the application was built (ahead-of-time processing).
	 * @param environment the configuration at run time
	 */
	void checkConfigured(Environment environment) {
		StoreType configured = configured(environment);
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
	 * Return the common prefix of the properties of this store, without the final dot.
	 */
	String group() {
		return "ids." + id();
	}

	/**
	 * Return the advice to give if the server of this store does not answer.
	 */
	String advice() {
		return Objects.requireNonNullElse(this.advice, "Try again.");
	}

	/**
	 * The condition of {@link ConditionalOnStore}.
	 */
	static final class OnStore extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			StoreType requiredType = metadata.getAnnotations()
				.get(ConditionalOnStore.class)
				.getEnum("value", StoreType.class);
			ConditionMessage.Builder message = ConditionMessage.forCondition("Id store", requiredType);
			try {
				StoreType configured = StoreType.configured(context.getEnvironment());
				return new ConditionOutcome(configured == requiredType, message.because("ids.store is " + configured));
			}
			catch (BindException ex) {
				// the generators bind the property again, and their exception lists the
				// valid values
				return ConditionOutcome.noMatch(message.because("ids.store has an unknown value"));
			}
		}

	}

}
