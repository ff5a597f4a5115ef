package dev.idspring.autoconfigure;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import org.jspecify.annotations.Nullable;
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
 * Explains why a generator cannot be injected: there is none of that name, or there are
 * none at all.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingGeneratorFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	private static final String TEST_SUPPORT = "org.springframework.boot.test.context.SpringBootTest";

	private final BeanFactory beans;

	private final Environment environment;

	MissingGeneratorFailureAnalyzer(BeanFactory beans, Environment environment) {
		this.beans = beans;
		this.environment = environment;
	}

	/**
	 * Return what to do in a test that loads only a part of the application, empty where
	 * there are no tests.
	 */
	static String testRemedy() {
		return ClassUtils.isPresent(TEST_SUPPORT, MissingGeneratorFailureAnalyzer.class.getClassLoader())
				? " In a test of a slice, such as @WebMvcTest or @DataJdbcTest, annotate the class with"
						+ " @AutoConfigureTestIds of id-spring-boot-test."
				: "";
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		Class<?> wanted = (cause.getResolvableType() != null) ? cause.getResolvableType().resolve() : null;
		if (cause instanceof NoUniqueBeanDefinitionException || description == null
				|| !(wanted == IdGenerator.class || wanted == IdGenerators.class)
				|| !(this.beans instanceof ListableBeanFactory listable)) {
			return null;
		}
		String[] generators = listable.getBeanNamesForType(IdGenerator.class, true, false);
		if (generators.length == 0) {
			return new FailureAnalysis(description + " needs an id generator, and this application context has none.",
					"Do not set ids.enabled to false, nor exclude " + IdsAutoConfiguration.class.getName()
							+ ", where ids are drawn." + testRemedy(),
					cause);
		}
		String qualifier = qualifier(rootFailure);
		return (qualifier == null) ? null
				: new FailureAnalysis(
						description + " needs the id generator '" + qualifier + "', which does not exist. There are "
								+ names(generators) + ".",
						"Correct @Qualifier(\"" + qualifier + "\"), or configure the generator under ids.generators."
								+ qualifier + ".",
						cause);
	}

	private String names(String[] beanNames) {
		Set<String> names = new LinkedHashSet<>();
		if (Arrays.asList(beanNames).contains(GeneratorInjection.DEFAULT_BEAN)) {
			names.add(GeneratorPropertiesBinder.DEFAULT_NAME);
		}
		Set<String> configured = GeneratorNames.of(this.environment);
		names.addAll(configured);
		Set<String> own = configured.stream().map(IdGeneratorRegistrar::beanName).collect(Collectors.toSet());
		Arrays.stream(beanNames)
			.filter((bean) -> !bean.equals(GeneratorInjection.DEFAULT_BEAN) && !own.contains(bean))
			.forEach(names::add);
		return String.join(", ", names);
	}

	private static @Nullable String qualifier(Throwable failure) {
		String qualifier = null;
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			InjectionPoint point = (cause instanceof UnsatisfiedDependencyException ex) ? ex.getInjectionPoint() : null;
			Qualifier annotation = (point != null) ? point.getAnnotation(Qualifier.class) : null;
			qualifier = (annotation != null) ? annotation.value() : qualifier;
		}
		return qualifier;
	}

}
