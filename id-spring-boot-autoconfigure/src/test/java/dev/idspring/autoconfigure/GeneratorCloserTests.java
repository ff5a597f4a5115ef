package dev.idspring.autoconfigure;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.text.Alphabet;
import dev.idspring.worker.TimeSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link GeneratorCloser}.
 */
class GeneratorCloserTests {

	private final CountDownLatch storeResponds = new CountDownLatch(1);

	private final AtomicInteger giveBackCalls = new AtomicInteger();

	@Test
	void unresponsiveStoreDelaysTheCloseOnlyOnce() {
		DefaultListableBeanFactory beans = startWithGenerators(15, Duration.ofMillis(500));
		long start = System.nanoTime();
		beans.destroySingletons();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(500),
				Duration.ofSeconds(7));
		Awaitility.await().until(() -> this.giveBackCalls.get() == 15);
		this.storeResponds.countDown();
	}

	@Test
	void closeReturnsAfterTheStoreHasResponded() {
		this.storeResponds.countDown();
		startWithGenerators(3, Duration.ofHours(1)).destroySingletons();
		assertThat(this.giveBackCalls).hasValue(3);
	}

	/**
	 * A store may block when it is closed, for example if its connection pool waits for a
	 * database that does not respond.
	 */
	@Test
	void storeThatBlocksInCloseIsClosedInTheBackground() {
		DefaultListableBeanFactory beans = startWithGenerators(0, Duration.ofMillis(1));
		AtomicInteger closedStores = new AtomicInteger();
		add(beans, "other", () -> new Connector(closedStores::incrementAndGet));
		add(beans, "stuck", () -> new Connector(() -> {
			await(this.storeResponds);
			closedStores.incrementAndGet();
		}));
		// without the timeout, this call would not return
		beans.destroySingletons();
		assertThat(closedStores).hasValue(0);
		this.storeResponds.countDown();
		Awaitility.await().until(() -> closedStores.get() == 2);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void closingTheContextWaitsForStoresToClose() {
		DefaultListableBeanFactory beans = startWithGenerators(0, Duration.ofHours(1));
		AtomicInteger closedStores = new AtomicInteger();
		add(beans, "store", () -> new Connector(closedStores::incrementAndGet));
		beans.destroySingletons();
		assertThat(closedStores).hasValue(1);
	}

	@Test
	void closesTheOtherGeneratorsWhenOneFailsToClose() {
		this.storeResponds.countDown();
		DefaultListableBeanFactory beans = startWithGenerators(0, Duration.ofHours(1));
		ManagedIdGenerator broken = mock(ManagedIdGenerator.class);
		given(broken.beginClose()).willThrow(new IllegalStateException("This is a test"));
		add(beans, "broken", () -> broken);
		add(beans, "working", () -> open("working"));
		beans.destroySingletons();
		assertThat(this.giveBackCalls).hasValue(1);
	}

	@Test
	void immediatelyClosesAGeneratorOpenedDuringShutdown() {
		this.storeResponds.countDown();
		DefaultListableBeanFactory beans = startWithGenerators(0, Duration.ofHours(1));
		beans.registerBeanDefinition("late", new RootBeanDefinition(BlockIdGenerator.class, () -> open("late")));
		beans.destroySingletons();
		assertThatIllegalStateException().isThrownBy(beans.getBean("late", ManagedIdGenerator.class)::nextLong);
		assertThat(this.giveBackCalls).hasValue(1);
	}

	@Test
	void doesNotCloseGeneratorsThatTheApplicationCloses() {
		DefaultListableBeanFactory beans = startWithGenerators(0, Duration.ofHours(1));
		for (String method : new String[] { "", "dropMemory" }) {
			RootBeanDefinition definition = new RootBeanDefinition(BlockIdGenerator.class, () -> open("own" + method));
			definition.setDestroyMethodName(method);
			beans.registerBeanDefinition("own" + method, definition);
		}
		BlockIdGenerator unclosed = beans.getBean("own", BlockIdGenerator.class);
		BlockIdGenerator dropped = beans.getBean("owndropMemory", BlockIdGenerator.class);
		beans.destroySingletons();
		assertThatNoException().isThrownBy(unclosed::nextLong);
		assertThatNoException().isThrownBy(dropped::nextLong);
		assertThat(this.giveBackCalls).hasValue(0);
	}

	/**
	 * The bean {@code saver} was created before the store, so without
	 * {@link GeneratorCloser}, Spring would close the store first.
	 */
	@Test
	void storeIsClosedAfterTheLastSaveAndAfterIdsAreGivenBack() {
		this.storeResponds.countDown();
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, IdsAutoConfiguration.class))
			.withPropertyValues("ids.strategy=sequential")
			.withUserConfiguration(RecordingStore.class)
			.run((context) -> {
				assertThat(context.getBean(IdGenerator.class).nextLong()).isEqualTo(1);
				List<String> events = context.getBean(RecordingStore.class).events;
				context.close();
				assertThat(events).containsExactly("saved 2", "giveBack", "destroy");
			});
	}

	private DefaultListableBeanFactory startWithGenerators(int count, Duration timeout) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		add(beans, GeneratorCloser.BEAN_NAME, () -> new GeneratorCloser(beans, timeout, timeout));
		beans.addBeanPostProcessor(beans.getBean(GeneratorCloser.class));
		for (int i = 0; i < count; i++) {
			String name = "test" + i;
			add(beans, name, () -> open(name));
		}
		return beans;
	}

	private static void add(DefaultListableBeanFactory beans, String name, Supplier<?> supplier) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setInstanceSupplier(supplier);
		beans.registerBeanDefinition(name, definition);
		beans.getBean(name);
	}

	private BlockIdGenerator open(String name) {
		BlockIdGenerator ids = BlockIdGenerator
			.coprime(name, new CoprimeSettings(Alphabet.of("0123456789"), 9, 9, null, 0), unresponsiveStore())
			.open();
		ids.nextLong();
		return ids;
	}

	/**
	 * Return a store whose {@code giveBack} blocks until the test lets it continue.
	 */
	private KeySpaceStore unresponsiveStore() {
		KeySpaceStore memory = new InMemoryKeySpaceStore();
		return (KeySpaceStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { KeySpaceStore.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("giveBack")) {
						this.giveBackCalls.incrementAndGet();
						this.storeResponds.await();
					}
					return method.invoke(memory, arguments);
				});
	}

	private static final class Connector extends StoreConnector {

		private final Runnable close;

		Connector(Runnable close) {
			super(StoreType.JDBC, Duration.ofSeconds(1), TimeSource.system());
			this.close = close;
		}

		@Override
		Object resource() {
			return this;
		}

		@Override
		IdStoreUnavailableException unreachable(String problem, RuntimeException cause) {
			throw cause;
		}

		@Override
		public void close() {
			this.close.run();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RecordingStore {

		private final List<String> events = new CopyOnWriteArrayList<>();

		@Bean
		DisposableBean saver(DataSource dataSource, ObjectProvider<IdGenerator> ids) {
			return () -> {
				try (Connection connection = dataSource.getConnection()) {
					this.events.add("saved " + ids.getObject().nextLong());
				}
			};
		}

		@Bean
		KeySpaceStore store() {
			KeySpaceStore memory = new InMemoryKeySpaceStore();
			return (KeySpaceStore) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { KeySpaceStore.class, DisposableBean.class }, (proxy, method, arguments) -> {
						if (method.getName().equals("giveBack") || method.getName().equals("destroy")) {
							this.events.add(method.getName());
						}
						return method.getName().equals("destroy") ? null : method.invoke(memory, arguments);
					});
		}

	}

}
