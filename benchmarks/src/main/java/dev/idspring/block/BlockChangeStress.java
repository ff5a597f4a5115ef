package dev.idspring.block;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Tests threads that draw concurrently while one block ends and the next one begins.
 */
public final class BlockChangeStress {

	private BlockChangeStress() {
	}

	/**
	 * Two threads draw single ordinals. There is one stripe that a thread can own, so at
	 * least one of the two threads uses the shared stripe.
	 */
	@JCStressTest
	@State
	@Outcome(id = "once", expect = Expect.ACCEPTABLE, desc = "No ordinal was issued twice or lost.")
	@Outcome(id = { "twice", "lost" }, expect = Expect.FORBIDDEN, desc = "An ordinal was issued twice, or never.")
	public static class OneByOne {

		private final StressedEngine engine = new StressedEngine(5);

		private long[] first;

		private long[] second;

		@Actor
		public void first() {
			this.first = this.engine.take(9);
		}

		@Actor
		public void second() {
			this.second = this.engine.take(9);
		}

		@Arbiter
		public void verdict(L_Result result) {
			result.r1 = this.engine.verdict(this.first, this.second);
		}

	}

	/**
	 * One thread draws single ordinals, and the other one draws several in a bulk call.
	 * Both use the shared stripe, because a third thread owns the other stripe. No
	 * ordinal stays behind in an owned stripe, so all reserved ordinals must be issued.
	 */
	@JCStressTest
	@State
	@Outcome(id = "once", expect = Expect.ACCEPTABLE, desc = "No ordinal was issued twice or lost.")
	@Outcome(id = { "twice", "lost" }, expect = Expect.FORBIDDEN, desc = "An ordinal was issued twice, or never.")
	public static class SharedAndBulk {

		private final StressedEngine engine = new StressedEngine(5).withOwnedStripeTaken();

		private long[] first;

		private long[] second;

		@Actor
		public void first() {
			this.first = this.engine.take(9);
		}

		@Actor
		public void second() {
			this.second = this.engine.takeInBulk(9);
		}

		@Arbiter
		public void verdict(L_Result result) {
			result.r1 = this.engine.verdict(this.first, this.second);
		}

	}

}
