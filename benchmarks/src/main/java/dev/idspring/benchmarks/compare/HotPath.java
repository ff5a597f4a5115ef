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
 * Draws ids of one strategy on one thread, out of memory, and says how many there were
 * per second at best: others on the machine only make it slower. Uses only what each
 * version of the starter has: beans and properties.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class HotPath {

	/** What its answer begins with. */
	static final String ANSWER = "IDS PER SECOND: ";

	private static final int ROUNDS = 5;

	private static final long ROUND_NANOS = 500_000_000;

	private static final int BATCH = 1_000;

	/**
	 * Measure.
	 * @param args the strategy, and what to draw: {@code long} or {@code string}
	 */
	public static void main(String[] args) {
		ConfigurableApplicationContext context = SpringApplication.run(HotPath.class, "--spring.main.banner-mode=off",
				"--spring.main.web-application-type=none", "--logging.level.root=error", "--ids.store=memory",
				"--ids.generators.hot.strategy=" + args[0]);
		IdGenerator ids = context.getBean(IdGenerators.class).get("hot");
		LongSupplier draw = args[1].equals("long") ? ids::nextLong : () -> ids.nextString().length();
		// what is computed is used, or the compiler would leave it out
		LongConsumer sink = (sum) -> System.setProperty("sum", Long.toString(sum));
		for (int i = 0; i < ROUNDS; i++) {
			run(draw, sink);
		}
		double best = 0;
		for (int i = 0; i < ROUNDS; i++) {
			best = Math.max(best, run(draw, sink));
		}
		System.out.printf(Locale.ROOT, "%s%.0f%n", ANSWER, best);
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
	 * Draw, in a method that is compiled as a whole: a loop that is replaced while it
	 * runs has two speeds.
	 */
	private static long batch(LongSupplier draw) {
		long sum = 0;
		for (int i = 0; i < BATCH; i++) {
			sum += draw.getAsLong();
		}
		return sum;
	}

}
