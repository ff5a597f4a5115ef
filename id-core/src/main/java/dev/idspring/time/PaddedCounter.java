package dev.idspring.time;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A counter with padding, so that the fields of subclasses are not on the cache line of
 * the counter. Threads write the counter for every id, but mostly read the fields of
 * subclasses.
 */
abstract class PaddedCounter extends AtomicLong {

	private static final long serialVersionUID = 1L;

	/**
	 * Fills the alignment gap after the object header, into which the JVM could otherwise
	 * place a field of a subclass.
	 */
	@SuppressWarnings("unused")
	private int p0;

	@SuppressWarnings("unused")
	private long p1, p2, p3, p4, p5, p6, p7;

	PaddedCounter(long start) {
		super(start);
	}

}
