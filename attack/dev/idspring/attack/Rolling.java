package dev.idspring.attack;

import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;
import dev.idspring.*;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.springframework.context.*;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Old and new instances draw at once while secrets are added. */
public class Rolling {

	static final ConcurrentHashMap<String, Long> texts = new ConcurrentHashMap<>();
	static final ConcurrentHashMap<Long, Boolean> numbers = new ConcurrentHashMap<>();
	static final AtomicLong dups = new AtomicLong(), misread = new AtomicLong(), drawn = new AtomicLong(),
			refused = new AtomicLong(), other = new AtomicLong();
	static final Set<String> errors = ConcurrentHashMap.newKeySet();

	static class Instance {

		final ConfigurableApplicationContext context;

		final IdGenerator ids;

		final List<Thread> threads = new ArrayList<>();

		final AtomicBoolean stop = new AtomicBoolean();

		final AtomicLong mine = new AtomicLong(), mineRefused = new AtomicLong();

		Instance(ConfigurableApplicationContext c, boolean gapless, int slow) {
			context = c;
			ids = c.getBean(IdGenerator.class);
			TransactionTemplate tx = new TransactionTemplate(c.getBean(PlatformTransactionManager.class));
			for (int t = 0; t < 2; t++) {
				Thread thread = new Thread(() -> {
					Random r = new Random();
					while (!stop.get()) {
						try {
							List<long[]> got = new ArrayList<>();
							if (gapless) {
								boolean rollback = r.nextInt(4) == 0;
								tx.executeWithoutResult((s) -> {
									long[] n = { ids.nextLong() };
									got.add(n);
									if (slow > 0)
										sleep(r.nextInt(slow));
									if (rollback) {
										s.setRollbackOnly();
										got.clear();
									}
								});
							}
							else
								got.add(ids.nextLongs(1 + r.nextInt(5)));
							for (long[] n : got)
								for (long v : n) {
									String text = ids.format(v);
									Long before = texts.putIfAbsent(text, v);
									if (before != null) {
										dups.incrementAndGet();
										errors.add("text " + text + " of " + v + " and " + before);
									}
									if (ids.parse(text) != v)
										misread.incrementAndGet();
									drawn.incrementAndGet();
									mine.incrementAndGet();
								}
							if (slow > 0 && r.nextInt(20) == 0)
								sleep(r.nextInt(slow));
						}
						catch (KeySpaceMismatchException ex) {
							refused.incrementAndGet();
							mineRefused.incrementAndGet();
							sleep(20);
						}
						catch (IdGenerationException ex) {
							boolean m = String.valueOf(ex.getMessage()).contains("secrets, but");
							if (m) {
								refused.incrementAndGet();
								mineRefused.incrementAndGet();
							}
							else {
								other.incrementAndGet();
								errors
									.add(ex.getClass().getSimpleName() + " " + ex.getMessage().replaceAll("\\d+", "N"));
							}
							sleep(20);
						}
						catch (RuntimeException ex) {
							other.incrementAndGet();
							errors.add(ex.getClass().getSimpleName() + " "
									+ String.valueOf(ex.getMessage()).replaceAll("\\d+", "N"));
							sleep(20);
						}
					}
				});
				thread.start();
				threads.add(thread);
			}
		}

		void close() throws Exception {
			stop.set(true);
			for (Thread t : threads)
				t.join();
			context.close();
		}

	}

	static void sleep(long ms) {
		try {
			Thread.sleep(ms);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static String[] secrets(String strategy, List<Object> froms) {
		List<String> p = new ArrayList<>(List.of("ids.strategy=" + strategy, "ids.text.check=true", "ids.lease=2s",
				"ids.clock.max-ahead=100ms", "ids.clock.max-skew=1s", "ids.block.size=50", "ids.block.max-size=500",
				"logging.level.root=error", "spring.datasource.hikari.maximum-pool-size=6"));
		for (int i = 0; i <= froms.size(); i++) {
			p.add("ids.text.secrets[" + i + "].key=" + Leaks.key(50 + i));
			if (i > 0)
				p.add("ids.text.secrets[" + i + "].from=" + froms.get(i - 1));
		}
		return p.toArray(String[]::new);
	}

	static ConfigurableApplicationContext start(TestDatabase db, String strategy, List<Object> froms) {
		return Leaks.start(db, secrets(strategy, froms));
	}

	public static void main(String[] args) throws Exception {
		for (Kind kind : List.of(Kind.H2, Kind.POSTGRESQL))
			for (String strategy : args[0].split(","))
				run(kind, strategy);
		System.exit(0);
	}

	static void run(Kind kind, String strategy) throws Exception {
		texts.clear();
		numbers.clear();
		errors.clear();
		for (AtomicLong l : List.of(dups, misread, drawn, refused, other))
			l.set(0);
		TestDatabase db = kind.create();
		boolean gapless = strategy.equals("gapless"), time = strategy.matches("snow.*|dec.*");
		List<Object> froms = new ArrayList<>();
		List<Instance> all = new ArrayList<>();
		long begun = System.nanoTime();
		for (int i = 0; i < 2; i++)
			all.add(new Instance(start(db, strategy, froms), gapless, i == 0 ? 0 : 30));
		int failedStarts = 0, startTries = 0;
		StringBuilder log = new StringBuilder();
		for (int era = 1; era <= 3; era++) {
			sleep(500);
			// near ahead: sometimes too near, then try again
			List<Instance> fresh = new ArrayList<>();
			for (int attempt = 0; fresh.isEmpty() && attempt < 60; attempt++) {
				List<Object> with = new ArrayList<>(froms);
				if (time)
					with.add(Instant.now()
						.plusMillis(3_000 + 500L * attempt)
						.truncatedTo(java.time.temporal.ChronoUnit.MILLIS));
				else
					with.add(Math.max(froms.isEmpty() ? 1 : (Long) froms.get(froms.size() - 1) + 1,
							maxNumber() + (gapless ? 200 : 100_000) * (1L + attempt)));
				// two start at once with the same list
				ExecutorService pool = Executors.newFixedThreadPool(3);
				List<Future<ConfigurableApplicationContext>> starts = IntStream.range(0, 3)
					.mapToObj((i) -> pool.submit(() -> start(db, strategy, with)))
					.toList();
				for (Future<ConfigurableApplicationContext> f : starts) {
					startTries++;
					try {
						fresh.add(new Instance(f.get(), gapless, 10));
					}
					catch (ExecutionException ex) {
						failedStarts++;
						Throwable root = ex;
						while (root.getCause() != null)
							root = root.getCause();
						errors.add("start: " + root.getClass().getSimpleName() + " "
								+ String.valueOf(root.getMessage()).replaceAll("\\d+", "N").replaceAll("'[^']*'", "X"));
					}
				}
				pool.shutdown();
				if (!fresh.isEmpty()) {
					if (fresh.size() < 3)
						log.append(" only " + fresh.size() + " of 3 started;");
					froms = with;
				}
			}
			if (fresh.isEmpty()) {
				log.append(" era " + era + " never began;");
				break;
			}
			all.addAll(fresh);
			sleep(time ? 5_000 : 1_500);
			// the old ones must be out or below
			Object from = froms.get(froms.size() - 1);
			log.append(" era " + era + " from " + from + ", max " + maxNumber() + ";");
			if (era == 2) {
				Instance first = all.remove(0);
				first.close();
			}
		}
		for (Instance i : all) {
			log.append(" [" + i.mine + "/" + i.mineRefused + "]");
			i.close();
		}
		System.out.println(kind + " " + strategy + ": drawn " + drawn + ", DUPLICATE TEXTS " + dups + ", misread "
				+ misread + ", refused draws " + refused + ", other errors " + other + ", starts " + startTries
				+ " of which failed " + failedStarts + ";" + log + " "
				+ Duration.ofNanos(System.nanoTime() - begun).toSeconds() + "s");
		errors.stream().limit(8).forEach((e) -> System.out.println("    " + e.substring(0, Math.min(300, e.length()))));
	}

	static long maxNumber() {
		return texts.values().stream().mapToLong((x) -> x).max().orElse(0);
	}

}
