package dev.idspring.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.monitor.ManagedIdGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.support.AutowireCandidateResolver;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.MethodParameter;

/**
 * Excludes the default generator from injection points that are named after another
 * generator. The default generator is primary, and Spring selects a primary bean before
 * it compares names. So without this class, the injection point {@code IdGenerator
 * ordersIdGenerator} would get the default generator.
 * <ul>
 * <li>If the injection point has the name of another generator's bean, the default
 * generator is not a candidate.</li>
 * <li>If the name of the injection point only resembles the name of a generator, the
 * application fails to start. Otherwise the default generator would silently fill a
 * column with keys of the wrong key space.</li>
 * <li>If the name of the injection point is unknown, because its class was compiled
 * without {@code -parameters}, the application fails to start for the same reason.</li>
 * <li>If the injection point has a qualifier, only the qualifier matters.</li>
 * </ul>
 * Everything else is delegated to the bean factory's previous resolver. An application
 * that has only the default generator keeps that resolver.
 */
final class GeneratorInjection implements AutowireCandidateResolver {

	static final String DEFAULT_BEAN = "idGenerator";

	/**
	 * The name of a bean that exists only if the starter itself has defined
	 * {@link #DEFAULT_BEAN}. If there are other generators, this resolver is installed in
	 * the context of that bean and in child contexts.
	 */
	static final String DEFAULT_BEAN_MARKER = "idsInjectionPointNames";

	private static final List<String> SUFFIXES = List.of("idgenerator", "generator", "ids");

	/**
	 * The minimum length of names that are considered similar if they differ in one
	 * letter. Shorter names are probably different words.
	 */
	private static final int MIN_SIMILAR_LENGTH = 5;

	private final DefaultListableBeanFactory beans;

	private final Collection<String> names;

	private final AutowireCandidateResolver delegate;

	private final Set<String> loggedPlaces = ConcurrentHashMap.newKeySet();

	private GeneratorInjection(DefaultListableBeanFactory beans, Collection<String> names,
			AutowireCandidateResolver delegate) {
		this.beans = beans;
		this.names = names;
		this.delegate = delegate;
	}

	/**
	 * Install this resolver in a bean factory.
	 * @param beans the bean factory; the default generator is a primary bean in this
	 * factory or in a parent
	 * @param names the names of the other generators
	 */
	static void install(DefaultListableBeanFactory beans, Collection<String> names) {
		beans.setAutowireCandidateResolver(new GeneratorInjection(beans, names, beans.getAutowireCandidateResolver()));
	}

	@Override
	public boolean isAutowireCandidate(BeanDefinitionHolder bean, DependencyDescriptor descriptor) {
		return this.delegate.isAutowireCandidate(bean, descriptor)
				&& !(bean.getBeanName().equals(DEFAULT_BEAN) && namesOtherGenerator(descriptor));
	}

	/**
	 * Return whether the name of an injection point is that of another generator's bean.
	 * Fail if the default generator would be injected although the name resembles that of
	 * another generator, or is missing from the class file.
	 */
	private boolean namesOtherGenerator(DependencyDescriptor descriptor) {
		String pointName = descriptor.getDependencyName();
		if (!IdGenerator.class.isAssignableFrom(descriptor.getDependencyType()) || isForAll(descriptor)
				|| this.delegate.hasQualifier(descriptor)) {
			return false;
		}
		for (String name : this.names) {
			if (IdGeneratorRegistrar.beanName(name).equals(pointName)) {
				return true;
			}
		}
		Object instance = this.beans.getSingleton(DEFAULT_BEAN);
		boolean replacedByMock = instance != null && !(instance instanceof ManagedIdGenerator);
		if (replacedByMock) {
			return false;
		}
		if (pointName == null) {
			verifyParameterNameIsKnown(descriptor);
			return false;
		}
		this.names.stream().filter((name) -> resembles(pointName, name)).findFirst().ifPresent((name) -> {
			throw misleadingName(descriptor, pointName, name);
		});
		IdGeneratorRegistrar.logIfMissing(pointName, descriptor.getMember().getDeclaringClass(), this.loggedPlaces);
		return false;
	}

	/**
	 * Return whether all generators are injected, as an array, a collection or a map.
	 */
	private static boolean isForAll(DependencyDescriptor descriptor) {
		Class<?> declared = (descriptor.getField() != null) ? descriptor.getField().getType()
				: Objects.requireNonNull(descriptor.getMethodParameter()).getParameterType();
		return declared.isArray() || Collection.class.isAssignableFrom(declared)
				|| Map.class.isAssignableFrom(declared);
	}

	/**
	 * Verify that the class file contains the name of a parameter. Called if Spring knows
	 * no name for the injection point. This is also the case for autowiring by type.
	 */
	private void verifyParameterNameIsKnown(DependencyDescriptor descriptor) {
		MethodParameter parameter = Objects.requireNonNull(descriptor.getMethodParameter());
		if (parameter.getParameterName() == null) {
			throw new IdSetupException(
					"The name of parameter " + parameter.getParameterIndex() + " of " + parameter.getExecutable()
							+ " is unknown, so the name cannot select an id generator.",
					"Compile the class with the option -parameters, or write @Qualifier(\"...\") IdGenerator with one"
							+ " of " + GeneratorPropertiesBinder.DEFAULT_NAME + ", " + GeneratorNames.listed(this.names)
							+ ".");
		}
	}

	private IdSetupException misleadingName(DependencyDescriptor descriptor, String pointName, String name) {
		String place = descriptor.getMember().getDeclaringClass().getName();
		String bean = IdGeneratorRegistrar.beanName(name);
		// a bean of the application that replaces the generator may lack the qualifier
		String qualifier = BeanFactoryAnnotationUtils.isQualifierMatch(name::equals, bean, this.beans) ? name : bean;
		return new IdSetupException(
				"'" + pointName + "' of " + place + " is named like the id generator '" + name
						+ "' but would get the default one.",
				"Write @Qualifier(\"" + qualifier + "\") IdGenerator " + pointName + ", or name it " + bean
						+ ". If you mean the default generator, write @Qualifier(\""
						+ GeneratorPropertiesBinder.DEFAULT_NAME + "\") or use another name.");
	}

	private static boolean resembles(String pointName, String name) {
		String uniformPoint = GeneratorNames.uniform(pointName);
		String uniformName = GeneratorNames.uniform(name);
		String one = withoutSuffix(uniformPoint);
		String other = withoutSuffix(uniformName);
		return one.equals(other) || uniformPoint.equals(uniformName) || one.length() >= MIN_SIMILAR_LENGTH
				&& other.length() >= MIN_SIMILAR_LENGTH && ConfigurationCheck.distance(one, other) == 1;
	}

	private static String withoutSuffix(String uniformName) {
		for (String suffix : SUFFIXES) {
			if (uniformName.endsWith(suffix) && uniformName.length() > suffix.length()) {
				return uniformName.substring(0, uniformName.length() - suffix.length());
			}
		}
		return uniformName;
	}

	@Override
	public boolean isRequired(DependencyDescriptor descriptor) {
		return this.delegate.isRequired(descriptor);
	}

	@Override
	public boolean hasQualifier(DependencyDescriptor descriptor) {
		return this.delegate.hasQualifier(descriptor);
	}

	@Override
	public @Nullable String getSuggestedName(DependencyDescriptor descriptor) {
		return this.delegate.getSuggestedName(descriptor);
	}

	@Override
	public @Nullable Object getSuggestedValue(DependencyDescriptor descriptor) {
		return this.delegate.getSuggestedValue(descriptor);
	}

	@Override
	public @Nullable Object getLazyResolutionProxyIfNecessary(DependencyDescriptor descriptor,
			@Nullable String beanName) {
		return this.delegate.getLazyResolutionProxyIfNecessary(descriptor, beanName);
	}

	@Override
	public @Nullable Class<?> getLazyResolutionProxyClass(DependencyDescriptor descriptor, @Nullable String beanName) {
		return this.delegate.getLazyResolutionProxyClass(descriptor, beanName);
	}

	@Override
	public AutowireCandidateResolver cloneIfNecessary() {
		return new GeneratorInjection(this.beans, this.names, this.delegate.cloneIfNecessary());
	}

}
