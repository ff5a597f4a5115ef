package dev.idspring.benchmarks.raw;

import dev.idspring.IdGenerator;
import dev.idspring.monitor.ManagedIdGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Benchmarks of this project's generators, called in the same way as in applications.
 */
public class Ours {

	static final int BULK = 256;

	@Benchmark
	public long coprimeNumber(Coprime state) {
		return state.ids.nextLong();
	}

	@Benchmark
	public long coprimeByDefault(CoprimeByDefault state) {
		return state.ids.nextLong();
	}

	@Benchmark
	public String coprimeText(Coprime state) {
		return state.ids.nextString();
	}

	@Benchmark
	@OperationsPerInvocation(BULK)
	public long[] coprimeBulk(Coprime state) {
		return state.ids.nextLongs(BULK);
	}

	@Benchmark
	public long snowflakeBurst(SnowflakeBurst state) {
		return state.ids.nextLong();
	}

	@Benchmark
	public long snowflakeSustained(Snowflake state) {
		return state.ids.nextLong();
	}

	/**
	 * A generator that is closed after the benchmark.
	 */
	public abstract static class Generator {

		private ManagedIdGenerator generator;

		protected IdGenerator ids;

		protected abstract ManagedIdGenerator open();

		@Setup
		public void setUp() {
			this.generator = open();
			this.ids = this.generator;
		}

		@TearDown
		public void tearDown() {
			this.generator.close();
		}

	}

	@State(Scope.Benchmark)
	public static class Coprime extends Generator {

		@Override
		protected ManagedIdGenerator open() {
			return InMemory.coprime();
		}

	}

	@State(Scope.Benchmark)
	public static class CoprimeByDefault extends Generator {

		@Override
		protected ManagedIdGenerator open() {
			return InMemory.coprimeByDefault();
		}

	}

	@State(Scope.Benchmark)
	public static class SnowflakeBurst extends Generator {

		@Override
		protected ManagedIdGenerator open() {
			return InMemory.snowflakeInBursts();
		}

	}

	@State(Scope.Benchmark)
	public static class Snowflake extends Generator {

		@Override
		protected ManagedIdGenerator open() {
			return InMemory.snowflake();
		}

	}

}
