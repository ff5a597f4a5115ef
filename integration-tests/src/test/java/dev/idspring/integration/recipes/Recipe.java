package dev.idspring.integration.recipes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.idspring.testsupport.Documentation;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.web.reactive.server.WebTestClient;

/**
 * A recipe of the documentation. Its settings and its SQL are read from the page. Its
 * Java code, if any, is in a package of {@code dev.idspring.recipes}, and the page
 * contains a copy of it.
 *
 * @param packageName the package
 * @param text the section of the page
 */
public record Recipe(String packageName, String text) {

	private static final Pattern SECTION = Pattern.compile("(?ms)^## (.*?)$(.*?)(?=^## |\\z)");

	private static final Pattern IMPORT = Pattern.compile("(?m)^import (.*);$");

	/**
	 * Return the sections of all pages of recipes. The groups of each match are the
	 * heading and the text.
	 */
	static List<MatchResult> sections() {
		return Documentation.files()
			.stream()
			.filter((page) -> page.getFileName().toString().startsWith("recipes"))
			.flatMap((page) -> SECTION.matcher(Documentation.read(page)).results())
			.toList();
	}

	/**
	 * Return the recipe with the given heading.
	 * @param test a class in the package of the recipe's sources
	 * @param heading the heading of the recipe
	 */
	public static Recipe of(Class<?> test, String heading) {
		return of(test.getPackageName(), heading);
	}

	static Recipe of(String packageName, String heading) {
		return sections().stream()
			.filter((section) -> section.group(1).equals(heading))
			.map((section) -> new Recipe(packageName, section.group(2)))
			.findFirst()
			.orElseThrow();
	}

	public Recipe with(String text, String replacement) {
		return new Recipe(this.packageName, this.text.replace(text, replacement));
	}

	public List<String> examples(String language) {
		return Documentation.examples(this.text, language);
	}

	/**
	 * Return the difference between the Java code of the page and the sources. The
	 * difference is empty if each Java example of the page is a copy of sources.
	 */
	String difference() {
		List<String> remaining = new ArrayList<>();
		for (String example : examples("java")) {
			String rest = normalized(example);
			Set<String> sourceImports = new TreeSet<>();
			for (String source : sources()) {
				if (rest.contains(normalized(source))) {
					rest = rest.replace(normalized(source), "");
					sourceImports.addAll(imports(source));
				}
			}
			remaining.add(rest.strip());
			Set<String> pageImports = imports(example);
			remaining.addAll(pageImports.stream().filter((name) -> !sourceImports.contains(name)).toList());
			remaining.addAll(sourceImports.stream().filter((name) -> !pageImports.contains(name)).toList());
		}
		return String.join("", remaining);
	}

	private List<String> sources() {
		try (Stream<Path> files = Files.list(Path.of("src/test/java", this.packageName.split("\\.")))) {
			return files.map(Documentation::read).toList();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String normalized(String code) {
		return IMPORT.matcher(code).replaceAll("").replaceAll("(?m)^package .*$", "").replaceAll("\\s+", " ").strip();
	}

	private static Set<String> imports(String code) {
		Set<String> imports = new TreeSet<>();
		IMPORT.matcher(code).results().forEach((match) -> imports.add(match.group(1)));
		return imports;
	}

	/**
	 * Write the settings and the SQL of the recipe to files in a directory.
	 * @return the arguments with which an application reads these files
	 */
	public List<String> write(Path directory) throws IOException {
		Path settings = Files.writeString(directory.resolve("application.yaml"),
				String.join("\n---\n", examples("yaml")));
		// a script must not be empty
		Path schema = Files.writeString(directory.resolve("schema.sql"),
				String.join("", examples("sql")) + "select 1;");
		return List.of("--spring.config.location=" + settings.toUri(),
				"--spring.sql.init.schema-locations=" + schema.toUri(), "--spring.main.banner-mode=off",
				"--spring.jpa.open-in-view=false", "--server.port=0", "--server.address=127.0.0.1");
	}

	/**
	 * Start an application that consists of the recipe.
	 */
	public ConfigurableApplicationContext start(Path directory, String... additional) throws IOException {
		List<String> arguments = new ArrayList<>(write(directory));
		arguments.addAll(List.of(additional));
		SpringApplicationBuilder builder = new SpringApplicationBuilder(Application.class)
			.properties(Map.of("spring.main.web-application-type",
					this.text.contains("@RestController") ? "servlet" : "none"))
			.initializers((context) -> AutoConfigurationPackages
				.register((BeanDefinitionRegistry) context.getBeanFactory(), this.packageName));
		builder.application().setSources(Set.of(this.packageName));
		return builder.run(arguments.toArray(String[]::new));
	}

	/**
	 * Return a client of a started application.
	 */
	public static WebTestClient client(ConfigurableApplicationContext context) {
		return WebTestClient.bindToServer()
			.baseUrl("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"))
			.responseTimeout(Duration.ofMinutes(1))
			.build();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
