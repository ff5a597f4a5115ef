package dev.idspring.autoconfigure;

import java.util.List;
import java.util.Locale;

import dev.idspring.IdSetupException;
import dev.idspring.monitor.ManagedIdGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers generators as plain bean definitions with a factory method, while the
 * auto-configuration is being read: conditions that come later see them, they can be
 * injected into constructors, and ahead-of-time processing can write them down.
 */
abstract class IdGeneratorRegistrar implements ImportBeanDefinitionRegistrar {

	private static final String SUFFIX = "IdGenerator";

	/**
	 * Registers the generator that the properties right under {@code ids} describe.
	 */
	static final class Default extends IdGeneratorRegistrar {

		@Override
		public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
			register(registry, "idGenerator",
					definition(DefaultIdGenerator.class, "createDefault", GeneratorPropertiesBinder.DEFAULT_NAME));
		}

	}

	/**
	 * Registers the generators under {@code ids.generators}.
	 */
	static final class Named extends IdGeneratorRegistrar {

		private final Environment environment;

		Named(Environment environment) {
			this.environment = environment;
		}

		@Override
		public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
			for (String name : GeneratorNames.of(this.environment)) {
				checkName(name);
				register(registry, beanName(name), definition(ManagedIdGenerator.class, "create", name));
			}
		}

		private static void checkName(String name) {
			if (name.equals(GeneratorPropertiesBinder.DEFAULT_NAME)) {
				throw new IdSetupException("ids.generators.default is set.",
						"The default generator is configured right under ids: remove ids.generators.default.",
						List.of("ids.generators.default"), null);
			}
			if (!name.matches("[A-Za-z][A-Za-z0-9_-]{0,63}")) {
				throw GeneratorNames.invalid(name, "ids.generators[" + name + "]");
			}
		}

		private static String beanName(String name) {
			StringBuilder beanName = new StringBuilder();
			for (String word : name.split("[-_]+")) {
				beanName.append(
						beanName.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
			}
			return beanName + SUFFIX;
		}

	}

	private static RootBeanDefinition definition(Class<?> type, String factoryMethod, String name) {
		RootBeanDefinition definition = new RootBeanDefinition(type);
		definition.setFactoryBeanName(IdGeneratorFactory.BEAN_NAME);
		definition.setUniqueFactoryMethodName(factoryMethod);
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
		definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
		definition.setDestroyMethodName(AbstractBeanDefinition.INFER_METHOD);
		return definition;
	}

	private static void register(BeanDefinitionRegistry registry, String beanName, RootBeanDefinition definition) {
		if (!registry.containsBeanDefinition(beanName)) {
			registry.registerBeanDefinition(beanName, definition);
		}
	}

}
