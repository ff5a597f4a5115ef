package dev.idspring.test.autoconfigure;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.idspring.autoconfigure.IdGeneratorBuilderCustomizer;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.autoconfigure.IdsRedisAutoConfiguration;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.test.TestIdClock;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.TimeSource;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Auto-configuration for id generators in tests. It is active only in tests with
 * {@link AutoConfigureTestIds @AutoConfigureTestIds}, and only if Spring Boot's test
 * support is on the class path. These conditions prevent it from replacing the store of
 * an application in production. Its stores, clock and tail keys are primary, so they take
 * precedence over those of the application.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
		before = { IdsJdbcAutoConfiguration.class, IdsRedisAutoConfiguration.class, IdsAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ids.enabled", matchIfMissing = true)
@ConditionalOnClass(SpringBootTest.class)
public final class TestIdsAutoConfiguration {

	/** The property that sets the initial time of the clock. */
	static final String INSTANT = "spring.test.ids.instant";

	private static final Set<String> TEST_BEANS = Set.of("testIdClock", "testKeySpaceStore", "testSlotStore",
			"testTailKeys", "testGaplessStore");

	/**
	 * Make the application's own stores, clock and tail keys non-primary, because only
	 * one bean of a type can be primary.
	 */
	@Bean
	static BeanFactoryPostProcessor testIdsPrimaries() {
		return (beans) -> {
			for (Class<?> type : List.of(TimeSource.class, KeySpaceStore.class, SlotStore.class, GaplessStore.class,
					Tail.Keys.class)) {
				for (String name : beans.getBeanNamesForType(type, true, false)) {
					if (!TEST_BEANS.contains(name) && beans.containsBeanDefinition(name)) {
						beans.getBeanDefinition(name).setPrimary(false);
					}
				}
			}
		};
	}

	@Bean
	@Primary
	TestIdClock testIdClock(Environment environment) {
		String instant = environment.getProperty(INSTANT);
		return new TestIdClock((instant != null) ? Instant.parse(instant) : TestIdClock.START);
	}

	@Bean
	@Primary
	InMemoryKeySpaceStore testKeySpaceStore(TestIdClock clock) {
		return new InMemoryKeySpaceStore(clock);
	}

	@Bean
	@Primary
	InMemorySlotStore testSlotStore(TestIdClock clock) {
		return new InMemorySlotStore(clock);
	}

	/**
	 * Derive the keys for random tails from the name of the generator, so that the tails
	 * of time-based ids are the same in every run.
	 */
	@Bean
	@Primary
	Tail.Keys testTailKeys() {
		return String::hashCode;
	}

	/**
	 * Let the block sources of a generator share one thread. The sources of a
	 * {@code recycled} generator then claim their series in the same order in every run.
	 */
	@Bean
	IdGeneratorBuilderCustomizer<BlockIdGenerator.Builder> testExecutorCustomizer() {
		return (builder) -> builder.executors(new SharedExecutors(builder.name()));
	}

	/**
	 * The store of gapless numbers. It requires Spring's transaction support because
	 * numbers are drawn in transactions.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(TransactionSynchronizationManager.class)
	static class GaplessConfiguration {

		@Bean
		@Primary
		InMemoryGaplessStore testGaplessStore(TestIdClock clock) {
			return new InMemoryGaplessStore(clock);
		}

	}

}
