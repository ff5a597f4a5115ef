package dev.idspring.benchmarks.compare;

import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Draws ids of one strategy on one thread with a store in memory, and prints the best
 * rate. The best rate is used because other programs on the machine can only lower a
 * rate. The program uses only beans and properties that all versions of the starter have,
 * because it also runs with the libraries of another build.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class HotPath {

	/** The beginning of the output line that contains the rate. */
	static final String RESULT_PREFIX = "IDS PER SECOND: ";

	private static final int ROUNDS = 5;

	private static final long ROUND_NANOS = 500_000_000;

	private static final int BATCH = 1_000;

	/**
	 * Run the measurement.
	 * @param args the strategy, and the type of ids to draw: {@code long} or
	 * {@code string}
	 */
	public static void main(String[] args) {
		ConfigurableApplicationContext context = SpringApplication.run(HotPath.class, "--spring.main.banner-mode=off",
				"--spring.main.web-application-type=none", "--logging.level.root=error", "--ids.store=memory",
				"--ids.generators.hot.strategy=" + args[0]);
		IdGenerator ids = context.getBean(IdGenerators.class).get("hot");
		LongSupplier draw = args[1].equals("long") ? ids::nextLong : () -> ids.nextString().length();
		// the sum is used, because otherwise the compiler could remove the computation
		LongConsumer sink = (sum) -> System.setProperty("sum", Long.toString(sum));
		for (int i = 0; i < ROUNDS; i++) {
			run(draw, sink);
		}
		double best = 0;
		for (int i = 0; i < ROUNDS; i++) {
			best = Math.max(best, run(draw, sink));
		}
		System.out.printf(Locale.ROOT, "%s%.0f%n", RESULT_PREFIX, best);
		System.exit(SpringApplication.exit(context));
	}

	private static double run(LongSupplier draw, LongConsumer sink) {
		long started = System.nanoTime();
		long took;
		long count = 0;
		long sum = 0;
		do {
			sum += batch(draw);
			count += BATCH;
			took = System.nanoTime() - started;
		}
		while (took < ROUND_NANOS);
		sink.accept(sum);
		return count * 1e9 / took;
	}

	/**
	 * Draw a batch of ids. This is a separate method, so that it is compiled as a whole.
	 * A single long loop would run at two speeds, because compiled code would replace it
	 * while it runs.
	 */
	private static long batch(LongSupplier draw) {
		long sum = 0;
		for (int i = 0; i < BATCH; i++) {
			sum += draw.getAsLong();
		}
		return sum;
	}

}
