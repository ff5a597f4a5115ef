package dev.idspring.block.stripe;

/**
 * Padding that prevents false sharing: the fields of a subclass share no cache line with
 * the preceding object in memory. The JVM places the fields of a superclass before those
 * of its subclasses, so the padding is between the two. The padding covers two cache
 * lines, because a processor may prefetch the adjacent line.
 */
abstract class Padding {

	@SuppressWarnings("unused")
	long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15;

}
