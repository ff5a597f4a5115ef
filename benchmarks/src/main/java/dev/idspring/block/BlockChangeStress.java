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
	 * Two threads draw single ordinals. At most one of them owns the only owned stripe.
	 */
	@JCStressTest
	@State
	@Outcome(id = "once", expect = Expect.ACCEPTABLE, desc = "No ordinal was issued twice or lost.")
	@Outcome(id = { "twice", "lost" }, expect = Expect.FORBIDDEN, desc = "An ordinal was issued twice, or never.")
	public static class OneByOne {

		private final StressedServer server = new StressedServer(5);

		private long[] first;

		private long[] second;

		@Actor
		public void first() {
			this.first = this.server.take(9);
		}

		@Actor
		public void second() {
			this.second = this.server.take(9);
		}

		@Arbiter
		public void verdict(L_Result result) {
			result.r1 = this.server.verdict(this.first, this.second);
		}

	}

	/**
	 * One thread draws single ordinals, and the other one draws several at once. Both use
	 * the shared stripe, so all reserved ordinals must be issued.
	 */
	@JCStressTest
	@State
	@Outcome(id = "once", expect = Expect.ACCEPTABLE, desc = "No ordinal was issued twice or lost.")
	@Outcome(id = { "twice", "lost" }, expect = Expect.FORBIDDEN, desc = "An ordinal was issued twice, or never.")
	public static class SharedAndAtOnce {

		private final StressedServer server = new StressedServer(5).withOwnedStripeTaken();

		private long[] first;

		private long[] second;

		@Actor
		public void first() {
			this.first = this.server.take(9);
		}

		@Actor
		public void second() {
			this.second = this.server.takeAtOnce(9);
		}

		@Arbiter
		public void verdict(L_Result result) {
			result.r1 = this.server.verdict(this.first, this.second);
		}

	}

}
