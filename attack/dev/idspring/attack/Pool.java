package dev.idspring.attack;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import dev.idspring.keyspace.*;
import dev.idspring.keyspace.KeySpaceSettings.*;
import dev.idspring.text.*;

/** AesPool under platform and virtual threads; timing of parse. */
public class Pool {

	public static void main(String[] args) throws Exception {
		TextSettings text = TextSettings.none()
			.withSecrets(Rotate.secret(1), Rotate.secret(2).from(1L << 20), Rotate.secret(3).from(1L << 30))
			.withCheck();
		KeySpace space = new SequentialSettings(1, Long.MAX_VALUE - 1).resolve(null).written(text, "x");
		String[] expected = new String[20_000];
		long[] numbers = new long[expected.length];
		Random r = new Random(3);
		for (int i = 0; i < numbers.length; i++) {
			numbers[i] = 1 + (r.nextLong() >>> 1 >>> r.nextInt(62)) % (Long.MAX_VALUE - 2);
			expected[i] = space.format(numbers[i]);
		}
		for (boolean virtual : new boolean[] { false, true }) {
			AtomicLong wrong = new AtomicLong(), done = new AtomicLong();
			long end = System.nanoTime() + 12_000_000_000L;
			try (ExecutorService pool = virtual ? Executors.newVirtualThreadPerTaskExecutor()
					: Executors.newFixedThreadPool(64)) {
				Semaphore s = new Semaphore(2000);
				while (System.nanoTime() < end) {
					s.acquire();
					pool.execute(() -> {
						ThreadLocalRandom x = ThreadLocalRandom.current();
						for (int k = 0; k < 50; k++) {
							int i = x.nextInt(numbers.length);
							try {
								if (!space.format(numbers[i]).equals(expected[i])
										|| space.parse(expected[i]) != numbers[i])
									wrong.incrementAndGet();
							}
							catch (RuntimeException ex) {
								wrong.incrementAndGet();
							}
							if (k % 10 == 0)
								Thread.yield();
							if (k % 25 == 0 && virtual) {
								try {
									Thread.sleep(0, 1000);
								}
								catch (InterruptedException ex) {
									return;
								}
							}
							done.incrementAndGet();
						}
						s.release();
					});
				}
			}
			System.out
				.println((virtual ? "virtual" : "platform") + " threads: " + done + " format+parse, wrong " + wrong);
		}
		// timing: valid before R1, after R1, after R2, wrong check, wrong length
		KeySpace six = new SequentialSettings(1, 50_000_000_000L).resolve(null)
			.written(TextSettings.none()
				.withSecrets(Rotate.secret(1), Rotate.secret(2).from(20_000_000_000L))
				.withCheck(), "x");
		String[] kinds = { "before second secret", "after second secret", "no id", "wrong check", "wrong length" };
		String[][] texts = new String[kinds.length][2000];
		KeySpace wide = new SequentialSettings(1, 56_000_000_000L).resolve(null)
			.written(TextSettings.none()
				.withSecrets(Rotate.secret(1), Rotate.secret(2).from(20_000_000_000L))
				.withCheck(), "x");
		for (int i = 0; i < 2000; i++) {
			texts[0][i] = six.format(1 + r.nextInt(2_000_000_000));
			texts[1][i] = six.format(21_000_000_000L + r.nextInt(2_000_000_000));
			texts[2][i] = wide.format(51_000_000_000L + r.nextInt(2_000_000_000));
			String t = texts[0][i];
			texts[3][i] = t.substring(0, 6) + (t.charAt(6) == 'a' ? 'b' : 'a');
			texts[4][i] = t + "a";
		}
		double[] best = new double[kinds.length];
		Arrays.fill(best, 1e9);
		for (int round = 0; round < 60; round++)
			for (int k = 0; k < kinds.length; k++) {
				long t = System.nanoTime();
				long x = 0;
				for (String s : texts[k]) {
					try {
						x += six.parse(s);
					}
					catch (IllegalArgumentException ex) {
						x++;
					}
				}
				best[k] = Math.min(best[k], (System.nanoTime() - t) / 2000.0);
			}
		for (int k = 0; k < kinds.length; k++)
			System.out.printf("parse, %s: %.0f ns%n", kinds[k], best[k]);
	}

}
