package dev.idspring.block.stripe;

import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace.ArithmeticRun;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.text.Alphabet;

/**
 * Our stripes, as they would be if no chunk were ever used up: all that a generator does
 * for an id, but for the call that asks for more. What that call costs though it is
 * seldom made, compilers having to keep things safe from it, is the difference to a
 * generator.
 */
public final class EndlessStripes {

	private static final KeySpace KEY_SPACE = new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0).resolve(null);

	private final ArithmeticRun run;

	private final Stripe[] stripes = new Stripes(64, 64).owned();

	/**
	 * Create stripes.
	 */
	public EndlessStripes() {
		ArithmeticRun run = KEY_SPACE.arithmeticRun(0);
		if (run == null) {
			throw new IllegalStateException("The key space has no steps");
		}
		this.run = run;
	}

	/**
	 * Fill the stripe of the calling thread with as many ordinals as will last for
	 * seconds.
	 */
	public void fill() {
		Thread thread = Thread.currentThread();
		Stripe stripe = Stripe.of(thread, this.stripes);
		if (stripe.owner != null && stripe.owner != thread) {
			throw new IllegalStateException("Two threads have one stripe");
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
