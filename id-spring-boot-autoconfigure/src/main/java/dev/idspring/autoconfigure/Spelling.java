package dev.idspring.autoconfigure;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Guesses what was meant by a word that is not known.
 */
final class Spelling {

	private Spelling() {
	}

	/**
	 * Find the known word that a third of the letters at most tell apart from a word or,
	 * if none is that near, the only one that ends with it, after a dot.
	 * @param word the word
	 * @param known the known words
	 */
	static Optional<String> nearest(String word, Collection<String> known) {
		Optional<String> nearest = known.stream()
			.filter((candidate) -> distance(word, candidate) <= Math.max(1, word.length() / 3))
			.min(Comparator.comparingInt((candidate) -> distance(word, candidate)));
		return nearest.or(() -> ending(word, known));
	}

	private static Optional<String> ending(String word, Collection<String> known) {
		List<String> ending = known.stream().filter((candidate) -> candidate.endsWith("." + word)).toList();
		return (ending.size() == 1) ? Optional.of(ending.get(0)) : Optional.empty();
	}

	/**
	 * Return how many letters have to be inserted, deleted or replaced to make one word
	 * of the other (Levenshtein).
	 */
	static int distance(String one, String other) {
		int[] previous = new int[other.length() + 1];
		for (int j = 0; j <= other.length(); j++) {
			previous[j] = j;
		}
		for (int i = 1; i <= one.length(); i++) {
			int[] current = new int[other.length() + 1];
			current[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int replaced = previous[j - 1] + ((one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1);
				current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
			}
			previous = current;
		}
		return previous[other.length()];
	}

}
