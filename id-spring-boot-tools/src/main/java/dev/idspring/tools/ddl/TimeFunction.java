package dev.idspring.tools.ddl;

import java.math.BigInteger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.idspring.InvalidSettingException;
import dev.idspring.time.TimeLayout;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.time.TimeScheme;

/**
 * The parameters of a database function that creates time-based ids.
 *
 * @param scheme the layout and the kind of tails
 * @param node the node number of the database
 * @param maxAhead how far ids may be ahead of the clock, from zero to 36,500,000 days
 * @param waitTimeout the maximum time that a caller waits if ids are too far ahead of the
 * clock, from zero to 36,500,000 days
 * @since 0.1.0
 */
public record TimeFunction(TimeScheme scheme, long node, Duration maxAhead, Duration waitTimeout) {

	private static final Duration MAXIMUM = Duration.ofDays(36_500_000);

	private static final BigInteger MAX_LONG = BigInteger.ONE.shiftLeft(63).subtract(BigInteger.ONE);

	/**
	 * Create the parameters of a function.
	 * @throws IllegalArgumentException if a value is missing or out of range, if
	 * databases cannot create ids of the strategy, or if the node does not fit into the
	 * layout; the message gives the reason
	 */
	public TimeFunction {
		InvalidSettingException.requireGiven(TimeFunction.class, "scheme", scheme);
		InvalidSettingException.requireRange(TimeFunction.class, "maxAhead", maxAhead, Duration.ZERO, MAXIMUM);
		InvalidSettingException.requireRange(TimeFunction.class, "waitTimeout", waitTimeout, Duration.ZERO, MAXIMUM);
		TimeLayout layout = scheme.layout();
		if (layout.prefixes() > 1 || scheme.strategy().equals("composite")) {
			throw new InvalidSettingException(TimeScheme.class, "strategy", scheme.strategy(),
					"databases can create only ids of snowflake and decimal-uid, which consist of time, node and tail");
		}
		InvalidSettingException.requireRange(TimeFunction.class, "node", node, 0L, layout.nodes() - 1);
	}

	/**
	 * Return the factor by which tails are multiplied, so that consecutive ids get
	 * scattered tails. It is 1 unless tails are random. The factor is coprime to the
	 * number of tails, so that all tails are used. It is small enough that its product
	 * with a tail does not overflow.
	 */
	private long step() {
		if (this.scheme.tail() != Tail.RANDOM) {
			return 1;
		}
		BigInteger tails = BigInteger.valueOf(this.scheme.layout().tails());
		BigInteger step = tails.min(MAX_LONG.divide(tails))
			.multiply(BigInteger.valueOf(618))
			.divide(BigInteger.valueOf(1000));
		while (step.signum() > 0 && !step.gcd(tails).equals(BigInteger.ONE)) {
			step = step.subtract(BigInteger.ONE);
		}
		return Math.max(1, step.longValueExact());
	}

	/**
	 * Return the exclusive upper bound for the first tail of a millisecond. Any first
	 * tail below this bound leaves at least half of the tails for the ids of that
	 * millisecond.
	 */
	private long firstTailBound() {
		long tails = this.scheme.layout().tails();
		return Math.max((tails + 1) / 2, Math.min(tails, 2));
	}

	/**
	 * Return the last position of the layout. Positions count the pairs of time and tail.
	 */
	private BigInteger lastPosition() {
		TimeLayout layout = this.scheme.layout();
		return BigInteger.valueOf(layout.ticks()).multiply(BigInteger.valueOf(layout.tails())).subtract(BigInteger.ONE);
	}

	/**
	 * Describe which ids the positions of the counter stand for. This meaning must not
	 * change once the counter exists. Otherwise, the function could create existing ids
	 * again.
	 */
	String positions() {
		String definition = this.scheme.definition();
		return (this.scheme.tail() == Tail.RANDOM) ? definition + " tail-step=" + step() : definition;
	}

	/**
	 * Return the values for the templates, by the names of their placeholders.
	 */
	Map<String, Object> values() {
		TimeLayout layout = this.scheme.layout();
		Map<String, Object> values = new LinkedHashMap<>();
		values.put("strategy", this.scheme.strategy());
		values.put("definition", this.scheme.definition());
		values.put("positions", positions());
		values.put("epoch", layout.epoch());
		values.put("epochMillis", layout.epoch().toEpochMilli());
		values.put("lastInstant", layout.lastInstant());
		values.put("ticks", layout.ticks());
		values.put("tails", layout.tails());
		values.put("firstTailBound", firstTailBound());
		values.put("step", step());
		values.put("lastPosition", lastPosition().min(MAX_LONG));
		values.put("node", this.node);
		values.put("nodes", layout.nodes());
		values.put("timeUnit", Long.toUnsignedString(layout.id(0, 1, 0, 0)));
		values.put("nodePart", Long.toUnsignedString(layout.id(0, 0, this.node, 0)));
		values.put("tailUnit", (layout.tails() > 1) ? Long.toUnsignedString(layout.id(0, 0, 0, 1)) : "0");
		values.put("maxAhead", this.maxAhead.toMillis());
		values.put("waitTimeout", this.waitTimeout.toMillis());
		return values;
	}

}
