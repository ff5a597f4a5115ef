package dev.idspring.integration.r2dbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.idspring.IdGenerators;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.testsupport.FailingKeySpaceStore;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests the blog while the id store is unresponsive.
 */
class StalledStoreTests {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final int SAVES = 200;

	@Test
	@Tag("wide")
	void savesDoNotBlockTheirThreadsOnPostgresql() throws Exception {
		assertSavesDoNotBlockTheirThreads(TestDatabase.postgresql());
	}

	@Test
	void savesDoNotBlockTheirThreadsOnH2() throws Exception {
		assertSavesDoNotBlockTheirThreads(TestDatabase.h2());
	}

	private void assertSavesDoNotBlockTheirThreads(TestDatabase database) throws Exception {
		try (ConfigurableApplicationContext context = start(database, TIMEOUT.multipliedBy(2))) {
			Posts posts = context.getBean(Posts.class);
			CountDownLatch storeResponse = new CountDownLatch(1);
			context.getBean(FailingKeySpaceStore.class).beforeReserve(() -> await(storeResponse));
			List<CompletableFuture<Post>> saves = save(posts);

			// the same threads still process other requests
			long counts = Flux.range(0, 100)
				.flatMap((i) -> posts.count().subscribeOn(Schedulers.parallel()), 8)
				.count()
				.block(TIMEOUT);
			assertThat(counts).isEqualTo(100);
			assertThat(saves).anyMatch((save) -> !save.isDone());

			storeResponse.countDown();
			assertThat(saves).extracting((save) -> save.join().id()).doesNotHaveDuplicates().hasSize(SAVES);
		}
	}

	@Test
	@Tag("wide")
	void savesFailOnPostgresql() throws Exception {
		assertSavesFail(TestDatabase.postgresql());
	}

	@Test
	void savesFailOnH2() throws Exception {
		assertSavesFail(TestDatabase.h2());
	}

	private void assertSavesFail(TestDatabase database) throws Exception {
		try (ConfigurableApplicationContext context = start(database, Duration.ofSeconds(10))) {
			Posts posts = context.getBean(Posts.class);
			ManagedIdGenerator ids = (ManagedIdGenerator) context.getBean(IdGenerators.class).get("default");
			CountDownLatch storeResponse = new CountDownLatch(1);
			context.getBean(FailingKeySpaceStore.class).beforeReserve(() -> await(storeResponse));
			int errors = 0;
			for (CompletableFuture<Post> save : save(posts)) {
				Throwable failure = catchThrowable(save::join);
				if (failure != null) {
					assertThat(failure).isInstanceOf(CompletionException.class)
						.hasRootCauseInstanceOf(IdStoreUnavailableException.class);
					errors++;
				}
			}
			// the other saves succeeded with the ids in memory, which fill at most two
			// blocks
			assertThat(errors).isBetween(SAVES - 40, SAVES - 1);
			// each of the ten threads that draw ids waited only once, because a failed
			// draw makes all queued draws fail as well
			BlockSnapshot block = ids.snapshot().block();
			assertThat(block.exhaustions()).isLessThanOrEqualTo(10);

			storeResponse.countDown();
			List<Post> recovered = Flux.range(0, 50)
				.flatMap((i) -> posts.save(new Post("ada", "later")).subscribeOn(Schedulers.parallel()), 8)
				.collectList()
				.block(TIMEOUT);
			assertThat(recovered).extracting(Post::id).doesNotHaveDuplicates().hasSize(50);
			assertThat(posts.count().block(TIMEOUT)).isEqualTo(SAVES - errors + 50);
		}
	}

	private static ConfigurableApplicationContext start(TestDatabase database, Duration waitTimeout) throws Exception {
		database.execute(BlogApplication.CREATE_TABLES);
		return BlogContext.start(database, new Class<?>[] { BlogApplication.class, StoreConfiguration.class },
				"--ids.block.size=20", "--ids.block.max-size=20", "--ids.block.wait-timeout=" + waitTimeout,
				"--ids.strategy=sequential");
	}

	private static List<CompletableFuture<Post>> save(Posts posts) {
		List<CompletableFuture<Post>> saves = new ArrayList<>();
		for (int i = 0; i < SAVES; i++) {
			saves.add(Mono.defer(() -> posts.save(new Post("ada", "title")))
				.subscribeOn(Schedulers.parallel())
				.toFuture());
		}
		return saves;
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await(TIMEOUT.toMinutes(), TimeUnit.MINUTES);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class StoreConfiguration {

		@Bean
		FailingKeySpaceStore keySpaceStore() {
			return new FailingKeySpaceStore();
		}

	}

}
