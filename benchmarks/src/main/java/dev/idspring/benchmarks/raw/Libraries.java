package dev.idspring.benchmarks.raw;

import java.util.UUID;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import com.github.f4b6a3.tsid.TsidFactory;
import com.github.f4b6a3.uuid.UuidCreator;
import io.hypersistence.tsid.TSID;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Benchmarks of libraries whose ids need no store.
 */
public class Libraries {

	@Benchmark
	public long tsidCreator(TsidCreator state) {
		return state.ids.create().toLong();
	}

	@Benchmark
	public long hypersistenceTsid(HypersistenceTsid state) {
		return state.ids.generate().toLong();
	}

	@Benchmark
	public UUID uuidCreatorV7() {
		return UuidCreator.getTimeOrderedEpoch();
	}

	@Benchmark
	public UUID javaUuidGeneratorV7(JavaUuidGenerator state) {
		return state.ids.generate();
	}

	@Benchmark
	public UUID randomUuid() {
		return UUID.randomUUID();
	}

	@State(Scope.Benchmark)
	public static class TsidCreator {

		/** A factory with 10 node bits and 12 counter bits, as in our standard layout. */
		private final TsidFactory ids = TsidFactory.newInstance1024(1);

	}

	@State(Scope.Benchmark)
	public static class HypersistenceTsid {

		private final TSID.Factory ids = TSID.Factory.newInstance1024(1);

	}

	@State(Scope.Benchmark)
	public static class JavaUuidGenerator {

		private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

	}

}
