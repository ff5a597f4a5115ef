package dev.idspring.autoconfigure;

import java.util.List;
import java.util.Locale;

import dev.idspring.IdSetupException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

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
		return name().toLowerCase(Locale.ROOT);
	}

}
