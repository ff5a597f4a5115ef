package dev.idspring.autoconfigure;

import java.util.Arrays;
import java.util.stream.Collectors;

import dev.idspring.monitor.ManagedIdGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.StringUtils;

/**
 * Registers generators as plain bean definitions with a factory method, while the
 * auto-configuration is being read: conditions that come later see them, they can be
 * injected into constructors, and ahead-of-time processing can write them down.
 */
abstract class IdGeneratorRegistrar implements ImportBeanDefinitionRegistrar {

	/**
	 * Registers the generator that the properties right under {@code ids} describe.
	 */
	static final class Default extends IdGeneratorRegistrar {

		@Override
		public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
			register(registry, "idGenerator", DefaultIdGenerator.class, "createDefault",
					GeneratorPropertiesBinder.DEFAULT_NAME);
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
				GeneratorNames.verify(name);
				String beanName = Arrays.stream(name.split("[-_]+"))
					.map(StringUtils::capitalize)
					.collect(Collectors.joining("", "", "IdGenerator"));
				register(registry, name.charAt(0) + beanName.substring(1), ManagedIdGenerator.class, "create", name);
			}
		}

	}

	private static void register(BeanDefinitionRegistry registry, String beanName, Class<?> type, String factoryMethod,
			String name) {
		if (!registry.containsBeanDefinition(beanName)) {
			RootBeanDefinition definition = new RootBeanDefinition(type);
			definition.setFactoryBeanName(IdGeneratorFactory.BEAN_NAME);
			definition.setUniqueFactoryMethodName(factoryMethod);
			definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
			definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
			definition.setDestroyMethodName(AbstractBeanDefinition.INFER_METHOD);
			registry.registerBeanDefinition(beanName, definition);
		}
	}

}
