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
 * @param low the threshold at which a column or sequence counts as nearly used up
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
	 * @param allocations how Hibernate uses sequences, empty if unknown
	 * @return the problems, worst first
	 */
	public List<Finding> examine(KeyColumns keys, List<Allocation> allocations) {
		return examination(keys, allocations).problems();
	}

	/**
	 * Return possible problems, which the data in the database does not confirm.
	 * @param keys the keys
	 * @param allocations how Hibernate uses sequences, empty if unknown
	 * @return the possible problems
	 */
	public List<Finding> notes(KeyColumns keys, List<Allocation> allocations) {
		return examination(keys, allocations).notes();
	}

	private Examination examination(KeyColumns keys, List<Allocation> allocations) {
		InvalidSettingException.requireGiven(Doctor.class, "keys", keys);
		InvalidSettingException.requireElements(Doctor.class, "allocations", allocations);
		return new Examination(keys, allocations, this.low);
	}

	/**
	 * Return the share of a column's numbers that are used, as a percentage.
	 * @param column a column
	 * @return a percentage from 0 to 100, which is 0 if the column does not hold whole
	 * numbers
	 */
	public static double usedPercent(KeyColumn column) {
		InvalidSettingException.requireGiven(Doctor.class, "column", column);
		BigInteger last = column.last();
		return (last != null) ? percent(column.origin(), column.used(), last) : 0;
	}

	/**
	 * Return the share of used numbers between the origin and the last number, as a
	 * percentage.
	 * @param origin the number from which used numbers are counted
	 * @param used the last used number
	 * @param last the last number that can be used
	 */
	static double percent(BigInteger origin, BigInteger used, BigInteger last) {
		BigInteger total = last.subtract(origin).abs();
		return (total.signum() == 0) ? 0
				: new BigDecimal(used.subtract(origin).abs().min(total)).multiply(BigDecimal.valueOf(100))
					.divide(new BigDecimal(total), 6, RoundingMode.HALF_UP)
					.doubleValue();
	}

	/**
	 * How Hibernate uses a sequence.
	 *
	 * @param table the table whose keys Hibernate generates
	 * @param sequence the sequence
	 * @param size the {@code allocationSize}
	 * @param optimizer determines which keys Hibernate derives from a value
	 * @since 0.1.0
	 */
	public record Allocation(String table, String sequence, long size, Optimizer optimizer) {

		/**
		 * Create an allocation.
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
			return this.optimizer.incrementIsSize ? this.size : 1;
		}

		/**
		 * Return how many keys are derived from a value of the sequence.
		 */
		long keysPerValue() {
			return switch (this.optimizer) {
				case NONE -> 1;
				case POOLED, POOLED_LO, HILO -> this.size;
				case LEGACY_HILO -> this.size + 1;
			};
		}

		/**
		 * Return the first key that is derived from a value of the sequence.
		 */
		BigInteger firstKey(BigInteger value) {
			BigInteger size = BigInteger.valueOf(this.size);
			return switch (this.optimizer) {
				case NONE, POOLED_LO -> value;
				case POOLED -> value.subtract(size).add(BigInteger.ONE);
				case HILO -> value.subtract(BigInteger.ONE).multiply(size).add(BigInteger.ONE);
				case LEGACY_HILO -> value.multiply(size.add(BigInteger.ONE));
			};
		}

		/**
		 * Return a value of the sequence from which Hibernate derives only keys above a
		 * number.
		 */
		BigInteger valueAbove(BigInteger number) {
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
	 * How Hibernate derives keys from a value of a sequence.
	 */
	public enum Optimizer {

		/**
		 * The value is the key.
		 */
		NONE(false),

		/**
		 * The value is the last key of a block. The increment of the sequence is the size
		 * of the block.
		 */
		POOLED(true),

		/**
		 * The value is the first key of a block. The increment of the sequence is the
		 * size of the block.
		 */
		POOLED_LO(true),

		/**
		 * The value is the number of a block, counted from 1. The value times the size of
		 * the block is the last key of the block.
		 */
		HILO(false),

		/**
		 * The value is the number of a block of {@code allocationSize + 1} keys, as in
		 * Hibernate 3. The value times the size of the block is the first key of the
		 * block.
		 */
		LEGACY_HILO(false);

		private final boolean incrementIsSize;

		Optimizer(boolean incrementIsSize) {
			this.incrementIsSize = incrementIsSize;
		}

	}

}
