package dev.idspring.block.stripe;

/**
 * Fields of superclasses come first in memory. So these fields separate the fields of a
 * subclass from the preceding object: from its cache line, and from the line that is
 * fetched along with it.
 */
abstract class Padding {

	@SuppressWarnings("unused")
	long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15;

}
