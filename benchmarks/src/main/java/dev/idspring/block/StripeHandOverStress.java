package dev.idspring.block;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Tests stripes that threads compete for, take over or share.
 */
public final class StripeHandOverStress {

	private StripeHandOverStress() {
	}

	/**
	 * Two threads compete for the only owned stripe.
	 */
	@JCStressTest
	@State
	@Outcome(id = "once", expect = Expect.ACCEPTABLE, desc = "No ordinal was issued twice or lost.")
	@Outcome(id = { "twice", "lost" }, expect = Expect.FORBIDDEN, desc = "An ordinal was issued twice, or never.")
	public static class CompetingClaims {

		private final StressedEngine engine = new StressedEngine(20);

		private long[] first;

		private long[] second;

		@Actor
		public void first() {
			this.first = this.engine.take(6);
		}

		@Actor
		public void second() {
			this.second = this.engine.take(6);
		}

		@Arbiter
		public void verdict(L_Result result) {
			result.r1 = this.engine.verdict(this.first, this.second);
		}

	}

	/**
	 * A thread tries to take over the stripe of an owner that is terminating.
	 */
	@JCStressTest
	@State
	@Outcome(id = "once", expect = Expect.ACCEPTABLE, desc = "No ordinal was issued twice or lost.")
	@Outcome(id = { "twice", "lost" }, expect = Expect.FORBIDDEN, desc = "An ordinal was issued twice, or never.")
	public static class TakeOver {

		private final StressedEngine engine = new StressedEngine(20);

		private final long[][] taken = new long[2][];

		private final Thread owner = new Thread(() -> this.taken[0] = this.engine.take(6));

		public TakeOver() {
			this.owner.start();
		}

		@Actor
		public void owner() {
			try {
				this.owner.join();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Actor
		public void successor() {
			for (int i = 0; i < 20; i++) {
				this.engine.sweep();
			}
			this.taken[1] = this.engine.take(6);
		}

		@Arbiter
		public void verdict(L_Result result) {
			result.r1 = this.engine.verdict(this.taken);
		}

	}

	/**
	 * Two threads use the same shared stripe.
	 */
	@JCStressTest
	@State
	@Outcome(id = "once", expect = Expect.ACCEPTABLE, desc = "No ordinal was issued twice or lost.")
	@Outcome(id = { "twice", "lost" }, expect = Expect.FORBIDDEN, desc = "An ordinal was issued twice, or never.")
	public static class SharedStripe {

		private final StressedEngine engine = new StressedEngine(20).withOwnedStripeTaken();

		private long[] first;

		private long[] second;

		@Actor
		public void first() {
			this.first = this.engine.take(6);
		}

		@Actor
		public void second() {
			this.second = this.engine.take(6);
		}

		@Arbiter
		public void verdict(L_Result result) {
			result.r1 = this.engine.verdict(this.first, this.second);
		}

	}

}
