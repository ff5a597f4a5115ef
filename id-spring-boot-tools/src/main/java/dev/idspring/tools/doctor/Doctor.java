package dev.idspring.tools.doctor;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

import dev.idspring.InvalidSettingException;
import dev.idspring.monitor.LowThreshold;

/**
 * Reports problems with the keys of tables.
 *
 * @param low the threshold for a nearly used-up column
 * @since 0.1.0
 */
public record Doctor(LowThreshold low) {

	/**
	 * Create a doctor.
	 * @throws IllegalArgumentException if the threshold is missing
	 */
	public Doctor {
		InvalidSettingException.requireGiven(Doctor.class, "low", low);
	}

	/**
	 * Examine the keys of tables.
	 * @param keys the keys
	 * @param allocations the assumptions of Hibernate about sequences
	 * @return the problems, worst first
	 */
	public List<Finding> examine(KeyColumns keys, List<Allocation> allocations) {
		InvalidSettingException.requireGiven(Doctor.class, "keys", keys);
		InvalidSettingException.requireElements(Doctor.class, "allocations", allocations);
		return new Examination(keys, allocations, this.low).problems();
	}

	/**
	 * Report possible problems that the database neither confirms nor excludes.
	 * @param keys the keys
	 * @param allocations the assumptions of Hibernate about sequences
	 * @return the possible problems
	 */
	public List<Finding> notes(KeyColumns keys, List<Allocation> allocations) {
		InvalidSettingException.requireGiven(Doctor.class, "keys", keys);
		InvalidSettingException.requireElements(Doctor.class, "allocations", allocations);
		return new Examination(keys, allocations, this.low).notes();
	}

	/**
	 * Return the percentage of a column's numbers that is used.
	 * @param column a column
	 * @return 0 to 100, or 0 if it holds no whole numbers
	 */
	public static double usedPercent(KeyColumn column) {
		InvalidSettingException.requireGiven(Doctor.class, "column", column);
		BigInteger last = column.last();
		return (last != null) ? percent(column.origin(), column.used(), last) : 0;
	}

	/**
	 * Return the percentage of the distance between two numbers that is used.
	 */
	static double percent(BigInteger origin, BigInteger used, BigInteger last) {
		BigInteger all = last.subtract(origin).abs();
		return (all.signum() == 0) ? 0
				: new BigDecimal(used.subtract(origin).abs().min(all)).multiply(BigDecimal.valueOf(100))
					.divide(new BigDecimal(all), 6, RoundingMode.HALF_UP)
					.doubleValue();
	}

	/**
	 * An assumption of Hibernate about a sequence.
	 *
	 * @param table the table whose keys it makes
	 * @param sequence the sequence
	 * @param size the number of keys per value ({@code allocationSize})
	 * @param optimizer determines which keys it derives from a value
	 * @since 0.1.0
	 */
	public record Allocation(String table, String sequence, long size, Optimizer optimizer) {

		/**
		 * Create an assumption.
		 * @throws IllegalArgumentException if a name or the optimizer is missing
		 */
		public Allocation {
			InvalidSettingException.requireGiven(Allocation.class, "table", table);
			InvalidSettingException.requireGiven(Allocation.class, "sequence", sequence);
			InvalidSettingException.requireGiven(Allocation.class, "optimizer", optimizer);
		}

		/**
		 * Return the increment that the sequence must have.
		 */
		long increment() {
			return this.optimizer.steps ? this.size : 1;
		}

		/**
		 * Return the first key that is derived from a value of the sequence.
		 */
		BigInteger first(BigInteger value) {
			BigInteger size = BigInteger.valueOf(this.size);
			return switch (this.optimizer) {
				case NONE, POOLED_LO -> value;
				case POOLED -> value.subtract(size).add(BigInteger.ONE);
				case HILO -> value.subtract(BigInteger.ONE).multiply(size).add(BigInteger.ONE);
				case LEGACY_HILO -> value.multiply(size.add(BigInteger.ONE));
			};
		}

		/**
		 * Return a value of the sequence whose keys are all above a number.
		 */
		BigInteger above(BigInteger number) {
			BigInteger size = BigInteger.valueOf(this.size);
			return switch (this.optimizer) {
				case NONE, POOLED_LO -> number.add(BigInteger.ONE);
				case POOLED -> number.add(size);
				case HILO -> number.divide(size).add(BigInteger.TWO);
				case LEGACY_HILO -> number.divide(size.add(BigInteger.ONE)).add(BigInteger.ONE);
			};
		}

	}

	/**
	 * The keys that Hibernate derives from a value of a sequence.
	 */
	public enum Optimizer {

		/**
		 * The value itself.
		 */
		NONE(false),

		/**
		 * As many keys as the increment, up to the value.
		 */
		POOLED(true),

		/**
		 * As many keys as the increment, from the value upwards.
		 */
		POOLED_LO(true),

		/**
		 * The value is multiplied.
		 */
		HILO(false),

		/**
		 * The value is multiplied, as Hibernate 3 did.
		 */
		LEGACY_HILO(false);

		private final boolean steps;

		Optimizer(boolean steps) {
			this.steps = steps;
		}

	}

}
