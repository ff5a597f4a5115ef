package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.text.TextPart;
import org.jspecify.annotations.Nullable;

/**
 * Generates {@code TEXTS.md} and the table in {@code docs/text-forms.md} from the results
 * for ids in text form. All measured numbers come from these results.
 */
public final class TextReport {

	private static final Quote TEXTS = new Quote("texts");

	private static final String WITH_SECRET = "Texts.withSecret";

	private static final String BOUNCY_CASTLE = "Texts.bouncyCastle";

	private static final Map<String, String> TITLES = titles();

	private final Results results;

	private final Mode mode;

	private final Path target;

	private final Speeds speeds;

	/**
	 * Read the results.
	 * @param results the results
	 * @param mode the mode of the measurement
	 * @param target the directory of the build
	 */
	public TextReport(Results results, Mode mode, Path target) {
		this.results = results;
		this.mode = mode;
		this.target = target;
		this.speeds = new Speeds(results.readAll(TextPart.NAME + "-"));
	}

	/**
	 * Write the report, if there are results.
	 */
	public void write() throws IOException {
		if (!this.speeds.threads().isEmpty()) {
			TEXTS.publish(this.mode, this.results.directory(), this.target, "TEXTS.md", markdown(), "text-forms.md",
					table());
		}
	}

	private String markdown() {
		Outcome outcome = this.results.read(Outcome.file(TextPart.NAME), Outcome.class);
		return """
				# The cost of strings that hide their numbers

				A program runs the measurements and writes this report:

				```shell
				mvn -q -Pbenchmarks -pl benchmarks -am -DskipTests package && java -jar benchmarks/target/benchmarks.jar text
				```

				%s
				Each string has six base62 characters, or at least six if the library determines the length itself. Sqids and Hashids
				shuffle digits, so the numbers can be recovered with some effort. FF1 is the cipher that this project uses for strings
				with a secret. A NanoID is random, so an application must store it and check that it is new. Compare only numbers in the
				same table.

				%s

				| ratio | |
				|---|---|
				| `nextString` with a secret / FF1 by Bouncy Castle, 1 thread | %s |
				| `nextString` with a secret / FF1 by Bouncy Castle, 2 threads | %s |
				| millions of strings with a secret per second, 1 thread | %s |
				"""
			.formatted(
					new Table("", "").row("cores", Machine.processors())
						.row("system", Machine.operatingSystem())
						.row("libraries", Machine.libraries(this.target.resolve("lib")))
						.row("measured", Machine.circumstances(outcome)),
					TEXTS.marked(table()), ratio(1), ratio(2), Table.millions(speed(WITH_SECRET, 1)));
	}

	private String ratio(int threads) {
		return Ratio.of(speed(WITH_SECRET, threads), speed(BOUNCY_CASTLE, threads));
	}

	private @Nullable Double speed(String benchmark, int threads) {
		return this.speeds.idsPerSecond(benchmark, threads);
	}

	private String table() {
		Table table = new Table("millions per second", "1 thread", "2 threads", "bytes per string");
		TITLES.forEach((benchmark, title) -> table.row(List.of(title, Table.millions(speed(benchmark, 1)),
				Table.millions(speed(benchmark, 2)), Table.number(this.speeds.bytesPerId(benchmark, 1)))));
		return table.toString();
	}

	private static Map<String, String> titles() {
		Map<String, String> titles = new LinkedHashMap<>();
		titles.put("Texts.withoutSecret", "`nextString`, `sequential`");
		titles.put(WITH_SECRET, "`nextString`, `sequential` with a secret");
		titles.put("Texts.parseWithSecret", "`parse` of such a string");
		titles.put(BOUNCY_CASTLE, "FF1 by Bouncy Castle");
		titles.put("Texts.sqids", "Sqids");
		titles.put("Texts.hashids", "Hashids");
		titles.put("Texts.nanoid", "NanoID");
		return titles;
	}

}
