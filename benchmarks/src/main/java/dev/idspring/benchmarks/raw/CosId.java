package dev.idspring.benchmarks.raw;

import me.ahoo.cosid.IdGenerator;
import me.ahoo.cosid.converter.Radix62IdConverter;
import me.ahoo.cosid.segment.DefaultSegmentId;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.snowflake.ClockSyncSnowflakeId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Benchmarks of CosId. Its segments (ranges of ids) come from a distributor in memory.
 * The step (the size of a segment) is a parameter, and all other settings have their
 * defaults.
 */
public class CosId {

	@Benchmark
	public long chain(Chain state) {
		return state.ids.generate();
	}

	@Benchmark
	public String chainText(Chain state) {
		return state.text.asString(state.ids.generate());
	}

	@Benchmark
	public long segment(Segment state) {
		return state.ids.generate();
	}

	@Benchmark
	public long snowflake(Snowflake state) {
		return state.ids.generate();
	}

	@State(Scope.Benchmark)
	public static class Chain {

		@Param({ "100", "10000" })
		private int step;

		private IdGenerator ids;

		private Radix62IdConverter text;

		@Setup
		public void setUp() {
			this.ids = new SegmentChainId(new IdSegmentDistributor.Atomic(this.step));
			// the same length as the strings of this project
			this.text = new Radix62IdConverter(true, 6);
		}

	}

	@State(Scope.Benchmark)
	public static class Segment {

		@Param({ "100", "10000" })
		private int step;

		private IdGenerator ids;

		@Setup
		public void setUp() {
			this.ids = new DefaultSegmentId(new IdSegmentDistributor.Atomic(this.step));
		}

	}

	@State(Scope.Benchmark)
	public static class Snowflake {

		private IdGenerator ids;

		@Setup
		public void setUp() {
			this.ids = new ClockSyncSnowflakeId(new MillisecondSnowflakeId(1));
		}

	}

}
