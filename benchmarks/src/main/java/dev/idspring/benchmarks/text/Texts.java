package dev.idspring.benchmarks.text;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

import com.aventrix.jnanoid.jnanoid.NanoIdUtils;
import dev.idspring.IdGenerator;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.text.Alphabet;
import dev.idspring.text.Secret;
import dev.idspring.text.TextSettings;
import org.bouncycastle.crypto.fpe.FPEFF1Engine;
import org.bouncycastle.crypto.params.FPEParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.hashids.Hashids;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.sqids.Sqids;

/**
 * Benchmarks of ids in a text form of six base62 characters. If a library determines the
 * length of its strings, they have at least six characters.
 */
public class Texts {

	private static final int LENGTH = 6;

	private static final Alphabet BASE62 = Alphabet.of("base62");

	@Benchmark
	public String withoutSecret(Plain state) {
		return state.ids.nextString();
	}

	@Benchmark
	public String withSecret(Permuted state) {
		return state.ids.nextString();
	}

	@Benchmark
	public long parseWithSecret(Permuted state, Numbers numbers) {
		return state.ids.parse(state.texts[(int) (numbers.next++ & (Permuted.TEXTS - 1))]);
	}

	@Benchmark
	public String bouncyCastle(BouncyCastle state, Numbers numbers) {
		return state.encrypt(numbers.next++);
	}

	@Benchmark
	public String sqids(OtherLibraries state, Numbers numbers) {
		return state.sqids.encode(List.of(numbers.next++));
	}

	@Benchmark
	public String hashids(OtherLibraries state, Numbers numbers) {
		return state.hashids.encode(numbers.next++);
	}

	@Benchmark
	public String nanoid(OtherLibraries state) {
		return NanoIdUtils.randomNanoId(NanoIdUtils.DEFAULT_NUMBER_GENERATOR, state.characters, LENGTH);
	}

	/**
	 * The counter of a thread.
	 */
	@State(Scope.Thread)
	public static class Numbers {

		private long next;

	}

	/**
	 * A generator that is closed after the benchmark.
	 */
	public abstract static class Generator {

		private final TextSettings text;

		private ManagedIdGenerator generator;

		protected IdGenerator ids;

		Generator(TextSettings text) {
			this.text = text;
		}

		@Setup
		public void setUp() {
			BlockSettings blocks = BlockSettings.defaults();
			this.generator = BlockIdGenerator
				.sequential("links", new SequentialSettings(1, Long.MAX_VALUE - 1), new InMemoryKeySpaceStore())
				.text(this.text)
				.blockSettings(
						new BlockSettings(blocks.size(), 10_000_000, blocks.waitTimeout(), blocks.outageReserve()))
				.open();
			this.ids = this.generator;
		}

		@TearDown
		public void tearDown() {
			this.generator.close();
		}

	}

	@State(Scope.Benchmark)
	public static class Plain extends Generator {

		public Plain() {
			super(TextSettings.none().withDigits(BASE62, LENGTH));
		}

	}

	@State(Scope.Benchmark)
	public static class Permuted extends Generator {

		static final int TEXTS = 1024;

		private String[] texts;

		public Permuted() {
			super(TextSettings.none()
				.withDigits(BASE62, LENGTH)
				.withSecrets(Secret.of(Base64.getEncoder().encodeToString(randomBytes()))));
		}

		@Override
		public void setUp() {
			super.setUp();
			this.texts = this.ids.nextStrings(TEXTS).toArray(new String[0]);
		}

	}

	/**
	 * The implementation of FF1 in a library. This project uses the same cipher for
	 * strings with a secret. The benchmark converts a number to digits, encrypts them,
	 * and converts the result to characters.
	 */
	@State(Scope.Thread)
	public static class BouncyCastle {

		private static final byte[] CHARACTERS = BASE62.characters().getBytes(StandardCharsets.ISO_8859_1);

		private final FPEFF1Engine engine = new FPEFF1Engine();

		private final byte[] digits = new byte[LENGTH];

		private final byte[] permuted = new byte[LENGTH];

		public BouncyCastle() {
			this.engine.init(true, new FPEParameters(new KeyParameter(randomBytes()), CHARACTERS.length,
					"links".getBytes(StandardCharsets.UTF_8)));
		}

		String encrypt(long number) {
			long rest = number;
			for (int i = LENGTH - 1; i >= 0; i--) {
				this.digits[i] = (byte) (rest % CHARACTERS.length);
				rest /= CHARACTERS.length;
			}
			this.engine.processBlock(this.digits, 0, LENGTH, this.permuted, 0);
			for (int i = 0; i < LENGTH; i++) {
				this.permuted[i] = CHARACTERS[this.permuted[i]];
			}
			return new String(this.permuted, StandardCharsets.ISO_8859_1);
		}

	}

	@State(Scope.Benchmark)
	public static class OtherLibraries {

		private final Sqids sqids = Sqids.builder().minLength(LENGTH).build();

		private final Hashids hashids = new Hashids("links", LENGTH);

		private final char[] characters = new String(BouncyCastle.CHARACTERS, StandardCharsets.ISO_8859_1)
			.toCharArray();

	}

	private static byte[] randomBytes() {
		byte[] bytes = new byte[16];
		new SecureRandom().nextBytes(bytes);
		return bytes;
	}

}
