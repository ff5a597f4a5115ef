package dev.idspring.keyspace;

/**
 * Checks ordinals at the door.
 */
final class Ordinals {

	private Ordinals() {
	}

	/**
	 * Make sure that ordinals lie in a key space.
	 */
	static void verify(long ordinal, int count, long capacity) {
		if (ordinal < 0 || count < 0 || count > capacity - ordinal) {
			throw new IllegalArgumentException(count + " ordinals from " + ordinal
					+ " do not lie in this key space: there are " + capacity + ", from 0");
		}
	}

}
