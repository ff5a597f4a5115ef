package dev.idspring.autoconfigure.persistence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.annotation.GeneratedId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ReactiveGeneratedIdCallback}: on which threads ids are drawn, and
 * which saves fail if a draw fails.
 */
class ReactiveGeneratedIdCallbackTests {

	/** A stack size with which no JDK can start a thread. */
	private static final long TOO_LARGE_STACK_SIZE = 1L << 50;

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private final NumberedGenerator ids = new NumberedGenerator("default", 1);

	private final NumberedGenerator codes = new NumberedGenerator("codes", 5001);

	private final R2dbcMappingContext context = new R2dbcMappingContext();

	private final ReactiveGeneratedIdCallback callback = new ReactiveGeneratedIdCallback(
			() -> new TestGenerators(this.ids, this.codes), () -> List.of(this.context), TestGenerators.NO_CHECK,
			(name) -> null, ReactiveGeneratedIdCallback::createThread);

	private final Scheduler eventLoop = Schedulers.newParallel("event-loop", 2);

	ReactiveGeneratedIdCallbackTests() {
		this.context.getRequiredPersistentEntity(Post.class);
		this.context.getRequiredPersistentEntity(Coded.class);
		this.callback.check();
	}

	@AfterEach
	void close() {
		this.callback.close();
		this.eventLoop.dispose();
	}

	@SuppressWarnings("unchecked")
	private <T> Mono<T> convert(T entity) {
		return (Mono<T>) Mono.from(this.callback.onBeforeConvert(entity, SqlIdentifier.unquoted("ignored")));
	}

	private <T> Mono<T> convertOnEventLoop(T entity) {
		return Mono.defer(() -> convert(entity)).subscribeOn(this.eventLoop);
	}

	@Test
	void drawsOnTheCallingThreadIfItMayBlock() {
		AtomicReference<Thread> threadAfterwards = new AtomicReference<>();
		Post post = convert(new Post(null, "a")).doOnNext((saved) -> threadAfterwards.set(Thread.currentThread()))
			.block(TIMEOUT);
		assertThat(post).isEqualTo(new Post(1L, "a"));
		assertThat(this.ids.drawingThreads()).containsExactly(Thread.currentThread());
		assertThat(threadAfterwards).hasValue(Thread.currentThread());
	}

	@Test
	void eventLoopNeverDraws() {
		AtomicReference<Thread> threadAfterwards = new AtomicReference<>();
		Post post = convertOnEventLoop(new Post(null, "a"))
			.doOnNext((saved) -> threadAfterwards.set(Thread.currentThread()))
			.block(TIMEOUT);
		assertThat(post).isEqualTo(new Post(1L, "a"));
		assertThat(this.ids.drawingThreads()).singleElement()
			.isNotInstanceOf(NonBlocking.class)
			.extracting(Thread::getName)
			.isEqualTo("ids-draw");
		// subsequent operators do not run on the thread that has drawn the id
		assertThat(threadAfterwards.get()).isInstanceOf(NonBlocking.class);
	}

	@Test
	void everyPropertyGetsItsOwnId() {
		Coded coded = convertOnEventLoop(new Coded(null, null, new Coded.Part(null))).block(TIMEOUT);
		assertThat(coded).isEqualTo(new Coded("codes-5001", 1L, new Coded.Part(5002L)));
	}

	@Test
	void noThreadDrawsForAnEntityWithAnId() {
		assertThat(convertOnEventLoop(new Post(7L, "a")).block(TIMEOUT)).isEqualTo(new Post(7L, "a"));
		assertThat(this.ids.drawingThreads()).isEmpty();
	}

	@Test
	void nothingIsDrawnBeforeTheSubscription() {
		Mono<Post> later = convert(new Post(null, "a"));
		assertThat(this.ids.drawingThreads()).isEmpty();
		later.block(TIMEOUT);
		assertThat(this.ids.drawingThreads()).hasSize(1);
	}

	@Test
	void doesNotBlockTheEventLoopWhileTheStoreIsUnresponsive() throws Exception {
		CountDownLatch storeResponse = new CountDownLatch(1);
		this.ids.beforeNext(() -> await(storeResponse));
		List<CompletableFuture<Post>> saves = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			saves.add(convertOnEventLoop(new Post(null, "a")).toFuture());
		}
		// both threads of the event loop still process tasks
		Flux.range(0, 1000).flatMap((i) -> Mono.just(i).subscribeOn(this.eventLoop)).blockLast(TIMEOUT);
		assertThat(saves).noneMatch(CompletableFuture::isDone);
		storeResponse.countDown();
		for (CompletableFuture<Post> save : saves) {
			save.get(60, TimeUnit.SECONDS);
		}
		assertThat(saves).extracting((save) -> save.join().id()).doesNotHaveDuplicates().hasSize(100);
		assertThat(this.ids.peek()).isEqualTo(101);
	}

	/**
	 * If the store is unavailable, each drawing thread waits for the store only once, and
	 * then all queued callers fail.
	 */
	@Test
	void failurePropagatesToAllQueuedDraws() {
		CountDownLatch storeResponse = new CountDownLatch(1);
		this.ids.beforeNext(() -> {
			await(storeResponse);
			throw new IdStoreUnavailableException("no response within the wait timeout", null);
		});
		List<CompletableFuture<Post>> saves = new ArrayList<>();
		for (int i = 0; i < 300; i++) {
			saves.add(convertOnEventLoop(new Post(null, "a")).toFuture());
		}
		// each thread of the event loop runs its tasks in order, so all 300 saves are
		// queued when the following two tasks have run
		Flux.range(0, 2).flatMap((i) -> Mono.just(i).subscribeOn(this.eventLoop)).blockLast(TIMEOUT);
		storeResponse.countDown();
		for (CompletableFuture<Post> save : saves) {
			assertThatExceptionOfType(Exception.class).isThrownBy(() -> save.get(60, TimeUnit.SECONDS))
				.withRootCauseInstanceOf(IdStoreUnavailableException.class);
		}
		assertThat(this.ids.drawingThreads()).hasSizeLessThanOrEqualTo(ReactiveGeneratedIdCallback.THREADS);
		// later callers draw again
		this.ids.beforeNext(() -> {
		});
		assertThat(convertOnEventLoop(new Post(null, "a")).block(TIMEOUT)).isEqualTo(new Post(1L, "a"));
	}

	@Test
	void canceledSaveConsumesNoId() throws Exception {
		CountDownLatch drawing = new CountDownLatch(ReactiveGeneratedIdCallback.THREADS);
		CountDownLatch storeResponse = new CountDownLatch(1);
		this.ids.beforeNext(() -> {
			drawing.countDown();
			await(storeResponse);
		});
		Scheduler single = Schedulers.newSingle("single");
		try {
			List<CompletableFuture<Post>> saves = new ArrayList<>();
			for (int i = 0; i < ReactiveGeneratedIdCallback.THREADS; i++) {
				saves.add(Mono.defer(() -> convert(new Post(null, "a"))).subscribeOn(single).toFuture());
			}
			await(drawing);
			Disposable queued = Mono.defer(() -> convert(new Post(null, "b"))).subscribeOn(single).subscribe();
			// tasks run in order, so the save is queued when this task has run
			Mono.empty().subscribeOn(single).block(TIMEOUT);
			queued.dispose();
			saves.add(Mono.defer(() -> convert(new Post(null, "c"))).subscribeOn(single).toFuture());
			storeResponse.countDown();
			for (CompletableFuture<Post> save : saves) {
				save.get(60, TimeUnit.SECONDS);
			}
			assertThat(this.ids.drawingThreads()).hasSize(ReactiveGeneratedIdCallback.THREADS + 1);
		}
		finally {
			single.dispose();
		}
	}

	@Test
	void blockedGeneratorDoesNotDelayOthers() {
		CountDownLatch storeResponse = new CountDownLatch(1);
		this.codes.beforeNext(() -> await(storeResponse));
		CompletableFuture<Coded> coded = convertOnEventLoop(new Coded(null, 3L, null)).toFuture();
		assertThat(convertOnEventLoop(new Post(null, "a")).block(TIMEOUT)).isEqualTo(new Post(1L, "a"));
		assertThat(coded).isNotDone();
		storeResponse.countDown();
		assertThat(coded.join().id()).isEqualTo("codes-5001");
	}

	/**
	 * If Reactor's scheduler for blocking work drew the ids, all of its threads could
	 * wait for work that needs an id. No thread would then be left to draw this id.
	 */
	@Test
	void drawsWhenTheBoundedElasticSchedulerIsExhausted() {
		CountDownLatch allThreadsBusy = new CountDownLatch(Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE);
		CountDownLatch release = new CountDownLatch(1);
		for (int i = 0; i < Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE; i++) {
			Mono.fromRunnable(() -> {
				allThreadsBusy.countDown();
				await(release);
			}).subscribeOn(Schedulers.boundedElastic()).subscribe();
		}
		try {
			await(allThreadsBusy);
			assertThat(convertOnEventLoop(new Post(null, "a")).block(TIMEOUT)).isEqualTo(new Post(1L, "a"));
		}
		finally {
			release.countDown();
		}
	}

	@Test
	void saveFailsWhenNoThreadCanStart() {
		AtomicBoolean threadsExhausted = new AtomicBoolean(true);
		try (ReactiveGeneratedIdCallback otherCallback = new ReactiveGeneratedIdCallback(
				() -> new TestGenerators(this.ids, this.codes), () -> List.of(this.context), TestGenerators.NO_CHECK,
				(name) -> null,
				(task) -> new Thread(null, task, "ids-draw", threadsExhausted.get() ? TOO_LARGE_STACK_SIZE : 0))) {
			otherCallback.check();
			Mono<Object> saved = Mono
				.defer(() -> Mono
					.from(otherCallback.onBeforeConvert(new Post(null, "a"), SqlIdentifier.unquoted("ignored"))))
				.subscribeOn(this.eventLoop);
			assertThatExceptionOfType(IdStoreUnavailableException.class)
				.isThrownBy(() -> saved.block(Duration.ofSeconds(20)))
				.withMessageContaining("Cannot draw ids on another thread")
				.withMessageContaining("unable to create native thread");
			threadsExhausted.set(false);
			assertThat(saved.block(TIMEOUT)).isEqualTo(new Post(1L, "a"));
		}
	}

	/**
	 * With lazy beans, the first access to the generators opens their store, which blocks
	 * the thread.
	 */
	@Test
	void generatorsAreNotRequestedOnTheEventLoop() {
		ConcurrentLinkedQueue<Thread> requestingThreads = new ConcurrentLinkedQueue<>();
		try (ReactiveGeneratedIdCallback otherCallback = new ReactiveGeneratedIdCallback(() -> {
			requestingThreads.add(Thread.currentThread());
			return new TestGenerators(this.ids);
		}, () -> List.of(this.context), TestGenerators.NO_CHECK, (name) -> null,
				ReactiveGeneratedIdCallback::createThread)) {
			Object saved = Mono
				.defer(() -> Mono
					.from(otherCallback.onBeforeConvert(new Post(null, "a"), SqlIdentifier.unquoted("ignored"))))
				.subscribeOn(this.eventLoop)
				.block(TIMEOUT);
			assertThat(saved).isEqualTo(new Post(1L, "a"));
		}
		assertThat(requestingThreads).isNotEmpty().noneMatch(NonBlocking.class::isInstance);
		assertThat(this.ids.drawingThreads()).noneMatch(NonBlocking.class::isInstance);
	}

	/**
	 * The verification reads the column over JDBC, which blocks.
	 */
	@Test
	void entityThatIsAddedLaterIsNotVerifiedOnTheEventLoop() {
		ConcurrentLinkedQueue<Thread> verifyingThreads = new ConcurrentLinkedQueue<>();
		R2dbcMappingContext empty = new R2dbcMappingContext();
		try (ReactiveGeneratedIdCallback otherCallback = new ReactiveGeneratedIdCallback(
				() -> new TestGenerators(this.ids), () -> List.of(empty),
				(generator, property) -> verifyingThreads.add(Thread.currentThread()), (name) -> null,
				ReactiveGeneratedIdCallback::createThread)) {
			otherCallback.check();
			Object saved = Mono
				.defer(() -> Mono
					.from(otherCallback.onBeforeConvert(new Post(null, "a"), SqlIdentifier.unquoted("ignored"))))
				.subscribeOn(this.eventLoop)
				.block(TIMEOUT);
			assertThat(saved).isEqualTo(new Post(1L, "a"));
		}
		assertThat(verifyingThreads).hasSize(1).noneMatch(NonBlocking.class::isInstance);
	}

	@Test
	void subsequentOperatorsSeeTheContextOfTheSubscriber() {
		String tenant = convertOnEventLoop(new Post(null, "a"))
			.flatMap((post) -> Mono.deferContextual((view) -> Mono.just(view.<String>get("tenant"))))
			.contextWrite((view) -> view.put("tenant", "acme"))
			.block(TIMEOUT);
		assertThat(tenant).isEqualTo("acme");
	}

	@Test
	void closedCallbackRefusesToDraw() throws Exception {
		convertOnEventLoop(new Post(null, "a")).block(TIMEOUT);
		this.callback.close();
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> convertOnEventLoop(new Post(null, "a")).block(TIMEOUT))
			.withMessageContaining("is closed");
		Thread thread = this.ids.drawingThreads().get(0);
		thread.join(60_000);
		assertThat(thread.isAlive()).isFalse();
	}

	@Test
	void checkFailsForAnUnknownGenerator() {
		this.context.getRequiredPersistentEntity(WithUnknownGenerator.class);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(this.callback::check)
			.withMessageContaining("\"absent\"");
	}

	@Test
	void saveFailsForAnUnknownGenerator() {
		// the callback must not throw the exception here, but signal it to the subscriber
		Mono<WithUnknownGenerator> save = convert(new WithUnknownGenerator(null)).subscribeOn(this.eventLoop);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> save.block(TIMEOUT));
	}

	private static void await(CountDownLatch latch) {
		try {
			if (!latch.await(60, TimeUnit.SECONDS)) {
				throw new IllegalStateException("not released in time");
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	record Post(@Id @GeneratedId @Nullable Long id, String title) {

	}

	record Coded(@Id @GeneratedId("codes") @Nullable String id, @GeneratedId @Nullable Long number,
			@Embedded.Nullable @Nullable Part part) {

		record Part(@GeneratedId("codes") @Nullable Long code) {

		}

	}

	record WithUnknownGenerator(@Id @GeneratedId("absent") @Nullable Long id) {

	}

}
