package dev.idspring.attack;

import java.time.Instant;
import java.util.*;
import java.util.function.*;

import dev.idspring.keyspace.*;
import dev.idspring.keyspace.KeySpaceSettings.*;
import dev.idspring.text.*;
import dev.idspring.time.*;

/** Random settings of every strategy: run main(seconds, seed). */
public final class TextFuzz {

	static long forms, refused, roundTrips, mutants, accepted;
	static final Map<String, Long> perStrategy = new TreeMap<>();
	static final Map<String, Integer> refusals = new TreeMap<>();

	public static void main(String[] args) {
		long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
		Random random = new Random(Long.parseLong(args[1]));
		while (System.nanoTime() < end) {
			try {
				run(random);
			}
			catch (AssertionError ex) {
				System.out.println("MISMATCH " + ex.getMessage());
			}
		}
		System.out.println("forms=" + forms + " refused=" + refused + " roundTrips=" + roundTrips + " mutants="
				+ mutants + " accepted=" + accepted + " per strategy " + perStrategy);
		refusals.entrySet()
			.stream()
			.sorted((a, b) -> b.getValue() - a.getValue())
			.limit(25)
			.forEach(System.out::println);
	}

	static Secret secret(Random random) {
		byte[] bytes = new byte[16 + 8 * random.nextInt(3)];
		random.nextBytes(bytes);
		return Secret.of(Base64.getEncoder().encodeToString(bytes));
	}

	static Alphabet alphabet(Random random) {
		if (random.nextInt(3) == 0) {
			return Alphabet.of(List.of("base62", "base58", "base36", "base32").get(random.nextInt(4)));
		}
		List<Character> all = new ArrayList<>();
		for (char c = 0x21; c < 0x7F; c++)
			all.add(c);
		Collections.shuffle(all, random);
		int size = 2 + random.nextInt(93);
		StringBuilder text = new StringBuilder();
		all.subList(0, size).forEach(text::append);
		return Alphabet.of(text.toString());
	}

	record Form(LongFunction<String> format, ToLongFunction<String> parse) {
	}

	static long positive(Random random) {
		return random.nextLong() >>> 1 >>> random.nextInt(63);
	}

	static void run(Random random) {
		Alphabet alphabet = random.nextBoolean() ? alphabet(random) : null;
		Integer length = random.nextInt(3) == 0 ? (Integer) (1 + random.nextInt(24)) : null;
		Integer max = random.nextInt(6) == 0 ? (Integer) (1 + random.nextInt(64)) : null;
		String prefix = random.nextBoolean() ? ""
				: List.of("ord_", "a-", "Zz9_", "00000000000000000000_").get(random.nextInt(4));
		boolean check = random.nextBoolean();
		int strategy = random.nextInt(7);
		List<Secret> secrets = new ArrayList<>();
		int count = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(4);
		List<Long> edges = new ArrayList<>();
		TreeSet<Long> froms = new TreeSet<>();
		String name = random.nextInt(8) == 0 ? "" : "n".repeat(random.nextInt(200));
		Form form;
		LongSupplier numbers;
		boolean unsigned = false;
		try {
			if (strategy <= 3) {
				long first = random.nextBoolean() ? random.nextInt(2) : positive(random) % (Long.MAX_VALUE - 2);
				long last = random.nextBoolean() ? Long.MAX_VALUE - 1
						: Math.min(Long.MAX_VALUE - 1, first + positive(random) % (Long.MAX_VALUE - 1 - first));
				for (int i = 0; i < count; i++) {
					Secret s = secret(random);
					if (i > 0) {
						long from = 1 + positive(random)
								% Math.max(1, random.nextBoolean() ? last - first + 1 : 1_000_000_000L);
						froms.add(from);
					}
					secrets.add(s);
				}
				secrets = new ArrayList<>(secrets.subList(0, Math.min(secrets.size(), froms.size() + 1)));
				int at = 1;
				for (long from : froms) {
					secrets.set(at, secrets.get(at).from(from));
					at++;
					edges.add(first + from);
				}
				TextSettings text = new TextSettings(alphabet, length, max, prefix, check, secrets);
				KeySpaceSettings settings = switch (strategy) {
					case 0 -> new SequentialSettings(first, last);
					case 1 -> new GaplessSettings(first, last);
					case 2 -> new RecycledSettings(1 + positive(random) % 1000,
							1000 + positive(random) % 9_223_372_036_853_999_000L);
					default -> new CoprimeSettings((alphabet != null) ? alphabet : Alphabet.of("base62"),
							(length != null && length < 9) ? length : 4,
							(length != null && length < 9) ? length : 4 + random.nextInt(3), null, 0);
				};
				if (strategy == 3)
					text = new TextSettings(null, null, null, prefix, check, List.of());
				KeySpace space = settings.resolve(null).written(text, name);
				if (space.definition().length() > 500)
					throw new AssertionError(
							"definition of " + space.definition().length() + ": " + space.definition());
				form = new Form(space::format, space::parse);
				long capacity = space.capacity();
				numbers = () -> space.key(positive(random) % capacity);
				edges.removeIf((e) -> e > last);
				if (strategy == 2 || strategy == 3)
					edges.clear();
				edges.add(space.key(0));
				edges.add(space.key(capacity - 1));
				if (strategy < 2) {
					// boundaries of lengths
					int size = alphabet != null ? alphabet.size() : 62;
					java.math.BigInteger e = java.math.BigInteger.ZERO;
					for (int l = (length != null ? length : 6); e.bitLength() < 63 && l < 70; l++) {
						e = e.add(java.math.BigInteger.valueOf(size).pow(l));
						if (e.bitLength() < 63)
							edges.add(e.longValue());
					}
					for (long b : List.copyOf(edges)) {
						edges.add(b - 1);
						edges.add(b + 1);
					}
					edges.removeIf((x) -> x < first || x > last);
				}
				String key = List.of("sequential", "gapless", "recycled", "coprime").get(strategy);
				finish(random, form, numbers, edges, key, prefix, alphabet);
				return;
			}
			Instant epoch = Instant
				.parse(List.of("2020-01-01T00:00:00Z", "2011-01-01T00:00:00Z", "1960-05-05T05:05:05.123Z")
					.get(random.nextInt(3)));
			TimeScheme scheme = switch (strategy) {
				case 4 -> {
					int time = 30 + random.nextInt(20);
					int node = random.nextInt(Math.min(12, 63 - time) + 1);
					yield new SnowflakeSettings(epoch, time, node, random.nextInt(63 - time - node + 1),
							TimeScheme.Tail.SEQUENCE)
						.scheme();
				}
				case 5 ->
					new DecimalUidSettings(epoch, 1 + random.nextInt(6), 1 + random.nextInt(3), random.nextBoolean())
						.scheme();
				default ->
					new CompositeSettings(epoch, random.nextBoolean(), 1 + random.nextInt(3), 2 + random.nextInt(3))
						.scheme();
			};
			TimeLayout layout = scheme.layout();
			unsigned = layout.isUnsigned();
			for (int i = 0; i < count; i++) {
				secrets.add(secret(random));
				if (i > 0)
					froms.add((long) (random.nextDouble() * layout.ticks()));
			}
			secrets = new ArrayList<>(secrets.subList(0, Math.min(secrets.size(), froms.size() + 1)));
			int at = 1;
			for (long from : froms) {
				if (at == secrets.size())
					break;
				secrets.set(at, secrets.get(at).from(layout.instant(from)));
				at++;
				edges.add(layout.id(0, from, 0, 0));
				edges.add(layout.id(0, from, layout.nodes() - 1, layout.tails() - 1));
			}
			TextSettings text = new TextSettings(alphabet, length, max, prefix, check, secrets);
			TimeScheme written = scheme.written(text, name);
			if (written.definition().length() > 500)
				throw new AssertionError(
						"definition of " + written.definition().length() + ": " + written.definition());
			form = new Form(written::format, written::parse);
			numbers = () -> layout.id(positive(random) % layout.prefixes(), positive(random) % layout.ticks(),
					positive(random) % layout.nodes(), positive(random) % layout.tails());
			edges.add(0L);
			edges.add(layout.id(layout.prefixes() - 1, layout.ticks() - 1, layout.nodes() - 1, layout.tails() - 1));
			finish(random, form, numbers, edges, scheme.strategy(), prefix, alphabet);
		}
		catch (IllegalArgumentException ex) {
			refused++;
			refusals.merge(ex.getMessage()
				.replaceAll("'[^']*'", "X")
				.replaceAll("\\d+", "N")
				.replaceAll("is .* but", "is Y but"), 1, Integer::sum);
		}
	}

	static void finish(Random random, Form form, LongSupplier numbers, List<Long> edges, String key, String prefix,
			Alphabet alphabet) {
		forms++;
		Map<String, Long> seen = new HashMap<>();
		int n = 100;
		for (int i = 0; i < n + edges.size(); i++) {
			long number = i < n ? numbers.getAsLong() : edges.get(i - n);
			String text;
			try {
				text = form.format.apply(number);
				long back = form.parse.applyAsLong(text);
				if (back != number)
					throw new AssertionError(key + " " + number + " -> " + text + " -> " + back);
			}
			catch (IllegalArgumentException ex) {
				throw new AssertionError(key + " " + number + " " + ex);
			}
			roundTrips++;
			perStrategy.merge(key, 1L, Long::sum);
			Long other = seen.put(text, number);
			if (other != null && other != number)
				throw new AssertionError(key + " " + number + " and " + other + " -> " + text);
			if (i % 10 == 0)
				mutate(random, form, text, key, prefix, alphabet);
		}
	}

	static void mutate(Random random, Form form, String text, String key, String prefix, Alphabet alphabet) {
		List<String> all = new ArrayList<>();
		int at = random.nextInt(text.length());
		char c = (char) (0x20 + random.nextInt(0x5F));
		all.add(text.substring(0, at) + c + text.substring(at + 1));
		all.add(text.substring(0, at) + text.substring(at + 1));
		all.add(text.substring(0, at) + c + text.substring(at));
		all.add(" " + text);
		all.add(text + " ");
		all.add(text + "\n");
		all.add("\t" + text);
		all.add(text + "\u00a0");
		all.add("\u0000" + text);
		all.add(text + "\u0000");
		all.add("\uFEFF" + text);
		all.add(text.substring(0, at) + "\uD83D\uDE00" + text.substring(at));
		all.add(text.substring(0, at) + "\uD83D" + text.substring(at + 1));
		all.add(text + "\uDE00");
		all.add(text.substring(0, at) + (char) (0xFF10 + random.nextInt(10)) + text.substring(at + 1));
		all.add(text.substring(0, at) + (char) (0x0660 + random.nextInt(10)) + text.substring(at + 1));
		all.add(text.toUpperCase(Locale.ROOT));
		all.add(text.toLowerCase(Locale.ROOT));
		all.add(text + text);
		all.add("");
		all.add("-" + text);
		all.add("+" + text);
		all.add("0" + text);
		all.add(text.substring(prefix.length()));
		all.add(prefix);
		all.add(prefix + prefix + text);
		all.add(text.repeat(1000));
		all.add("9".repeat(text.length()));
		all.add("zZ~".repeat(20));
		if (text.length() > prefix.length() + 1) {
			int i = prefix.length() + random.nextInt(text.length() - prefix.length() - 1);
			char[] chars = text.toCharArray();
			char x = chars[i];
			chars[i] = chars[i + 1];
			chars[i + 1] = x;
			all.add(new String(chars));
		}
		StringBuilder other = new StringBuilder(prefix);
		String digits = (alphabet != null) ? alphabet.characters()
				: "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
		while (other.length() < text.length())
			other.append(digits.charAt(random.nextInt(digits.length())));
		all.add(other.toString());
		for (String mutant : all) {
			mutants++;
			long number;
			try {
				number = form.parse.applyAsLong(mutant);
			}
			catch (IllegalArgumentException ex) {
				continue;
			}
			catch (RuntimeException ex) {
				throw new AssertionError(key + " parse of '" + mutant + "' " + ex);
			}
			accepted++;
			String again = form.format.apply(number);
			if (!again.equals(mutant)) {
				boolean alike = alphabet != null && "base32".equals(alphabet.name())
						&& again.substring(prefix.length())
							.equals(mutant.substring(prefix.length())
								.toUpperCase(Locale.ROOT)
								.replace('I', '1')
								.replace('L', '1')
								.replace('O', '0'))
						&& mutant.startsWith(prefix);
				if (!alike)
					throw new AssertionError(
							key + " parse of '" + mutant + "' gives " + number + ", which is '" + again + "'");
			}
		}
		try {
			form.parse.applyAsLong(null);
			throw new AssertionError("null");
		}
		catch (IllegalArgumentException ex) {
		}
	}

}
