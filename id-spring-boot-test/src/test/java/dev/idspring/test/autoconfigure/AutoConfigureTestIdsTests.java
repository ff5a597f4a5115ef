package dev.idspring.test.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.test.TestIdClock;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.stereotype.Repository;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.annotation.DirtiesContext.ClassMode;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AutoConfigureTestIds @AutoConfigureTestIds}.
 */
class AutoConfigureTestIdsTests {

	/** Milliseconds from 2024-01-01, the epoch of most layouts, to 2026-01-01. */
	private static final long TWO_YEARS = 731L * 86_400_000;

	/**
	 * Uses every strategy. Each test has its own context, so the ids are the same in
	 * every run.
	 */
	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
			properties = { "ids.generators.numbers.strategy=sequential", "ids.generators.rows.strategy=recycled",
					"ids.generators.rows.recycled.series-per-instance=4", "ids.generators.events.strategy=snowflake",
					"ids.generators.scattered.strategy=snowflake",
					"ids.generators.scattered.snowflake.preset=random-tail",
					"ids.generators.transfers.strategy=decimal-uid", "ids.generators.documents.strategy=composite",
					"ids.generators.invoices.strategy=gapless" })
	@AutoConfigureTestIds
	@DirtiesContext(classMode = ClassMode.BEFORE_EACH_TEST_METHOD)
	class WholeApplication {

		@Autowired
		private IdGenerators ids;

		@Autowired
		private TestIdClock clock;

		@Autowired
		private PlatformTransactionManager transactions;

		@RepeatedTest(3)
		void idsAreTheSameInEveryRun() {
			assertThat(this.ids.get("default").nextStrings(4)).containsExactly("000000", "zcDK0x", "8phu14", "HBVe1B");
			assertThat(this.ids.get("numbers").nextLongs(5_000)).isEqualTo(LongStream.rangeClosed(1, 5_000).toArray());
			assertThat(LongStream.range(0, 3_000).map((i) -> this.ids.get("rows").nextLong()).toArray())
				.isEqualTo(LongStream.rangeClosed(1, 3_000).toArray());
			assertThat(this.ids.get("events").nextLongs(2)).containsExactly(TWO_YEARS << 22, (TWO_YEARS << 22) + 1);
			assertThat(this.ids.get("scattered").nextStrings(3)).containsExactly("529811059507206385",
					"529811059507202044", "529811059507205895");
			assertThat(this.ids.get("transfers").nextStrings(3)).containsExactly("04733856000008735400",
					"04733856000002002570", "04733856000005269740");
			assertThat(this.ids.get("documents").nextString()).isEqualTo("00020260101000000000000");
		}

		@Test
		void idsContainTheTimeOfTheClock() {
			IdGenerator events = this.ids.get("events");
			this.clock.set(Instant.parse("2030-06-01T12:00:00Z"));
			assertThat(time(events)).isEqualTo("2030-06-01T12:00:00Z");
			this.clock.advance(Duration.ofMinutes(10));
			assertThat(time(events)).isEqualTo("2030-06-01T12:10:00Z");
			this.clock.set(Instant.parse("2029-01-01T00:00:00Z"));
			assertThat(time(events)).as("the time in ids never goes back").isEqualTo("2030-06-01T12:10:00Z");
		}

		private static Instant time(IdGenerator generator) {
			return generator.describe(generator.nextLong()).time();
		}

		/**
		 * Draws as many ids as the layout has for 1,010 ms, at 1,000 ids per millisecond.
		 * The times in ids may be at most a second ahead of the clock. The generator
		 * would have to wait, and advances the test clock instead.
		 */
		@Test
		void generatorAdvancesTheClockInsteadOfWaitingForIt() {
			IdGenerator documents = this.ids.get("documents");
			assertThat(documents.nextLongs(1_010_000)).doesNotHaveDuplicates();
			assertThat(this.clock.instant()).isEqualTo("2026-01-01T00:00:00.009Z");
			for (int i = 0; i < 40_000; i++) {
				documents.nextLongs(1_000);
			}
			assertThat(this.clock.instant()).as("clock after the end of the first window")
				.isEqualTo("2026-01-01T00:00:40.009Z");
		}

		@Test
		void rolledBackGaplessNumbersAreDrawnAgain() {
			IdGenerator invoices = this.ids.get("invoices");
			TransactionTemplate template = new TransactionTemplate(this.transactions);
			template.executeWithoutResult((status) -> {
				assertThat(invoices.nextLongs(2)).containsExactly(1, 2);
				assertThat(invoices.nextLong()).isEqualTo(3);
				status.setRollbackOnly();
			});
			template.executeWithoutResult((status) -> assertThat(invoices.nextLong()).isEqualTo(1));
			assertThat(invoices.describe(1).reserved()).isTrue();
			assertThat(invoices.describe(2).reserved()).isFalse();
			assertThat(template.<Long>execute((status) -> invoices.nextLong())).isEqualTo(2);
			assertThatExceptionOfType(IdGenerationException.class).isThrownBy(invoices::nextLong)
				.withMessageContaining("there is no transaction");
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
			properties = "ids.strategy=gapless")
	@AutoConfigureTestIds
	class NestedTransactions {

		@Test
		void rolledBackSavepointGivesItsNumbersBack(@Autowired IdGenerator ids, @Autowired DataSource dataSource) {
			PlatformTransactionManager transactions = new DataSourceTransactionManager(dataSource);
			TransactionTemplate outer = new TransactionTemplate(transactions);
			TransactionTemplate nested = new TransactionTemplate(transactions);
			nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
			outer.executeWithoutResult((status) -> {
				long first = drawAndRollBack(nested, ids);
				assertThat(ids.nextLong()).isEqualTo(first);
				assertThat(drawAndRollBack(nested, ids)).isEqualTo(first + 1);
				assertThat(ids.nextLong()).isEqualTo(first + 1);
				status.setRollbackOnly();
			});
		}

		private static long drawAndRollBack(TransactionTemplate nested, IdGenerator ids) {
			return nested.<Long>execute((status) -> {
				status.setRollbackOnly();
				return ids.nextLong();
			});
		}

		@Test
		void callbackAfterACommitCanDrawInANewTransaction(@Autowired IdGenerator ids,
				@Autowired PlatformTransactionManager transactions) {
			TransactionTemplate outer = new TransactionTemplate(transactions);
			TransactionTemplate inner = new TransactionTemplate(transactions);
			inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			List<Long> drawn = new ArrayList<>();
			outer.executeWithoutResult((status) -> {
				drawn.add(ids.nextLong());
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						drawn.add(inner.<Long>execute((innerStatus) -> ids.nextLong()));
					}

				});
			});
			drawn.add(outer.<Long>execute((status) -> ids.nextLong()));
			assertThat(drawn).containsExactly(drawn.get(0), drawn.get(0) + 1, drawn.get(0) + 2);
		}

		@Test
		void innerTransactionIsRejectedInsteadOfWaitingForTheOuterOne(@Autowired IdGenerator ids,
				@Autowired PlatformTransactionManager transactions) {
			TransactionTemplate outer = new TransactionTemplate(transactions);
			TransactionTemplate inner = new TransactionTemplate(transactions);
			inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			outer.executeWithoutResult((status) -> {
				assertThat(ids.nextLong()).isEqualTo(1);
				assertThatExceptionOfType(IdStoreUnavailableException.class)
					.isThrownBy(() -> inner.execute((innerStatus) -> ids.nextLong()))
					.withMessageContaining("the outer transaction has drawn a number");
				assertThat(ids.nextLong()).isEqualTo(2);
				status.setRollbackOnly();
			});
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
			properties = { "ids.generators.invoices.strategy=gapless", "ids.generators.invoices.scoped=true",
					"ids.generators.invoices.period=year", "ids.generators.invoices.max-scopes=2",
					"ids.generators.invoices.text.pattern=INV-{scope}-{yyyy}-{n:3}" })
	@AutoConfigureTestIds(instant = "2026-12-31T23:59:59Z")
	class Scopes {

		@Autowired
		private IdGenerators ids;

		@Autowired
		private TestIdClock clock;

		@Autowired
		private PlatformTransactionManager transactions;

		@Test
		void eachScopeAndPeriodHasItsOwnNumbers() {
			ScopedIdGenerator invoices = this.ids.scoped("invoices");
			TransactionTemplate template = new TransactionTemplate(this.transactions);
			TransactionTemplate inner = new TransactionTemplate(this.transactions);
			inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			template.executeWithoutResult((status) -> {
				assertThat(invoices.in("acme").nextStrings(2)).containsExactly("INV-acme-2026-001",
						"INV-acme-2026-002");
				assertThat(inner.<String>execute((other) -> invoices.in("bolt").nextString()))
					.as("does not wait for another scope")
					.isEqualTo("INV-bolt-2026-001");
				assertThatExceptionOfType(IdStoreUnavailableException.class)
					.isThrownBy(() -> inner.execute((other) -> invoices.in("acme").nextString()))
					.withMessageContaining("the outer transaction has drawn a number");
				status.setRollbackOnly();
			});
			assertThat(template.<String>execute((status) -> invoices.in("acme").nextString()))
				.isEqualTo("INV-acme-2026-001");
			assertThatExceptionOfType(IdGenerationException.class)
				.isThrownBy(() -> template.execute((status) -> invoices.in("cogs").nextString()))
				.withMessageContaining("2 scopes, as many as max-scopes allows");
			this.clock.advance(Duration.ofSeconds(1));
			assertThat(template.<String>execute((status) -> invoices.in("acme").nextString()))
				.isEqualTo("INV-acme-2027-001");
			assertThat(template.<String>execute((status) -> invoices.in("bolt").nextString()))
				.as("its own numbers in the new year")
				.isEqualTo("INV-bolt-2027-001");
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
			properties = "ids.strategy=sequential")
	@AutoConfigureTestIds(instant = "2031-01-01T00:00:00Z")
	@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
	class SharedContext {

		@Autowired
		private IdGenerator ids;

		@Test
		@Order(1)
		void firstTestStartsTheSequence(@Autowired TimeSource clock) {
			assertThat(this.ids.nextLong()).isEqualTo(1);
			assertThat(clock.instant()).isEqualTo("2031-01-01T00:00:00Z");
		}

		@Test
		@Order(2)
		void nextTestContinuesTheSequence() {
			assertThat(this.ids.nextLong()).isEqualTo(2);
		}

	}

	@Nested
	class ApplicationInProduction {

		private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(TestIdsAutoConfiguration.class, IdsAutoConfiguration.class))
			.withPropertyValues("ids.store=memory");

		@Test
		void usesTheTestStoreOnlyWithSpringBootTest() {
			this.contextRunner.run((context) -> assertThat(context).hasBean("testKeySpaceStore"));
			this.contextRunner.withClassLoader(new FilteredClassLoader(SpringBootTest.class))
				.run((context) -> assertThat(context).hasBean("keySpaceStore").doesNotHaveBean("testKeySpaceStore"));
		}

	}

	/**
	 * Spring Test pauses the context of a test class while a test with another context
	 * runs.
	 */
	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
			properties = { "ids.strategy=sequential", "ids.generators.events.strategy=snowflake" })
	@AutoConfigureTestIds
	class PausedContext {

		@Test
		void generatorsContinueAfterAPause(@Autowired ConfigurableApplicationContext context,
				@Autowired IdGenerators ids) {
			IdGenerator events = ids.get("events");
			assertThat(ids.get("default").nextLong()).isEqualTo(1);
			assertThat(events.describe(events.nextLong()).node()).isZero();
			context.pause();
			context.restart();
			assertThat(ids.get("default").nextLong()).isEqualTo(2);
			assertThat(events.describe(events.nextLong()).node()).isZero();
		}

	}

	/**
	 * An application that declares its own store and clock.
	 */
	@Nested
	@SpringBootTest(classes = { Application.class, OwnBeans.class },
			webEnvironment = SpringBootTest.WebEnvironment.NONE)
	@AutoConfigureTestIds
	class ApplicationWithOwnBeans {

		@Test
		void testBeansTakePrecedence(@Autowired ApplicationContext context) {
			assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
			KeySpaceStore applicationStore = context.getBean("ownStore", KeySpaceStore.class);
			assertThat(applicationStore.read("default", Deadline.in(Duration.ofMinutes(1)))).isEmpty();
			assertThat(context.getBean(KeySpaceStore.class)).isNotSameAs(applicationStore);
			assertThat(context.getBean(SlotStore.class)).isInstanceOf(InMemorySlotStore.class);
			assertThat(context.getBean(GaplessStore.class)).isInstanceOf(InMemoryGaplessStore.class);
			assertThat(context.getBean(TimeSource.class)).isInstanceOf(TestIdClock.class);
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
			properties = { "ids.store=none", "ids.strategy=snowflake", "ids.node.source=fixed", "ids.node.id=7" })
	@AutoConfigureTestIds
	class ApplicationWithoutAStore {

		@Test
		void generatorAdvancesTheClockInsteadOfWaiting(@Autowired IdGenerator ids) {
			long first = ids.nextLong();
			assertThat(ids.describe(first).node()).isEqualTo(7);
			assertThat(ids.describe(first).time()).isEqualTo("2026-01-01T00:00:01.001Z");
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
			properties = { "ids.store=jdbc", "ids.strategy=sequential", "ids.verify-column=orders.id" })
	@AutoConfigureTestIds
	class ApplicationThatVerifiesAColumn {

		@Test
		void startsWithoutTheVerification(@Autowired IdGenerator ids) {
			assertThat(ids.nextLong()).isEqualTo(1);
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
			properties = "ids.enabled=false")
	@AutoConfigureTestIds
	class DisabledApplication {

		@Test
		void hasNoGenerators(@Autowired ApplicationContext context) {
			assertThat(context.getBeansOfType(IdGenerator.class)).isEmpty();
			assertThat(context.getBeansOfType(TestIdClock.class)).isEmpty();
		}

	}

	@Nested
	@JdbcTest
	@Import(Notes.class)
	@AutoConfigureTestIds
	class JdbcSlice {

		@Test
		void repositoryDrawsIds(@Autowired Notes notes, @Autowired JdbcTemplate jdbc) {
			jdbc.execute("create table note (id varchar(6) primary key, text varchar(100))");
			assertThat(List.of(notes.add("a"), notes.add("b"))).containsExactly("000000", "zcDK0x");
			assertThat(notes.find("zcDK0x")).contains("b");
			assertThat(jdbc.queryForList("select table_name from information_schema.tables where table_schema='PUBLIC'",
					String.class))
				.as("tables without those of the store")
				.containsExactly("NOTE");
		}

		/**
		 * A slice loads only the auto-configurations that its annotations list. The list
		 * must include those that set the ids of entities.
		 */
		@Test
		void containsTheBeansThatSetIdsOfEntities(@Autowired ApplicationContext context) {
			assertThat(context.containsBean("idsGeneratedIdCallback")).isTrue();
			assertThat(context.containsBean("idsReactiveGeneratedIdCallback")).isTrue();
		}

	}

	@Nested
	@WebMvcTest(controllers = NoteController.class)
	@Import(NoteController.class)
	@AutoConfigureTestIds
	class WebSlice {

		@Test
		void controllerDrawsIds(@Autowired MockMvcTester mvc) {
			assertThat(mvc.post().uri("/notes")).hasStatusOk().hasBodyTextEqualTo("000000");
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnBeans {

		@Bean
		@Primary
		InMemoryKeySpaceStore ownStore() {
			return new InMemoryKeySpaceStore();
		}

		@Bean
		@Primary
		TimeSource ownClock() {
			return TimeSource.system();
		}

	}

	@Repository
	static class Notes {

		private final IdGenerator ids;

		private final JdbcTemplate jdbc;

		Notes(IdGenerator ids, JdbcTemplate jdbc) {
			this.ids = ids;
			this.jdbc = jdbc;
		}

		String add(String text) {
			String id = this.ids.nextString();
			this.jdbc.update("insert into note (id, text) values (?, ?)", id, text);
			return id;
		}

		Optional<String> find(String id) {
			return this.jdbc.queryForList("select text from note where id = ?", String.class, id).stream().findFirst();
		}

	}

	@RestController
	static class NoteController {

		private final IdGenerator ids;

		NoteController(IdGenerator ids) {
			this.ids = ids;
		}

		@PostMapping("/notes")
		String add() {
			return this.ids.nextString();
		}

	}

}
