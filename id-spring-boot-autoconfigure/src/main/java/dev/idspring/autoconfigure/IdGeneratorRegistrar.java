package dev.idspring.autoconfigure;

import java.util.Arrays;
import java.util.stream.Collectors;

import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.ManagedScopedIdGenerator;
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
 * Registers the generators under {@code ids.generators} as plain bean definitions with a
 * factory method, while the auto-configuration is being read: conditions that come later
 * see them, they can be injected into constructors, and ahead-of-time processing can
 * write them down.
 */
final class IdGeneratorRegistrar implements ImportBeanDefinitionRegistrar {

	private final Environment environment;

	IdGeneratorRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
		for (String name : GeneratorNames.of(this.environment)) {
			GeneratorNames.verify(name);
			String beanName = beanName(name);
			if (!registry.containsBeanDefinition(beanName)) {
				registry.registerBeanDefinition(beanName, definition(name, isScoped(name)));
			}
		}
	}

	/**
	 * Return the name of a generator's bean.
	 */
	static String beanName(String name) {
		String words = Arrays.stream(name.split("[-_]+")).map(StringUtils::capitalize).collect(Collectors.joining());
		return name.charAt(0) + words.substring(1) + "IdGenerator";
	}

	/**
	 * Return whether a generator is a bean of another type.
	 */
	private boolean isScoped(String name) {
		return new GeneratorPropertiesBinder(this.environment).isScoped(name);
	}

	private static RootBeanDefinition definition(String name, boolean scoped) {
		RootBeanDefinition definition = new RootBeanDefinition(
				scoped ? ManagedScopedIdGenerator.class : ManagedIdGenerator.class);
		definition.setFactoryBeanName(IdGeneratorFactory.BEAN_NAME);
		definition.setUniqueFactoryMethodName(scoped ? "createScoped" : "create");
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
		definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
		definition.setDestroyMethodName(AbstractBeanDefinition.INFER_METHOD);
		return definition;
	}

}
