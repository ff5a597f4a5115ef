package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.worker.StoreWorker;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Closes the generators of a context within a time limit. Then closes their stores and
 * the scoped generators within another time limit.
 * <p>
 * Spring itself would close a generator too early, because it destroys beans in the
 * reverse order of their creation. A bean that was created before the generator may still
 * save rows when it is destroyed. Spring does not know that such a bean depends on the
 * generator.
 * <p>
 * Spring destroys this closer just before the bean that provides the connections of the
 * store, such as the connection pool. By then, Spring has destroyed all beans that were
 * created after the connection pool, including all beans that use it. If no bean provides
 * connections, the closer is destroyed last.
 */
final class GeneratorCloser implements MergedBeanDefinitionPostProcessor, DisposableBean, PriorityOrdered {

	static final String BEAN_NAME = "idsGeneratorCloser";

	private static final Log logger = LogFactory.getLog(GeneratorCloser.class);

	private static final List<Class<?>> CLOSED_TYPES = List.of(ManagedIdGenerator.class, ManagedScopedIdGenerator.class,
			StoreConnector.class, MemoryStores.class);

	private static final List<Class<?>> ID_SUPPLIER_TYPES = List.of(IdGenerators.class, IdGenerator.class,
			ScopedIdGenerator.class);

	/** The types of database clients with which applications save rows. */
	private static final List<String> CLIENTS = List.of("javax.sql.DataSource", "io.r2dbc.spi.ConnectionFactory",
			"com.mongodb.client.MongoClient", "com.mongodb.reactivestreams.client.MongoClient",
			"com.datastax.oss.driver.api.core.CqlSession", "org.neo4j.driver.Driver");

	private final DefaultListableBeanFactory beans;

	private final Duration timeout;

	private final Duration storeTimeout;

	private final Set<String> closedBeanNames = ConcurrentHashMap.newKeySet();

	private final Queue<ManagedIdGenerator> generators = new ConcurrentLinkedQueue<>();

	/** The stores and scoped generators to close, the most recently created one first. */
	private final Deque<AutoCloseable> others = new ConcurrentLinkedDeque<>();

	/**
	 * Whether closing has begun. A generator or store that is created later is closed
	 * immediately.
	 */
	private volatile boolean closing;

	GeneratorCloser(DefaultListableBeanFactory beans) {
		this(beans, Duration.ofSeconds(6), Duration.ofSeconds(2));
	}

	/**
	 * Create a closer.
	 * @param beans the bean factory of the context
	 * @param timeout how long to wait for all generators together
	 * @param storeTimeout how long to wait afterwards for all stores and scoped
	 * generators together. This time is limited because a connection pool may take about
	 * 25 seconds to close
	 */
	GeneratorCloser(DefaultListableBeanFactory beans, Duration timeout, Duration storeTimeout) {
		this.beans = beans;
		this.timeout = timeout;
		this.storeTimeout = storeTimeout;
	}

	/**
	 * Run last among the post-processors that are {@link PriorityOrdered}. Spring creates
	 * these post-processors before ordinary beans. It therefore destroys them after
	 * ordinary beans, unless a dependency requires another order.
	 */
	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	/**
	 * Prevent Spring from closing the beans that this class closes. A bean with a custom
	 * destroy method is left to Spring.
	 */
	@Override
	public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String beanName) {
		String method = definition.getDestroyMethodName();
		// change nothing during ahead-of-time processing, which would record the empty
		// method name as if the application had set it
		if (isOneOf(CLOSED_TYPES, type) && definition.isSingleton()
				&& !Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)
				&& (method == null || method.equals(AbstractBeanDefinition.INFER_METHOD) || method.equals("close"))) {
			definition.setDestroyMethodName("");
			this.closedBeanNames.add(beanName);
		}
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (this.closedBeanNames.contains(beanName)) {
			if (bean instanceof ManagedIdGenerator generator) {
				this.generators.add(generator);
			}
			else {
				this.others.addFirst((AutoCloseable) bean);
			}
			if (this.closing) {
				close((AutoCloseable) bean, bean);
			}
		}
		if (isOneOf(ID_SUPPLIER_TYPES, bean.getClass())) {
			this.beans.registerDependentBean(BEAN_NAME, beanName);
		}
		else if (bean instanceof StoreConnector connector) {
			closeBefore(connector.resource());
		}
		else if (bean instanceof KeySpaceStore || bean instanceof SlotStore) {
			this.beans.registerDependentBean(beanName, BEAN_NAME);
		}
		return bean;
	}

	private void closeBefore(Object resource) {
		for (String name : this.beans.getBeanNamesForType(resource.getClass(), false, false)) {
			if (this.beans.containsSingleton(name) && this.beans.getBean(name) == resource) {
				this.beans.registerDependentBean(name, BEAN_NAME);
			}
		}
	}

	@Override
	public void destroy() {
		close(this::destroyBeansThatUseIds, "the beans that use ids");
		this.closing = true;
		List<CompletableFuture<?>> closings = new ArrayList<>();
		this.generators.forEach((generator) -> close(() -> closings.add(generator.beginClose()), generator));
		StoreWorker.awaitAll(closings, this.timeout);
		closeOthers();
	}

	/**
	 * Close the stores and the scoped generators. After the time limit, closing continues
	 * in the background.
	 */
	private void closeOthers() {
		if (this.others.isEmpty()) {
			return;
		}
		CompletableFuture<Void> closed = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			this.others.forEach((other) -> close(other, other));
			closed.complete(null);
		}, "ids-close");
		thread.setDaemon(true);
		thread.start();
		if (!StoreWorker.awaitAll(List.of(closed), this.storeTimeout)) {
			logger.info("The id store is slow to close; closing continues in the background");
		}
	}

	private static void close(AutoCloseable action, Object closed) {
		try {
			action.close();
		}
		catch (Exception | LinkageError ex) {
			// a failure must not prevent the other objects from being closed
			logger.warn("Could not close " + closed, ex);
		}
	}

	/**
	 * Destroy the beans that may still use generators, the newest one first, as Spring
	 * does. These are the oldest database client (even if the store does not use it), all
	 * beans that were created after this client, and older beans that have a field for a
	 * generator. Beans on which this closer depends are not destroyed.
	 */
	private void destroyBeansThatUseIds() {
		List<String> created = List.of(this.beans.getSingletonNames());
		Set<String> closerDependencies = new HashSet<>();
		addDependencies(BEAN_NAME, closerDependencies);
		int first = clients().mapToInt(created::indexOf).filter((index) -> index >= 0).min().orElse(created.size());
		for (int i = created.size() - 1; i >= 0; i--) {
			String name = created.get(i);
			if (!closerDependencies.contains(name) && this.beans.containsBeanDefinition(name)
					&& (i >= first || hasGeneratorField(name))) {
				this.beans.destroySingleton(name);
			}
		}
	}

	private void addDependencies(String beanName, Set<String> names) {
		if (names.add(beanName)) {
			for (String name : this.beans.getDependenciesForBean(beanName)) {
				addDependencies(name, names);
			}
		}
	}

	private Stream<String> clients() {
		ClassLoader loader = this.beans.getBeanClassLoader();
		return CLIENTS.stream()
			.filter((client) -> ClassUtils.isPresent(client, loader))
			.flatMap((client) -> Stream
				.of(this.beans.getBeanNamesForType(ClassUtils.resolveClassName(client, loader), false, false)));
	}

	/**
	 * Return whether a bean has a field for a generator, for all generators, or for a
	 * provider of one of these. Spring does not record the dependency of a bean that
	 * requests its generator only after the bean was created.
	 */
	private boolean hasGeneratorField(String beanName) {
		Object bean = this.beans.getSingleton(beanName);
		if (bean == null) {
			return false;
		}
		List<Class<?>> types = new ArrayList<>();
		ReflectionUtils.doWithFields(bean.getClass(), (field) -> {
			boolean provider = ObjectFactory.class.isAssignableFrom(field.getType())
					|| field.getType().getName().equals("jakarta.inject.Provider");
			ResolvableType type = ResolvableType.forField(field, bean.getClass());
			types.add((provider ? type.getGeneric() : type).resolve(Object.class));
		});
		return types.stream().anyMatch((type) -> isOneOf(ID_SUPPLIER_TYPES, type));
	}

	private static boolean isOneOf(List<Class<?>> types, Class<?> type) {
		// a loop, because this method runs for each bean, and streams are slow before
		// the JVM has warmed up
		for (Class<?> one : types) {
			if (one.isAssignableFrom(type)) {
				return true;
			}
		}
		return false;
	}

}
