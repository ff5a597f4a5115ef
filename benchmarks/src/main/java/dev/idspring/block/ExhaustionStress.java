package dev.idspring.block;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Tests threads that draw the last keys of a key space.
 */
@JCStressTest
@State
@Outcome(id = "once", expect = Expect.ACCEPTABLE, desc = "No ordinal was issued twice or lost.")
@Outcome(id = { "twice", "lost" }, expect = Expect.FORBIDDEN, desc = "An ordinal was issued twice, or never.")
public class ExhaustionStress {

	/**
	 * The number of remaining keys, which is large enough for blocks and chunks of
	 * several ordinals.
	 */
	private static final int REMAINING = 200;

	private final StressedEngine engine = StressedEngine.nearTheEnd(REMAINING);

	private long[] first;

	private long[] second;

	@Actor
	public void first() {
		this.first = this.engine.take(REMAINING + 1);
	}

	@Actor
	public void second() {
		this.second = this.engine.take(REMAINING + 1);
	}

	@Arbiter
	public void verdict(L_Result result) {
		long end = StressedEngine.KEY_SPACE.capacity();
		result.r1 = StressedEngine.verdict(end - REMAINING, end, 0, this.first, this.second);
	}

}
