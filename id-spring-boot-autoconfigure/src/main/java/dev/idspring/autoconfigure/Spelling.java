package dev.idspring.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Guesses what was meant by a word that is not known.
 */
final class Spelling {

	private static final int MOST = 3;

	private Spelling() {
	}

	/**
	 * Find the known word that a third of the letters at most tell apart from a word. If
	 * none is that near, find those whose last element, after the last dot, is the
	 * nearest to that of the word in the same way, unless they are too many to help.
	 * @param word the word
	 * @param known the known words
	 * @return the nearest ones, none if nothing is near
	 */
	static List<String> nearest(String word, Collection<String> known) {
		List<String> nearest = nearest(word, known, UnaryOperator.identity());
		if (!nearest.isEmpty()) {
			return nearest.subList(0, 1);
		}
		List<String> ending = nearest(last(word), known, Spelling::last);
		return (ending.size() <= MOST) ? ending : List.of();
	}

	private static List<String> nearest(String word, Collection<String> known, UnaryOperator<String> part) {
		Map<Integer, List<String>> byDistance = known.stream()
			.collect(Collectors.groupingBy((candidate) -> distance(word, part.apply(candidate)), TreeMap::new,
					Collectors.toUnmodifiableList()));
		return byDistance.entrySet()
			.stream()
			.findFirst()
			.filter((nearest) -> nearest.getKey() <= Math.max(1, word.length() / 3))
			.map(Map.Entry::getValue)
			.orElse(List.of());
	}

	private static String last(String word) {
		return word.substring(word.lastIndexOf('.') + 1);
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
