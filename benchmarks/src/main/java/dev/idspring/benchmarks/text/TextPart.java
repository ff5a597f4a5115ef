package dev.idspring.benchmarks.text;

import java.nio.file.Path;
import java.util.List;

import dev.idspring.benchmarks.Jmh;
import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Results;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Runs the benchmarks of this package, in rounds: what disturbs the machine for a while
 * disturbs all of them.
 */
public final class TextPart {

	/** What the names of this part's files begin with. */
	public static final String NAME = "text";

	/** What it measures, by method, in the order of the report. */
	public static final List<String> BENCHMARKS = List.of("Texts.withoutSecret", "Texts.withSecret",
			"Texts.parseWithSecret", "Texts.bouncyCastle", "Texts.sqids", "Texts.hashids", "Texts.nanoid");

	private TextPart() {
	}

	/**
	 * Run it.
	 * @param args where results go, and the mode
	 */
	public static void main(String[] args) throws RunnerException {
		Results results = new Results(Path.of(args[0]));
		Mode mode = Mode.valueOf(args[1]);
		for (int round = 1; round <= mode.rounds(); round++) {
			for (int threads : List.of(1, 2)) {
				Jmh.measure(TextPart.class.getPackageName(), BENCHMARKS, threads, mode.iterations(), mode.iteration(),
						results.file(NAME + "-" + threads + "-" + round));
			}
		}
	}

}
