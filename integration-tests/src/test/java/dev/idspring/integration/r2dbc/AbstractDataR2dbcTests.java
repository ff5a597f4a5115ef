package dev.idspring.integration.r2dbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.idspring.IdGenerators;
import dev.idspring.integration.r2dbc.Comment.Link;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.testsupport.RequiresSpringBoot;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.transaction.reactive.TransactionalOperator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests an application with Spring Data R2DBC on a database.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractDataR2dbcTests {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final int BLOCK_SIZE = 1000;

	private final TestDatabase database;

	private ConfigurableApplicationContext context;

	AbstractDataR2dbcTests(TestDatabase database) {
		this.database = database;
	}

	@BeforeAll
	void start() {
		this.database.execute(BlogApplication.CREATE_TABLES);
		this.database.execute(BlogApplication.CREATE_UUID_TABLE);
		this.context = BlogContext.start(this.database, new Class<?>[] { BlogApplication.class, IdsConnection.class },
				"--ids.jdbc.initialize-schema=always", "--ids.strategy=sequential", "--ids.block.size=" + BLOCK_SIZE,
				"--ids.block.max-size=" + BLOCK_SIZE);
	}

	@AfterAll
	void stop() {
		this.context.close();
	}

	private <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	private GeneratorSnapshot snapshot(String generator) {
		return ((ManagedIdGenerator) bean(IdGenerators.class).get(generator)).snapshot();
	}

	/**
	 * Subscribe on a thread that must not block, as in web applications.
	 */
	private static <T> T get(Mono<T> mono) {
		return mono.subscribeOn(Schedulers.parallel()).block(TIMEOUT);
	}

	private static <T> List<T> list(Flux<T> flux) {
		return get(flux.collectList());
	}

	private static List<String> statements(Mono<?> mono) {
		return StatementLog.during(() -> get(mono));
	}

	@Test
	void idsAreDrawnThroughJdbc() {
		assertThat(this.context.getBeansOfType(JdbcKeySpaceStore.class)).hasSize(1);
		assertThat(get(bean(R2dbcEntityTemplate.class).getDatabaseClient()
			.sql("select count(*) from ids_key_space")
			.map((row) -> row.get(0, Long.class))
			.one())).isEqualTo(2);
	}

	@Test
	void newEntityIsInsertedWithoutOtherStatements() {
		List<Post> saved = new ArrayList<>();
		assertThat(statements(bean(Posts.class).save(new Post("ada", "On engines")).doOnNext(saved::add)))
			.containsExactly("insert into post");
		assertThat(saved.get(0).id()).isPositive();
		assertThat(saved.get(0).code()).hasSize(8);
		assertThat(get(bean(Posts.class).findById(saved.get(0).id()))).isEqualTo(saved.get(0));
	}

	@Test
	void typedIdsAndUuidsAreAssignedStoredAndFound() {
		List<Badge> saved = new ArrayList<>();
		assertThat(statements(bean(Badges.class).save(new Badge(null, null)).doOnNext(saved::add)))
			.containsExactly("insert into badge");
		Badge badge = saved.get(0);
		assertThat(bean(IdGenerators.class).get("default").fromUuid(badge.id().value())).isPositive();
		assertThat(badge.code().value()).hasSize(8);
		assertThat(get(bean(Badges.class).findById(badge.id()))).isEqualTo(badge);
		assertThat(get(bean(Badges.class).findByCode(badge.code()))).isEqualTo(badge);
	}

	@Test
	void blockingThreadCanSave() {
		Post saved = bean(Posts.class).save(new Post("ada", "On engines")).block(TIMEOUT);
		assertThat(bean(Posts.class).findById(saved.id()).block(TIMEOUT)).isEqualTo(saved);
	}

	@Test
	void manyEntitiesAreInsertedWithoutOtherStatements() {
		List<Post> saved = new ArrayList<>();
		assertThat(statements(bean(Posts.class).saveAll(Flux.range(0, 50).map((i) -> new Post("ada", "Part " + i)))
			.doOnNext(saved::add)
			.then())).hasSize(50).containsOnly("insert into post");
		assertThat(saved).extracting(Post::id).hasSize(50).doesNotContainNull().doesNotHaveDuplicates();
		assertThat(list(bean(Posts.class).findAllById(saved.stream().map(Post::id).toList())))
			.containsExactlyInAnyOrderElementsOf(saved);
	}

	@RequiresSpringBoot(version = "4.0", because = "Spring Data R2DBC 3 does not support nested entities")
	@Test
	void mutableEntityIsInsertedThenUpdated() {
		Post post = get(bean(Posts.class).save(new Post("ada", "On engines")));
		Comment comment = new Comment(post.id(), "first");
		comment.link = new Link(null);
		assertThat(statements(bean(Comments.class).save(comment))).containsExactly("insert into comment");
		assertThat(comment.id).isPositive();
		assertThat(comment.version).isZero();
		assertThat(comment.link.link()).hasSize(8);
		long id = comment.id;
		comment.text = "changed";
		assertThat(statements(bean(Comments.class).save(comment))).containsExactly("update comment");
		Comment found = get(bean(Comments.class).findById(id));
		assertThat(found.text).isEqualTo("changed");
		assertThat(found.version).isEqualTo(1);
		assertThat(found.link).isEqualTo(comment.link);
	}

	/**
	 * For an entity without a version, Spring Data assumes that a row exists if the id is
	 * set. Spring Data reports no error if the update changes no row.
	 */
	@Test
	void entityWithAnAssignedIdNeedsAVersionOrAnExplicitInsert() {
		Post given = new Post(7_000_000_000_000L, "givencod", "ada", "On engines");
		assertThat(statements(bean(Posts.class).save(given))).containsExactly("update post");
		assertThat(get(bean(Posts.class).existsById(given.id()))).isFalse();
		assertThat(get(bean(R2dbcEntityTemplate.class).insert(given))).isEqualTo(given);
		Comment comment = new Comment(given.id(), "first");
		comment.id = 7_000_000_000_001L;
		get(bean(Comments.class).save(comment));
		assertThat(get(bean(Comments.class).existsById(7_000_000_000_001L))).isTrue();
	}

	@Test
	void newPersistableEntityIsInserted() {
		List<Vote> saved = new ArrayList<>();
		assertThat(statements(bean(Votes.class).save(Vote.createNew(null, 5)).doOnNext(saved::add)))
			.containsExactly("insert into vote");
		assertThat(saved.get(0).getId()).isPositive();
		assertThat(statements(bean(Votes.class).save(Vote.createNew(7_000_000_000_000L, 4))))
			.containsExactly("insert into vote");
		assertThat(get(bean(Votes.class).findById(saved.get(0).getId())).stars()).isEqualTo(5);
	}

	/**
	 * Auditing considers an entity new if it has no id, so auditing must run before the
	 * id is set.
	 */
	@Test
	void finalIdIsSetInACopyWithAllPersistentProperties() {
		Author author = new Author(null, "Ada");
		author.note("not stored");
		Author saved = get(bean(Authors.class).save(author));
		assertThat(saved.id()).isNotEmpty();
		assertThat(saved.name()).isEqualTo("Ada");
		assertThat(saved.note()).as("transient property").isNull();
		assertThat(saved.createdAt()).isNotNull();
		assertThat(author.id()).isNull();
		assertThat(get(bean(Authors.class).findById(saved.id())).createdAt()).isNotNull();
	}

	@Test
	void entitiesGetIdsWithinATransaction() {
		Post post = get(bean(Blog.class).publish("bob", "On ids", "good", "bad"));
		assertThat(list(bean(Comments.class).findAll().filter((comment) -> comment.post.equals(post.id())))).hasSize(2);
		assertThat(list(bean(Posts.class).findByAuthor("bob"))).containsExactly(post);
	}

	@Test
	void rolledBackIdsAreNotReused() {
		Post first = get(bean(Posts.class).save(new Post("cid", "One")));
		ConcurrentLinkedQueue<Post> rolledBack = new ConcurrentLinkedQueue<>();
		assertThatIllegalStateException()
			.isThrownBy(() -> get(bean(Posts.class).saveAll(Flux.range(0, 3).map((i) -> new Post("cid", "Two")))
				.doOnNext(rolledBack::add)
				.then(Mono.<Void>error(new IllegalStateException("no")))
				.as(bean(TransactionalOperator.class)::transactional)));
		Post last = get(bean(Posts.class).save(new Post("cid", "Three")));
		assertThat(rolledBack).hasSize(3).extracting(Post::id).doesNotHaveDuplicates().doesNotContain(first.id());
		assertThat(rolledBack).allMatch((post) -> post.id() < last.id());
		assertThat(list(bean(Posts.class).findByAuthor("cid"))).containsExactlyInAnyOrder(first, last);
	}

	/**
	 * Two kinds of threads save 10,000 posts. Sixteen threads are allowed to block, so
	 * they draw ids themselves. Threads of Reactor's parallel scheduler must not block,
	 * so other threads draw ids for them. Each reservation reserves one block, and all
	 * blocks have the same size. Besides the blocks that the rows use up, at most two are
	 * reserved: the block in use at the end and the one reserved in advance.
	 */
	@Test
	void blockingAndParallelThreadsSaveTenThousandEntities() {
		GeneratorSnapshot before = snapshot("default");
		Posts posts = bean(Posts.class);
		Scheduler blocking = Schedulers.newBoundedElastic(16, 10_000, "waiting");
		List<Post> saved = list(Flux.range(0, 10_000)
			.flatMap((i) -> Mono.defer(() -> posts.save(new Post("dan", "Part " + i)))
				.subscribeOn((i % 2 == 0) ? blocking : Schedulers.parallel()), 32)
			.doFinally((signal) -> blocking.dispose()));
		assertThat(saved).hasSize(10_000);
		assertThat(saved.stream().map(Post::id).distinct()).hasSize(10_000);
		assertThat(saved.stream().map(Post::code).distinct()).hasSize(10_000);
		assertThat(get(bean(Posts.class).findByAuthor("dan").count())).isEqualTo(10_000);
		// the last reservation may still be in progress
		await().untilAsserted(() -> assertReservations(before, snapshot("default")));
	}

	private static void assertReservations(GeneratorSnapshot before, GeneratorSnapshot after) {
		assertThat(after.issued() - before.issued()).isEqualTo(10_000);
		assertThat(after.keySpace().reserved().longValueExact()).isEqualTo(after.block().reservations() * BLOCK_SIZE);
		assertThat(after.block().reservations() - before.block().reservations()).isBetween(9L, 12L);
		assertThat(after.block().remaining() + after.block().ahead() + after.issued())
			.isEqualTo(after.keySpace().reserved().longValueExact());
	}

}
