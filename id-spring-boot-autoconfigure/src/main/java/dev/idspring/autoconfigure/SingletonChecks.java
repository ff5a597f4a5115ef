package dev.idspring.autoconfigure;

import java.util.Arrays;
import java.util.stream.Stream;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Tells what has been made by now, for checks at start that are to make nothing
 * themselves.
 */
final class SingletonChecks {

	private SingletonChecks() {
	}

	/**
	 * Return whether all singletons of some types have been made.
	 */
	static boolean include(ConfigurableListableBeanFactory beans, Class<?>... types) {
		return Arrays.stream(types)
			.flatMap((type) -> Stream.of(beans.getBeanNamesForType(type, true, false)))
			.allMatch(beans::containsSingleton);
	}

}
