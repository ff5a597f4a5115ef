package dev.idspring.autoconfigure;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Explains why a generator cannot be injected. There may be no generator at all, none
 * with the requested name, or none of the requested type.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingGeneratorFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	private static final String TEST_SUPPORT = "org.springframework.boot.test.context.SpringBootTest";

	private static final Pattern QUALIFIER = Pattern.compile("Qualifier\\(\"([^\"]+)\"\\)");

	private final BeanFactory beans;

	private final Environment environment;

	MissingGeneratorFailureAnalyzer(BeanFactory beans, Environment environment) {
		this.beans = beans;
		this.environment = environment;
	}

	/**
	 * Return the remedy for a slice test, which loads only a part of the application. The
	 * string is empty unless Spring Boot's test support is on the class path.
	 */
	static String testRemedy() {
		return ClassUtils.isPresent(TEST_SUPPORT, MissingGeneratorFailureAnalyzer.class.getClassLoader())
				? " In a slice test, such as @WebMvcTest or @DataJdbcTest, annotate the class with"
						+ " @AutoConfigureTestIds from id-spring-boot-test."
				: "";
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		Class<?> type = (cause.getResolvableType() != null) ? cause.getResolvableType().resolve() : null;
		if (cause instanceof NoUniqueBeanDefinitionException || !(this.beans instanceof ListableBeanFactory listable)) {
			return null;
		}
		String bean = (rootFailure instanceof BeanCreationException ex) ? ex.getBeanName() : null;
		String place = (description != null) ? description : (bean != null) ? "Bean '" + bean + "'" : "A bean";
		if (type == null) {
			return analyzeName(place, cause);
		}
		if (type != IdGenerator.class && type != IdGenerators.class) {
			return analyzeOtherType(place, type, cause);
		}
		String[] generators = listable.getBeanNamesForType(IdGenerator.class, true, false);
		if (generators.length == 0) {
			String enabled = this.environment.getProperty("ids.enabled");
			return new FailureAnalysis(
					place + " needs an id generator, and this application context has none."
							+ ((enabled != null) ? " ids.enabled is '" + enabled + "'." : ""),
					"To enable id generators, remove ids.enabled or set it to true, and do not exclude "
							+ IdsAutoConfiguration.class.getName() + "." + testRemedy(),
					cause);
		}
		String qualifier = qualifier(rootFailure, cause);
		if (qualifier != null && new GeneratorPropertiesBinder(this.environment).isScoped(qualifier)) {
			return new FailureAnalysis(
					place + " needs an IdGenerator, but the numbers of id generator '" + qualifier + "' have scopes.",
					"Inject @Qualifier(\"" + qualifier + "\") ScopedIdGenerator instead, and call in(scope).", cause);
		}
		return (qualifier == null) ? null
				: new FailureAnalysis(
						place + " needs the id generator '" + qualifier + "', which does not exist. Known generators: "
								+ generatorNames(generators) + ".",
						"Correct @Qualifier(\"" + qualifier + "\"), or configure the generator under ids.generators."
								+ qualifier + ".",
						cause);
	}

	/**
	 * Explain that the requested bean name is the name of a generator, and that the
	 * generator's bean has another name.
	 */
	private @Nullable FailureAnalysis analyzeName(String place, NoSuchBeanDefinitionException cause) {
		String name = String.valueOf(cause.getBeanName());
		return !GeneratorNames.of(this.environment).contains(name) ? null
				: new FailureAnalysis(
						place + " needs a bean '" + name + "', but the bean of the id generator '" + name + "' is '"
								+ IdGeneratorRegistrar.beanName(name) + "'.",
						"Request " + IdGeneratorRegistrar.beanName(name) + ", or inject @Qualifier(\"" + name
								+ "\") IdGenerator.",
						cause);
	}

	/**
	 * Explain that the requested type is not the type of the generator beans. The
	 * requested type may be an implementation of {@link IdGenerator}, or Spring's
	 * interface of the same name.
	 */
	private static @Nullable FailureAnalysis analyzeOtherType(String place, Class<?> type,
			NoSuchBeanDefinitionException cause) {
		return (!IdGenerator.class.isAssignableFrom(type) && type != org.springframework.util.IdGenerator.class) ? null
				: new FailureAnalysis(
						place + " needs a " + type.getName() + ", but id generators are beans of type "
								+ IdGenerator.class.getName() + ".",
						"Import " + IdGenerator.class.getName() + ". To inject " + type.getName()
								+ ", declare a bean of that type.",
						cause);
	}

	private String generatorNames(String[] beanNames) {
		Set<String> names = new LinkedHashSet<>();
		if (Arrays.asList(beanNames).contains(GeneratorInjection.DEFAULT_BEAN)) {
			names.add(GeneratorPropertiesBinder.DEFAULT_NAME);
		}
		Set<String> configured = GeneratorNames.of(this.environment);
		names.addAll(configured);
		Set<String> configuredBeans = configured.stream()
			.map(IdGeneratorRegistrar::beanName)
			.collect(Collectors.toSet());
		Arrays.stream(beanNames)
			.filter((bean) -> !bean.equals(GeneratorInjection.DEFAULT_BEAN) && !configuredBeans.contains(bean))
			.forEach(names::add);
		return GeneratorNames.listed(names);
	}

	/**
	 * Return the name of the requested generator, or {@code null} if it is not known. The
	 * name is the {@link Qualifier} of the injection point. If the failure has no
	 * injection point, for example because the dependency is lazy, the name is taken from
	 * the message of the exception.
	 */
	private static @Nullable String qualifier(Throwable failure, NoSuchBeanDefinitionException missingBean) {
		Matcher matcher = QUALIFIER.matcher(String.valueOf(missingBean.getMessage()));
		String qualifier = matcher.find() ? matcher.group(1) : null;
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			InjectionPoint point = (cause instanceof UnsatisfiedDependencyException ex) ? ex.getInjectionPoint() : null;
			Qualifier annotation = (point != null) ? point.getAnnotation(Qualifier.class) : null;
			qualifier = (annotation != null) ? annotation.value() : qualifier;
		}
		return qualifier;
	}

}
