package dev.idspring.block;

import java.util.function.UnaryOperator;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Tests an engine that is closed while a thread draws from it. The next engine issues the
 * ordinals that were given back.
 */
public final class CloseStress {

	private CloseStress() {
	}

	/**
	 * One thread draws from the stripe that it owns, while another thread closes the
	 * engine.
	 */
	@JCStressTest
	@State
	@Outcome(id = "once", expect = Expect.ACCEPTABLE, desc = "No ordinal was issued twice or lost.")
	@Outcome(id = { "twice", "lost" }, expect = Expect.FORBIDDEN, desc = "An ordinal was issued twice, or never.")
	@Outcome(id = "open", expect = Expect.FORBIDDEN, desc = "The closed engine still issues ordinals.")
	public static class WithOwner extends ClosingTest {

		public WithOwner() {
			super(UnaryOperator.identity());
		}

		@Actor
		public void take() {
			this.taken = this.engine.take(9);
		}

		@Actor
		public void close() {
			this.engine.close();
		}

		@Arbiter
		public void verdict(L_Result result) {
			result.r1 = verdict();
		}

	}

	/**
	 * One thread draws from the shared stripe, while another thread closes the engine.
	 * The first thread may be about to take an ordinal when the stripe is closed.
	 */
	@JCStressTest
	@State
	@Outcome(id = "once", expect = Expect.ACCEPTABLE, desc = "No ordinal was issued twice or lost.")
	@Outcome(id = { "twice", "lost" }, expect = Expect.FORBIDDEN, desc = "An ordinal was issued twice, or never.")
	@Outcome(id = "open", expect = Expect.FORBIDDEN, desc = "The closed engine still issues ordinals.")
	public static class WithSharedStripe extends ClosingTest {

		public WithSharedStripe() {
			super(StressedEngine::withOwnedStripeTaken);
		}

		@Actor
		public void take() {
			this.taken = this.engine.take(9);
		}

		@Actor
		public void close() {
			this.engine.close();
		}

		@Arbiter
		public void verdict(L_Result result) {
			result.r1 = verdict();
		}

	}

	/**
	 * The common part of both tests.
	 */
	private abstract static class ClosingTest {

		private static final int BLOCK = 12;

		/** The longest chunk, which is half a block because there are two stripes. */
		private static final int LONGEST_CHUNK = 6;

		final StressedEngine engine;

		long[] taken;

		ClosingTest(UnaryOperator<StressedEngine> preparation) {
			this.engine = preparation.apply(new StressedEngine(BLOCK));
		}

		String verdict() {
			if (this.engine.take(1).length > 0) {
				return "open";
			}
			// everything was given back, except perhaps the chunk from which the other
			// thread drew
			long end = this.engine.reserved();
			return StressedEngine.verdict(0, end, LONGEST_CHUNK, this.taken, this.engine.nextEngine().take(20));
		}

	}

}
