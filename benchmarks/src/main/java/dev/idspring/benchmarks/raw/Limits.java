package dev.idspring.benchmarks.raw;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What the machine can do at best: no generators, some do not even give distinct numbers.
 */
public class Limits {

	@Benchmark
	public long threadLocalRandom() {
		return ThreadLocalRandom.current().nextLong();
	}

	@Benchmark
	public long atomicLong(Shared state) {
		return state.atomic.getAndIncrement();
	}

	@Benchmark
	public void longAdder(Shared state) {
		state.adder.increment();
	}

	@Benchmark
	public long threadConfined(Confined state) {
		return state.counter++;
	}

	@State(Scope.Benchmark)
	public static class Shared {

		private final AtomicLong atomic = new AtomicLong();

		private final LongAdder adder = new LongAdder();

	}

	@State(Scope.Thread)
	public static class Confined {

		private long counter;

	}

}
