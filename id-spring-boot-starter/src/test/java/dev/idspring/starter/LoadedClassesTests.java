package dev.idspring.starter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which classes of this project are loaded by a minimal application:
 * {@code coprime} on H2, without a web server.
 */
class LoadedClassesTests {

	/** The maximum number of loaded classes. Lower it if fewer classes are loaded. */
	private static final int MAX_CLASSES = 148;

	/** The maximum number of lines of code in these classes, without comments. */
	private static final long MAX_LINES = 13_820;

	/** Matches the loading of a top-level class of this project in the log. */
	private static final Pattern LOADED_CLASS = Pattern.compile("\\] (dev\\.idspring\\.[a-z.]*[A-Z]\\w*) source: ");

	/**
	 * Classes that only other strategies, text forms, columns, commands or libraries
	 * need.
	 */
	private static final Pattern UNUSED_CLASSES = Pattern
		.compile("dev\\.idspring\\.(gapless|recycled|time|tools|neighbours"
				+ "|redis)\\..*|.*\\.(Secret|Uuid|Slot|Scope|JdbcSlot|JdbcGapless)\\w*"
				+ "|.*\\.(Bridge|ColumnVerification|EntityColumns|IdColumn)");

	/**
	 * Classes that match {@link #UNUSED_CLASSES} but are loaded anyway: the hook for
	 * commands with its base class, and types in the signatures of beans and properties.
	 */
	private static final Set<String> LOADED_ANYWAY = Set.of("dev.idspring.tools.command.BootstrapRunListener",
			"dev.idspring.tools.command.CommandRunListener", "dev.idspring.ScopedIdGenerator",
			"dev.idspring.recycled.SeriesSettings", "dev.idspring.store.SlotOwner", "dev.idspring.store.SlotStore",
			"dev.idspring.store.ScopedGaplessStore", "dev.idspring.text.ScopePeriod", "dev.idspring.text.UuidForm");

	@TempDir
	private Path directory;

	@Test
	void doesNotLoadClassesOfUnusedFeatures() throws Exception {
		Set<String> loaded = findLoadedClasses();
		assertThat(loaded).contains("dev.idspring.block.BlockIdGenerator", "dev.idspring.jdbc.JdbcKeySpaceStore");
		assertThat(loaded.stream().filter((name) -> UNUSED_CLASSES.matcher(name).matches())).isSubsetOf(LOADED_ANYWAY);
		assertThat(loaded).hasSizeLessThanOrEqualTo(MAX_CLASSES);
		assertThat(loaded.stream().mapToLong(LoadedClassesTests::countLines).sum()).isBetween(1_000L, MAX_LINES);
	}

	private static long countLines(String name) {
		String file = "src/main/java/" + name.replace('.', '/') + ".java";
		try (Stream<Path> modules = Files.list(Path.of(".."))) {
			Path source = modules.map((module) -> module.resolve(file)).filter(Files::exists).findFirst().orElseThrow();
			return Files.readString(source)
				.lines()
				.map(String::strip)
				.filter((line) -> !line.isEmpty() && !line.startsWith("*") && !line.startsWith("/"))
				.count();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Set<String> findLoadedClasses() throws IOException, InterruptedException {
		Path log = this.directory.resolve("classes.log");
		Path output = this.directory.resolve("output.log");
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xlog:class+load:file=" + log, "-XX:TieredStopAtLevel=1", "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
				Application.class.getName())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		assertThat(process.waitFor()).as(Files.readString(output)).isZero();
		return Files.readString(log)
			.lines()
			.map(LOADED_CLASS::matcher)
			.filter((line) -> line.find())
			.map((line) -> line.group(1))
			.filter((name) -> !name.startsWith("dev.idspring.starter."))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		public static void main(String[] arguments) {
			try (ConfigurableApplicationContext context = SpringApplication.run(Application.class,
					"--spring.datasource.url=jdbc:h2:mem:smallest", "--ids.strategy=coprime")) {
				System.out.println(context.getBean(IdGenerator.class).nextString());
			}
		}

	}

}
