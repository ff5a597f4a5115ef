package dev.idspring.autoconfigure.persistence;

import java.util.Arrays;
import java.util.stream.Stream;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Lets checks at start skip beans that are created later, so that a check creates none.
 */
final class SingletonChecks {

	private SingletonChecks() {
	}

	/**
	 * Return whether all singletons of some types exist by now.
	 */
	static boolean include(ConfigurableListableBeanFactory beans, Class<?>... types) {
		return Arrays.stream(types)
			.flatMap((type) -> Stream.of(beans.getBeanNamesForType(type, true, false)))
			.allMatch(beans::containsSingleton);
	}

}
