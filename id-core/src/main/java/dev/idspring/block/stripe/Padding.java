package dev.idspring.block.stripe;

/**
 * Fields of superclasses come first in memory, so these keep those of a subclass out of
 * the cache line, and of the one that is fetched along with it, of whatever lies before.
 */
abstract class Padding {

	@SuppressWarnings("unused")
	long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15;

}
