package dev.idspring.autoconfigure;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.idspring.IdGenerationException;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.ScopedIdGenerator;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCreationNotAllowedException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Provides all generator beans by name. If the default generator is created on demand,
 * neither iterating over the generators nor listing their names creates it.
 */
final class DefaultIdGenerators implements IdGenerators {

	private final Map<String, IdGenerator> generators = new LinkedHashMap<>();

	private final Map<String, ScopedIdGenerator> scoped = new LinkedHashMap<>();

	private final @Nullable OnDemand onDemand;

	/**
	 * Create an instance.
	 * @param generators the generators by bean name
	 * @param scoped the scoped generators by bean name
	 * @param onDemand the default generator, or {@code null} if it is not created on
	 * demand
	 */
	DefaultIdGenerators(Map<String, IdGenerator> generators, Map<String, ScopedIdGenerator> scoped,
			@Nullable OnDemand onDemand) {
		scoped.forEach((bean, generator) -> add(this.scoped, bean, generator.name(), generator));
		generators.forEach((bean, generator) -> add(this.generators, bean, generator.name(), generator));
		this.onDemand = onDemand;
	}

	/**
	 * Collect the generators of a context and of its parents.
	 */
	static DefaultIdGenerators of(ConfigurableApplicationContext context) {
		OnDemand onDemand = OnDemand.in(context);
		ListableBeanFactory beans = context.getBeanFactory();
		Map<String, IdGenerator> generators = new LinkedHashMap<>();
		for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, IdGenerator.class)) {
			boolean createdLater = onDemand != null && name.equals(GeneratorInjection.DEFAULT_BEAN);
			// skip the target of a scoped proxy, because the proxy is also a bean
			if (!createdLater && !ScopedProxyUtils.isScopedTarget(name)) {
				generators.put(name, beans.getBean(name, IdGenerator.class));
			}
		}
		return new DefaultIdGenerators(generators,
				BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, ScopedIdGenerator.class), onDemand);
	}

	private static <T> void add(Map<String, T> generators, String beanName, @Nullable String name, T generator) {
		// the name of a mock is null
		String key = (name != null) ? name : IdGeneratorRegistrar.generatorName(beanName);
		if (generators.putIfAbsent(key, generator) != null) {
			throw new IdSetupException("There are two id generators named '" + key + "'.",
					"Give each IdGenerator bean a different name().");
		}
	}

	@Override
	public IdGenerator get(String name) {
		verifyGiven(name, names());
		IdGenerator generator = find(this.generators, name);
		if (generator == null && this.onDemand != null && isDefault(name)) {
			return this.onDemand.get();
		}
		if (generator == null) {
			throw new UnknownGeneratorException((find(this.scoped, name) != null)
					? "The numbers of id generator '" + name + "' have scopes: call scoped(\"" + name
							+ "\").in(...), or inject the generator as a ScopedIdGenerator."
					: "There is no id generator '" + name + "'; known: " + GeneratorNames.listed(names())
							+ ". Named generators are configured under ids.generators.");
		}
		return generator;
	}

	@Override
	public ScopedIdGenerator scoped(String name) {
		verifyGiven(name, this.scoped.keySet());
		ScopedIdGenerator generator = find(this.scoped, name);
		if (generator == null) {
			boolean unscoped = find(this.generators, name) != null || (this.onDemand != null && isDefault(name));
			throw new UnknownGeneratorException(unscoped
					? "The ids of id generator '" + name + "' have no scopes: call get(\"" + name + "\"), or set"
							+ " ids.generators." + name + ".scoped to true."
					: "There is no scoped id generator '" + name + "'; known: "
							+ GeneratorNames.listed(this.scoped.keySet()) + ". Set ids.generators." + name
							+ ".scoped to true.");
		}
		return generator;
	}

	private static void verifyGiven(@Nullable String name, Set<String> known) {
		InvalidSettingException.require(name != null, IdGenerators.class, "name", name,
				"must be given; known: " + GeneratorNames.listed(known));
	}

	private static boolean isDefault(String name) {
		return GeneratorNames.uniform(name).equals(GeneratorPropertiesBinder.DEFAULT_NAME);
	}

	/**
	 * Find a generator by name. If no name matches exactly, case, dashes and underscores
	 * are ignored, as they are when properties are bound. In that case, exactly one
	 * generator must match.
	 */
	private static <T> @Nullable T find(Map<String, T> generators, String name) {
		T generator = generators.get(name);
		if (generator != null) {
			return generator;
		}
		List<T> matches = generators.entrySet()
			.stream()
			.filter((known) -> GeneratorNames.uniform(known.getKey()).equals(GeneratorNames.uniform(name)))
			.map(Map.Entry::getValue)
			.toList();
		return (matches.size() == 1) ? matches.get(0) : null;
	}

	@Override
	public Set<String> names() {
		Set<String> names = new LinkedHashSet<>();
		if (this.onDemand != null) {
			names.add(GeneratorPropertiesBinder.DEFAULT_NAME);
		}
		names.addAll(this.generators.keySet());
		return Collections.unmodifiableSet(names);
	}

	@Override
	public Iterator<IdGenerator> iterator() {
		IdGenerator created = (this.onDemand != null) ? this.onDemand.getIfCreated() : null;
		return Stream.concat(Stream.ofNullable(created), this.generators.values().stream()).toList().iterator();
	}

	/**
	 * The default generator of a context, which is created when it is first requested. A
	 * context that is being closed creates no more beans, but its beans may still request
	 * a generator that exists.
	 */
	static final class OnDemand {

		private final ConfigurableApplicationContext context;

		private volatile @Nullable IdGenerator created;

		private OnDemand(ConfigurableApplicationContext context) {
			this.context = context;
		}

		/**
		 * Find the default generator in a context or its parents.
		 * @return the default generator, or {@code null} if there is none, if it already
		 * exists, or if it is not created on demand
		 */
		static @Nullable OnDemand in(@Nullable ApplicationContext context) {
			if (!(context instanceof ConfigurableApplicationContext configurable)) {
				return null;
			}
			return configurable.getBeanFactory().containsBeanDefinition(GeneratorInjection.DEFAULT_BEAN)
					? inContextOnly(configurable) : in(context.getParent());
		}

		/**
		 * Find the default generator as {@link #in} does, but ignore the parents of the
		 * context.
		 */
		static @Nullable OnDemand inContextOnly(ConfigurableApplicationContext context) {
			ConfigurableListableBeanFactory beans = context.getBeanFactory();
			boolean createdLater = beans.containsBeanDefinition(GeneratorInjection.DEFAULT_BEAN_MARKER)
					&& beans.containsBeanDefinition(GeneratorInjection.DEFAULT_BEAN)
					&& beans.getBeanDefinition(GeneratorInjection.DEFAULT_BEAN).isLazyInit()
					&& !beans.containsSingleton(GeneratorInjection.DEFAULT_BEAN);
			return createdLater ? new OnDemand(context) : null;
		}

		@Nullable IdGenerator getIfCreated() {
			IdGenerator created = this.created;
			if (created == null) {
				created = (IdGenerator) this.context.getBeanFactory().getSingleton(GeneratorInjection.DEFAULT_BEAN);
				if (created != null) {
					this.created = created;
				}
			}
			return created;
		}

		/**
		 * Return the generator. The first call creates it.
		 * @throws IllegalStateException if the generator has not been created, and the
		 * context is closed or being closed
		 */
		IdGenerator get() {
			IdGenerator created = getIfCreated();
			return (created != null) ? created : create();
		}

		private IdGenerator create() {
			try {
				IdGenerator generator = this.context.getBean(GeneratorInjection.DEFAULT_BEAN, IdGenerator.class);
				this.created = generator;
				return generator;
			}
			catch (BeanCreationException ex) {
				// the caller needs the exception of the generator, which Spring has
				// wrapped
				for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
					if (cause instanceof BeanCreationNotAllowedException) {
						throw new IllegalStateException("Id generator '" + GeneratorPropertiesBinder.DEFAULT_NAME
								+ "' cannot be created, because the application context is closed or being"
								+ " closed. Inject the generator into the bean that requests it, so that the"
								+ " generator is created earlier.", ex);
					}
					if (cause instanceof IdSetupException || cause instanceof IdGenerationException) {
						throw (RuntimeException) cause;
					}
				}
				throw ex;
			}
		}

	}

	/**
	 * Thrown if there is no generator with the requested name.
	 */
	static final class UnknownGeneratorException extends IllegalArgumentException {

		private static final long serialVersionUID = 1L;

		private UnknownGeneratorException(String message) {
			super(message);
		}

		/**
		 * Return the method that requested the generator.
		 */
		StackTraceElement caller() {
			return getStackTrace()[1];
		}

	}

}
