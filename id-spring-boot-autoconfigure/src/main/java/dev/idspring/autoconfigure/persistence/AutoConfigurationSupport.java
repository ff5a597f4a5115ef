package dev.idspring.autoconfigure.persistence;

import java.util.stream.Stream;

import dev.idspring.annotation.GeneratedIds;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Code that the auto-configurations of this package share.
 */
final class AutoConfigurationSupport {

	private AutoConfigurationSupport() {
	}

	/**
	 * Return a callback that runs a check if all beans of the given types have been
	 * created at startup. With lazy initialization, some may not exist yet, and the check
	 * does not run.
	 */
	static SmartInitializingSingleton check(Runnable check, ConfigurableListableBeanFactory beans, Class<?>... types) {
		return () -> {
			for (Class<?> type : types) {
				if (!Stream.of(beans.getBeanNamesForType(type, true, false)).allMatch(beans::containsSingleton)) {
					return;
				}
			}
			check.run();
		};
	}

	/**
	 * Return a check that delegates to all check beans. These beans may need the
	 * generators, so they are requested only when a property is verified.
	 */
	static GeneratedIds.Check combine(ObjectProvider<GeneratedIds.Check> checks) {
		return (generator, property) -> checks.forEach((check) -> check.verify(generator, property));
	}

}
