package dev.idspring.tools.command;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.util.ClassUtils;

/**
 * Keeps an application inactive while its context is refreshed. Beans are created only on
 * demand, none is started, and no listener receives an event. No script or migration runs
 * before the id store is used, since a dry run must change nothing.
 * <p>
 * Has no order, so it runs after Spring Boot has made beans depend on database
 * initialization.
 */
final class DormantApplication implements BeanFactoryPostProcessor {

	private static final String DETECTOR = "org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector";

	/**
	 * When created on demand, the connections of Lettuce need the registry of meters. It
	 * needs the generators, they need the store, and the store needs these connections.
	 */
	private static final List<String> METERS = List.of("idGeneratorMetrics", "scopedIdGeneratorMetrics");

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		beans.registerSingleton(AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME, new NoEvents());
		beans.registerSingleton(AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME, new NoLifecycle());
		ClassLoader loader = getClass().getClassLoader();
		Set<String> initializers = ClassUtils.isPresent(DETECTOR, loader) ? Initializers.detect(beans, loader)
				: Set.of();
		if (beans instanceof BeanDefinitionRegistry registry) {
			METERS.stream().filter(registry::containsBeanDefinition).forEach(registry::removeBeanDefinition);
		}
		for (String name : beans.getBeanDefinitionNames()) {
			BeanDefinition definition = beans.getBeanDefinition(name);
			definition.setLazyInit(true);
			String[] dependsOn = definition.getDependsOn();
			if (dependsOn != null) {
				definition.setDependsOn(Arrays.stream(dependsOn)
					.filter((other) -> !initializers.contains(other))
					.toArray(String[]::new));
			}
		}
	}

	/**
	 * A separate class, since its types exist only with JDBC.
	 */
	private static final class Initializers {

		static Set<String> detect(ConfigurableListableBeanFactory beans, ClassLoader loader) {
			Set<String> initializers = new HashSet<>();
			SpringFactoriesLoader.forDefaultResourceLocation(loader)
				.load(DatabaseInitializerDetector.class,
						ArgumentResolver.of(Environment.class, beans.getBean(Environment.class)))
				.forEach((detector) -> initializers.addAll(detector.detect(beans)));
			return initializers;
		}

	}

	private static final class NoEvents extends SimpleApplicationEventMulticaster {

		@Override
		public void multicastEvent(ApplicationEvent event, @Nullable ResolvableType eventType) {
		}

	}

	private static final class NoLifecycle extends DefaultLifecycleProcessor {

		@Override
		public void onRefresh() {
		}

		@Override
		public void onClose() {
		}

	}

}
