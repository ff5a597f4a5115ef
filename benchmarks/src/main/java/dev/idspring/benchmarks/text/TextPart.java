package dev.idspring.benchmarks.text;

import java.nio.file.Path;
import java.util.List;

import dev.idspring.benchmarks.Jmh;
import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Results;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Runs the benchmarks of this package in rounds. The measurements of a benchmark are
 * therefore not consecutive, and a short disturbance of the machine affects only one of
 * them.
 */
public final class TextPart {

	/** The beginning of the names of this part's files. */
	public static final String NAME = "text";

	/** The benchmark methods, in the order of the report. */
	public static final List<String> BENCHMARKS = List.of("Texts.withoutSecret", "Texts.withSecret",
			"Texts.parseWithSecret", "Texts.bouncyCastle", "Texts.sqids", "Texts.hashids", "Texts.nanoid");

	private TextPart() {
	}

	/**
	 * Run this part.
	 * @param args the directory of the results, and the mode
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
