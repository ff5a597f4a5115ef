package dev.idspring.jdbc;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.text.Alphabet;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Determines which classes of this project run, on any thread, when a caller requests two
 * ids of {@code coprime} as strings and no id is in memory. The classes must match the
 * list in {@code docs/architecture.md}.
 */
class WalkTests {

	/** The maximum number of classes. Lower this limit when the number falls. */
	private static final int MAX_CLASSES = 60;

	private static final String ENTERED = "entered ";

	@Test
	void classesThatRunAreFewAndMatchTheDocumentation() throws Exception {
		Process walk = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), "-XX:+EnableDynamicAgentLoading", "-Djdk.attach.allowAttachSelf",
				Walk.class.getName())
			.redirectError(Redirect.DISCARD)
			.start();
		String output = new String(walk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(walk.waitFor()).isZero();
		assertThat(output.lines()
			.filter((line) -> line.startsWith(ENTERED))
			.map((line) -> line.substring(ENTERED.length()))).hasSizeLessThanOrEqualTo(MAX_CLASSES)
			.containsExactlyInAnyOrderElementsOf(documentedClasses());
	}

	/**
	 * Return the classes that {@code docs/architecture.md} lists.
	 */
	private static List<String> documentedClasses() throws IOException {
		String text = Files.readString(Path.of("..", "docs", "architecture.md"));
		String section = text.substring(text.indexOf("## How a key is drawn"));
		section = section.substring(0, section.indexOf("\n## ", 1));
		return Pattern.compile("`([A-Z]\\w+)`")
			.matcher(section)
			.results()
			.map((match) -> match.group(1))
			.filter((name) -> !name.equals(WalkTests.class.getSimpleName()))
			.toList();
	}

	/**
	 * Requests ids in a separate JVM, and prints the classes whose methods are entered.
	 */
	static final class Walk {

		/**
		 * Return whether the thread that reserves is idle.
		 */
		private static boolean isIdle() {
			return Thread.getAllStackTraces()
				.keySet()
				.stream()
				.filter((thread) -> thread.getName().equals("ids-store-walk"))
				.map(Thread::getState)
				.allMatch((state) -> state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING);
		}

		public static void main(String[] args) throws Exception {
			TestDatabase database = TestDatabase.h2();
			try (HikariDataSource pool = database.pool(2)) {
				TestStores.initialize(pool, database, "ids_");
				JdbcKeySpaceStore store = new JdbcKeySpaceStore(TestStores.database(pool, "ids_"));
				try (BlockIdGenerator ids = BlockIdGenerator
					.coprime("walk", new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), store)
					.open()) {
					ids.nextString();
					ids.dropMemory().get(1, TimeUnit.MINUTES);
					new AgentBuilder.Default().disableClassFormatChanges()
						.with(RedefinitionStrategy.RETRANSFORMATION)
						.ignore(ElementMatchers.nameContains("Test"))
						.type(ElementMatchers.nameStartsWith("dev.idspring."))
						.transform((builder, type, loader, module,
								domain) -> builder.visit(Advice.to(Entered.class)
									.on(ElementMatchers.isMethod()
										.and(ElementMatchers.not(ElementMatchers.isAbstract())))))
						.installOn(ByteBuddyAgent.install());
					Entered.CLASSES.clear();
					// the first id may come from the block, but the second one comes from
					// a stripe
					ids.nextString();
					ids.nextString();
					// the reserving thread may wait before it has finished, for example
					// while a class is loaded
					Awaitility.await().during(Duration.ofSeconds(1)).atMost(Duration.ofMinutes(1)).until(Walk::isIdle);
					Set.copyOf(Entered.CLASSES).forEach((type) -> System.out.println(ENTERED + type));
				}
			}
		}

	}

	/**
	 * Records the class of each method that is entered.
	 */
	public static final class Entered {

		public static final Set<String> CLASSES = new ConcurrentSkipListSet<>();

		private Entered() {
		}

		@Advice.OnMethodEnter
		static void enter(@Advice.Origin("#t") String type) {
			CLASSES.add(type.replaceAll(".*\\.|\\$.*", ""));
		}

	}

}
