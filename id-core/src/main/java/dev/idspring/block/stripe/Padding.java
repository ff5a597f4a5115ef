package dev.idspring.block.stripe;

/**
 * Keeps the fields of a subclass off the cache lines of the preceding object in memory.
 * The JVM places the fields of a superclass before those of its subclasses, so the fields
 * of this class lie in between. They cover two cache lines, because a processor may fetch
 * a neighboring line along with the one it needs.
 */
abstract class Padding {

	@SuppressWarnings("unused")
	long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15;

}
