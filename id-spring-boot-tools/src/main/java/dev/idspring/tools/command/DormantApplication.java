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
 * demand. No bean is started, and no listener receives an event. The id store is used
 * without running database scripts or migrations first, because a dry run must change
 * nothing.
 * <p>
 * This class does not implement {@code Ordered}, so Spring calls it after the
 * post-processors of Spring Boot that make beans depend on database initialization. This
 * class then removes these dependencies.
 */
final class DormantApplication implements BeanFactoryPostProcessor {

	private static final String DETECTOR = "org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector";

	/**
	 * The names of the metrics beans. These beans are removed because they would close a
	 * dependency cycle when beans are created on demand. The Lettuce connections need the
	 * meter registry, and the registry needs the metrics beans. The metrics beans need
	 * the generators, the generators need the store, and the store needs the connections.
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
	 * Finds the beans that initialize a database. This is a separate class because an
	 * application without JDBC may lack the types that it uses.
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
