package dev.idspring.time;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A counter that shares no cache line with the fields of subclasses: it is written all
 * the time, while they are only read.
 */
abstract class PaddedCounter extends AtomicLong {

	private static final long serialVersionUID = 1L;

	/** Fills the gap after the header, where a field of a subclass would go. */
	@SuppressWarnings("unused")
	private int p0;

	@SuppressWarnings("unused")
	private long p1, p2, p3, p4, p5, p6, p7;

	PaddedCounter(long start) {
		super(start);
	}

}
