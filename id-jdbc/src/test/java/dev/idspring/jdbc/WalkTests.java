package dev.idspring.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which classes a text of {@code coprime} enters between the table and a caller that
 * waits for it: all of ours whose code runs, on whatever thread. They are the list in
 * {@code docs/architecture.md}.
 */
class WalkTests {

	/** Fewer is better: lower it with them. */
	private static final int MOST = 40;

	@Test
	void walkIsShortAndAsTheDocumentationSays() throws Exception {
		TestDatabase database = TestDatabase.h2();
		try (HikariDataSource pool = database.pool(2)) {
			TestStores.initialize(pool, database, "ids_");
			JdbcKeySpaceStore store = new JdbcKeySpaceStore(TestStores.database(pool, "ids_"));
			try (BlockIdGenerator ids = BlockIdGenerator
				.coprime("walk", new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), store)
				.open()) {
				ids.nextString();
				ids.dropMemory().get(30, TimeUnit.SECONDS);
				ResettableClassFileTransformer recorder = record();
				Entered.CLASSES.clear();
				try {
					ids.nextString();
				}
				finally {
					Entered.recording = false;
					recorder.reset(ByteBuddyAgent.getInstrumentation(), RedefinitionStrategy.RETRANSFORMATION);
				}
			}
		}
		assertThat(Entered.CLASSES).hasSizeLessThanOrEqualTo(MOST).containsExactlyInAnyOrderElementsOf(documented());
	}

	private static ResettableClassFileTransformer record() {
		Entered.recording = true;
		return new AgentBuilder.Default().disableClassFormatChanges()
			.with(RedefinitionStrategy.RETRANSFORMATION)
			.ignore(ElementMatchers.nameEndsWith("Tests")
				.or(ElementMatchers.nameContains("WalkTests"))
				.or(ElementMatchers.nameStartsWith("dev.idspring.testsupport.")))
			.type(ElementMatchers.nameStartsWith("dev.idspring."))
			.transform((builder, type, loader, module,
					domain) -> builder.visit(Advice.to(Entered.class)
						.on(ElementMatchers.isMethod().and(ElementMatchers.not(ElementMatchers.isAbstract())))))
			.installOn(ByteBuddyAgent.install());
	}

	/**
	 * Return the classes that are named in the section of the documentation.
	 */
	private static List<String> documented() throws IOException {
		String text = Files.readString(Path.of("..", "docs", "architecture.md"));
		String section = text.substring(text.indexOf("## A key on its way"));
		section = section.substring(0, section.indexOf("\n## ", 1));
		return Pattern.compile("^(?:\\d+\\.|-) `(\\w+)`", Pattern.MULTILINE)
			.matcher(section)
			.results()
			.map((match) -> match.group(1))
			.toList();
	}

	/**
	 * Notes each class whose method begins.
	 */
	public static final class Entered {

		public static final Set<String> CLASSES = new ConcurrentSkipListSet<>();

		public static volatile boolean recording;

		private Entered() {
		}

		@Advice.OnMethodEnter
		static void enter(@Advice.Origin("#t") String type) {
			if (recording) {
				CLASSES.add(type.replaceAll(".*\\.|\\$.*", ""));
			}
		}

	}

}
