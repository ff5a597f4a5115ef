package dev.idspring.autoconfigure;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Registers a bean definition with a factory method for each generator below
 * {@code ids.generators}. The definitions are registered while the auto-configuration is
 * read. Therefore, later conditions see the beans, constructors can receive them, and
 * ahead-of-time processing can record them.
 * <p>
 * If the application already has a bean with the name of a generator's bean, that bean is
 * not overridden. A bean that is a generator of the required type replaces the generator
 * of the starter. If the bean has another type, the application fails to start.
 */
final class IdGeneratorRegistrar implements ImportBeanDefinitionRegistrar {

	private static final Log logger = LogFactory.getLog(IdGeneratorRegistrar.class);

	/** The suffix of the bean names of generators. */
	static final String SUFFIX = "IdGenerator";

	private final Environment environment;

	IdGeneratorRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
		for (String name : GeneratorNames.of(this.environment)) {
			GeneratorNames.verify(name);
			String beanName = beanName(name);
			if (!((ConfigurableListableBeanFactory) registry).containsLocalBean(beanName)) {
				registry.registerBeanDefinition(beanName, definition(name, isScoped(name, this.environment)));
			}
		}
	}

	/**
	 * Return the generator beans of the application that replace the default generator. A
	 * bean replaces it if the bean can be injected without a qualifier, unless the bean
	 * has the name of a named generator's bean and is not primary.
	 */
	static List<String> replacementsOfDefault(ConfigurableListableBeanFactory beans, Environment environment) {
		String[] all = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, IdGenerator.class, true, false);
		if (all.length == 0) {
			// for most applications, this avoids a search of all properties
			return List.of();
		}
		List<String> named = GeneratorNames.of(environment).stream().map(IdGeneratorRegistrar::beanName).toList();
		return Stream.of(all)
			.filter((name) -> (!named.contains(name) || isPrimary(beans, name)) && isCandidate(beans, name))
			.toList();
	}

	private static boolean isPrimary(ConfigurableListableBeanFactory beans, String name) {
		return beans.containsBeanDefinition(name) && beans.getBeanDefinition(name).isPrimary();
	}

	/**
	 * Return whether a bean can be injected without a qualifier.
	 */
	static boolean isCandidate(ConfigurableListableBeanFactory beans, String name) {
		try {
			BeanDefinition definition = beans.getMergedBeanDefinition(name);
			return definition.isAutowireCandidate()
					&& !(definition instanceof AbstractBeanDefinition type && !type.isDefaultCandidate());
		}
		catch (NoSuchBeanDefinitionException ex) {
			// registered programmatically as a singleton
			return true;
		}
	}

	/**
	 * Verify the beans of all named generators, after all bean definitions have been
	 * registered.
	 */
	static void verify(ConfigurableListableBeanFactory beans, Environment environment, Set<String> names) {
		for (String name : names) {
			verify(beans, beanName(name), name, isScoped(name, environment));
		}
	}

	/**
	 * Verify that the bean with the name of a generator's bean is a generator.
	 * @throws IdSetupException if the bean has another type
	 */
	static void verify(ConfigurableListableBeanFactory beans, String beanName, String name, boolean scoped) {
		Class<?> requiredType = scoped ? ScopedIdGenerator.class : IdGenerator.class;
		Class<?> type = beans.containsLocalBean(beanName) ? beans.getType(beanName, false) : null;
		if (type != null && !requiredType.isAssignableFrom(type)) {
			boolean isDefault = name.equals(GeneratorPropertiesBinder.DEFAULT_NAME);
			throw new IdSetupException(
					"The bean '" + beanName + "', " + origin(beans, beanName) + ", has the name of the bean of id"
							+ " generator '" + name + "', but its type is " + type.getName() + " and not "
							+ requiredType.getName() + ".",
					"Rename the bean" + (isDefault ? "" : " or the generator") + ". If the bean is to replace the"
							+ " generator, declare it as " + requiredType.getSimpleName() + ".",
					List.of(GeneratorPropertiesBinder.prefix(name).toString()), null);
		}
	}

	private static String origin(ConfigurableListableBeanFactory beans, String beanName) {
		try {
			BeanDefinition definition = beans.getMergedBeanDefinition(beanName);
			String method = definition.getFactoryMethodName();
			String resource = definition.getResourceDescription();
			return "defined" + ((method != null) ? " by method '" + method + "'" : "")
					+ ((resource != null) ? " in " + resource : " programmatically");
		}
		catch (NoSuchBeanDefinitionException ex) {
			return "registered programmatically as a singleton";
		}
	}

	/**
	 * Log each injection point that gets the default generator although it is named after
	 * a generator that does not exist. This method is for applications that have only the
	 * default generator, in which {@link GeneratorInjection} is not installed. It
	 * examines the beans that depend on the default generator: their factory methods and,
	 * for singletons, their fields and constructors.
	 */
	static void logMissing(ConfigurableListableBeanFactory beans) {
		Set<String> loggedPlaces = new HashSet<>();
		for (String dependent : beans.getDependentBeans(GeneratorInjection.DEFAULT_BEAN)) {
			Object bean = beans.getSingleton(dependent);
			if (bean != null) {
				Class<?> type = ClassUtils.getUserClass(bean);
				ReflectionUtils.doWithFields(type, (field) -> logIfMissing(field.getName(), type, loggedPlaces),
						(field) -> IdGenerator.class.isAssignableFrom(field.getType()));
				for (Constructor<?> constructor : type.getDeclaredConstructors()) {
					logMissing(constructor, loggedPlaces);
				}
			}
			if (beans.containsBeanDefinition(dependent)
					&& beans.getMergedBeanDefinition(dependent) instanceof RootBeanDefinition definition
					&& definition.getResolvedFactoryMethod() != null) {
				logMissing(definition.getResolvedFactoryMethod(), loggedPlaces);
			}
		}
	}

	private static void logMissing(Executable executable, Set<String> loggedPlaces) {
		for (Parameter parameter : executable.getParameters()) {
			if (IdGenerator.class.isAssignableFrom(parameter.getType())) {
				logIfMissing(parameter.getName(), executable.getDeclaringClass(), loggedPlaces);
			}
		}
	}

	/**
	 * Log an injection point that is named like the bean of a generator other than the
	 * default one. The caller has verified that no such generator exists. The message is
	 * not a warning, because a profile that is not active may configure that generator.
	 */
	static void logIfMissing(String pointName, Class<?> declaringClass, Set<String> loggedPlaces) {
		String place = "'" + pointName + "' of " + declaringClass.getName();
		String name = pointName.endsWith(SUFFIX) ? pointName.substring(0, pointName.length() - SUFFIX.length())
				: GeneratorPropertiesBinder.DEFAULT_NAME;
		if (!name.equalsIgnoreCase(GeneratorPropertiesBinder.DEFAULT_NAME) && loggedPlaces.add(place)) {
			logger.info(place + " gets the default id generator: there is no generator '" + name
					+ "' under ids.generators");
		}
	}

	/**
	 * Return the name of a generator's bean.
	 */
	static String beanName(String name) {
		String words = Arrays.stream(name.split("[-_]+")).map(StringUtils::capitalize).collect(Collectors.joining());
		return name.charAt(0) + words.substring(1) + SUFFIX;
	}

	/**
	 * Return the name of the generator whose bean has the given name. The returned name
	 * lacks dashes and underscores.
	 */
	static String generatorName(String beanName) {
		return beanName.equals(GeneratorInjection.DEFAULT_BEAN) ? GeneratorPropertiesBinder.DEFAULT_NAME
				: beanName.endsWith(SUFFIX) ? beanName.substring(0, beanName.length() - SUFFIX.length()) : beanName;
	}

	/**
	 * Return whether a generator is scoped.
	 */
	private static boolean isScoped(String name, Environment environment) {
		return new GeneratorPropertiesBinder(environment).isScoped(name);
	}

	private static RootBeanDefinition definition(String name, boolean scoped) {
		RootBeanDefinition definition = new RootBeanDefinition(
				scoped ? ManagedScopedIdGenerator.class : ManagedIdGenerator.class);
		definition.setFactoryBeanName(IdGeneratorFactory.BEAN_NAME);
		definition.setUniqueFactoryMethodName(scoped ? "createScoped" : "create");
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
		definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
		return definition;
	}

}
