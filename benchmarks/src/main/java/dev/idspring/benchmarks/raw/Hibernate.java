package dev.idspring.benchmarks.raw;

import java.util.concurrent.atomic.AtomicLong;

import org.hibernate.id.IdentifierGeneratorHelper;
import org.hibernate.id.IntegralDataTypeHolder;
import org.hibernate.id.enhanced.AccessCallback;
import org.hibernate.id.enhanced.Optimizer;
import org.hibernate.id.enhanced.PooledLoOptimizer;
import org.hibernate.id.enhanced.PooledLoThreadLocalOptimizer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Benchmarks of Hibernate's optimizers with a counter in memory. In an application,
 * callers use an optimizer through a session, which is not measured here.
 */
public class Hibernate {

	@Benchmark
	public Object pooledLo(PooledLo state) {
		return state.ids.generate(state.counter);
	}

	@Benchmark
	public Object pooledLoThreadLocal(PooledLoThreadLocal state) {
		return state.ids.generate(state.counter);
	}

	@State(Scope.Benchmark)
	public static class PooledLo {

		@Param({ "50", "10000" })
		private int step;

		private Optimizer ids;

		private Counter counter;

		@Setup
		public void setUp() {
			this.ids = new PooledLoOptimizer(Long.class, this.step);
			this.counter = new Counter(this.step);
		}

	}

	@State(Scope.Benchmark)
	public static class PooledLoThreadLocal {

		@Param({ "50", "10000" })
		private int step;

		private Optimizer ids;

		private Counter counter;

		@Setup
		public void setUp() {
			this.ids = new PooledLoThreadLocalOptimizer(Long.class, this.step);
			this.counter = new Counter(this.step);
		}

	}

	/**
	 * A counter in memory that replaces the sequence or table.
	 */
	private static final class Counter implements AccessCallback {

		private final AtomicLong next = new AtomicLong(1);

		private final int step;

		Counter(int step) {
			this.step = step;
		}

		@Override
		public IntegralDataTypeHolder getNextValue() {
			return IdentifierGeneratorHelper.getIntegralDataTypeHolder(Long.class)
				.initialize(this.next.getAndAdd(this.step));
		}

		@Override
		public String getTenantIdentifier() {
			return null;
		}

	}

}
