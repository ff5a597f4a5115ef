package dev.idspring.block.stripe;

import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace.ArithmeticRun;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.text.Alphabet;

/**
 * Stripes whose chunks are never used up. They do everything that a generator does for an
 * id, except for the call that fetches the next chunk. A generator makes this call
 * rarely. However, because of this call, the loop that draws ids cannot keep its
 * variables in registers: the compiler must spill them to the stack. The difference
 * between the rates of these stripes and of a generator is the cost of the spilling.
 */
public final class EndlessStripes {

	private static final KeySpace KEY_SPACE = new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0).resolve(null);

	private final ArithmeticRun run;

	private final Stripe[] stripes = new Stripes(64, 64).owned();

	/**
	 * Create empty stripes.
	 */
	public EndlessStripes() {
		ArithmeticRun run = KEY_SPACE.arithmeticRun(0);
		if (run == null) {
			throw new IllegalStateException("The key space has no arithmetic run");
		}
		this.run = run;
	}

	/**
	 * Fill the stripe of the calling thread with enough ordinals for several seconds.
	 */
	public void fill() {
		Thread thread = Thread.currentThread();
		Stripe stripe = Stripe.of(thread, this.stripes);
		if (stripe.owner != null && stripe.owner != thread) {
			throw new IllegalStateException("Two threads use the same stripe");
		}
		stripe.owner = thread;
		stripe.fill(0, Integer.MAX_VALUE, KEY_SPACE.key(0), this.run);
	}

	/**
	 * Return the next key, as a generator does.
	 * @throws IllegalStateException if the stripe has not been filled
	 */
	public long nextLong() {
		Thread thread = Thread.currentThread();
		Stripe stripe = Stripe.of(thread, this.stripes);
		if (!stripe.isReadyFor(thread)) {
			throw new IllegalStateException("The stripe is empty");
		}
		return stripe.next();
	}

}
