package dev.idspring.ddl;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.keyspace.Alphabet;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.TextForm;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.time.DecimalUidSettings;
import dev.idspring.time.SnowflakeSettings.Format;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that the texts of databases are those of the generators.
 */
@Tag("mysql")
@ParameterizedClass
@EnumSource(value = Kind.class, names = { "POSTGRESQL", "MARIADB", "MYSQL_DRIVER" })
class TextFunctionTests {

	private static final int COUNT = 2_000;

	@Parameter
	private Kind kind;

	private TestDatabase testDatabase;

	private HikariDataSource pool;

	@BeforeEach
	void start() {
		this.testDatabase = this.kind.create();
		this.pool = this.testDatabase.pool(1);
	}

	@AfterEach
	void close() {
		this.pool.close();
	}

	static Stream<Text> texts() {
		return Stream.of(fixed("base62", Format.BASE62), fixed("base32", Format.BASE32), fixed("hex", Format.HEX),
				javascript(), decimal(), coprime("default", "base62", 6, 6), coprime("growing", "base58", 2, 6),
				coprime("hostile", "0'\\$\";-%_{}x", 3, 9), coprime("binary", "01", 1, 61));
	}

	private static Text fixed(String name, Format format) {
		return new Text(name, TextDigits.of(format.alphabet(), format.length(), Long.MAX_VALUE), format.textForm());
	}

	/** Not all numbers that the digits can write are ids. */
	private static Text javascript() {
		TimeLayout layout = Preset.JAVASCRIPT.settings().layout();
		return new Text("javascript", TextDigits.of(Alphabet.of("base62"), 11, (1L << 53) - 1), new TextForm() {

			@Override
			public String format(long number) {
				return Format.BASE62.textForm().format(number);
			}

			@Override
			public long parse(String text) {
				long number = Format.BASE62.textForm().parse(text);
				if (number > layout.id(0, layout.ticks() - 1, layout.nodes() - 1, layout.tails() - 1)) {
					throw new IllegalArgumentException("higher than any");
				}
				return number;
			}

		});
	}

	private static Text decimal() {
		TimeLayout layout = new DecimalUidSettings(Instant.parse("2011-01-01T00:00:00Z"), 6, 1, true).layout();
		long last = layout.id(0, layout.ticks() - 1, layout.nodes() - 1, layout.tails() - 1);
		return new Text("decimal-uid", TextDigits.of(Alphabet.of("0123456789"), 20, last), TextForm.decimal20());
	}

	private static Text coprime(String name, String characters, int length, int maxLength) {
		Alphabet alphabet = Alphabet.of(characters);
		KeySpace keySpace = new CoprimeSettings(alphabet, length, maxLength, null, 0).resolve(null);
		return new Text(name, TextDigits.growing(alphabet, length, maxLength), new TextForm() {

			@Override
			public String format(long number) {
				return keySpace.format(number);
			}

			@Override
			public long parse(String text) {
				return keySpace.parse(text);
			}

		});
	}

	@ParameterizedTest
	@MethodSource("texts")
	void textsAreThoseOfTheGenerator(Text text) throws Exception {
		create(text);
		Random random = new Random(8);
		long last = text.digits.last();
		List<Long> numbers = new ArrayList<>(LongStream
			.concat(LongStream.of(0, 1, last - 1, last),
					LongStream.generate(() -> (random.nextLong() & Long.MAX_VALUE) >>> random.nextInt(63)))
			.filter((number) -> number <= last)
			.limit(COUNT)
			.boxed()
			.toList());
		for (TextDigits.Level level : text.digits.levels()) {
			long start = Long.parseLong(level.start());
			numbers.add(start);
			numbers.add(Math.max(0, start - 1));
		}
		try (Connection connection = this.pool.getConnection()) {
			DatabaseIds.execute(connection, "create table samples (number bigint, text varchar(70)"
					+ (isPostgresql() ? ")" : " character set ascii collate ascii_bin)"));
			connection.setAutoCommit(false);
			try (PreparedStatement insert = connection.prepareStatement("insert into samples values (?, ?)")) {
				for (long number : numbers) {
					insert.setLong(1, number);
					insert.setString(2, text.form.format(number));
					insert.addBatch();
				}
				insert.executeBatch();
			}
			try (PreparedStatement select = connection
				.prepareStatement("select number, text, next_id_text(number), next_id_number(text) from samples");
					ResultSet row = select.executeQuery()) {
				int count = 0;
				while (row.next()) {
					count++;
					assertThat(row.getString(3)).isEqualTo(row.getString(2));
					assertThat(row.getLong(4)).isEqualTo(row.getLong(1));
				}
				assertThat(count).isGreaterThanOrEqualTo(Math.min(COUNT, numbers.size()));
			}
		}
	}

	/**
	 * What the generator refuses, the database refuses; what it reads, likewise.
	 */
	@ParameterizedTest
	@MethodSource("texts")
	void textsThatAreNoneAreRefused(Text text) throws Exception {
		create(text);
		String some = text.form.format(Math.min(text.digits.last(), 1234));
		String rest = some.substring(1);
		List<String> bad = new ArrayList<>(List.of("", " ", some + " ", " " + some, rest, rest + " ", " " + rest,
				some + some.charAt(0), rest + "é", rest + "ı", rest + "\t", rest + "'", rest + "\\", rest + "%",
				rest + "_", rest + "~", rest + "U", rest + "u", rest + "O", rest + "o", rest + "l", rest + "I",
				rest + "a", rest + "A", rest + "\uD83D\uDE00", "-" + rest, "+" + rest, "z".repeat(some.length()),
				"Z".repeat(some.length()), "f".repeat(some.length()), "9".repeat(some.length()),
				"8" + "0".repeat(rest.length()), "7" + "f".repeat(rest.length()), "x".repeat(300)));
		try (Connection connection = this.pool.getConnection();
				PreparedStatement read = connection.prepareStatement("select next_id_number(?)")) {
			for (String one : bad) {
				Long expected = parsed(text, one);
				read.setString(1, one);
				if (expected == null) {
					assertThatExceptionOfType(SQLException.class).as("'%s'", one)
						.isThrownBy(read::executeQuery)
						.withMessageContaining(one.length() > 255 ? "" : "not an id");
				}
				else {
					try (ResultSet row = read.executeQuery()) {
						assertThat(row.next()).isTrue();
						assertThat(row.getLong(1)).as("'%s'", one).isEqualTo(expected);
					}
				}
			}
		}
	}

	private static Long parsed(Text text, String one) {
		try {
			long number = text.form.parse(one);
			return (number < 0 || number > text.digits.last()) ? null : number;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	@ParameterizedTest
	@MethodSource("texts")
	void numbersThatAreNoneAreRefused(Text text) throws Exception {
		create(text);
		try (Connection connection = this.pool.getConnection()) {
			List<Long> bad = (text.digits.last() == Long.MAX_VALUE) ? List.of(-1L, Long.MIN_VALUE)
					: List.of(-1L, Long.MIN_VALUE, text.digits.last() + 1, Long.MAX_VALUE);
			for (long one : bad) {
				assertThatExceptionOfType(SQLException.class)
					.isThrownBy(() -> DatabaseIds.query(connection, "select next_id_text(" + one + ")"))
					.withMessageContaining("not an id");
			}
			try (PreparedStatement none = connection
				.prepareStatement("select next_id_text(null), next_id_number(null)");
					ResultSet row = none.executeQuery()) {
				assertThat(row.next()).isTrue();
				assertThat(row.getObject(1)).isNull();
				assertThat(row.getObject(2)).isNull();
			}
		}
	}

	/**
	 * Only MariaDB and MySQL have numbers for it.
	 */
	@Test
	void unsignedNumbersAreWrittenAndRead() throws Exception {
		TimeLayout layout = new DecimalUidSettings(Instant.parse("2011-01-01T00:00:00Z"), 6, 1, false).layout();
		long last = layout.id(0, layout.ticks() - 1, layout.nodes() - 1, layout.tails() - 1);
		assertThat(last).isNegative();
		if (isPostgresql()) {
			TimeFunction function = new TimeFunction(new DecimalUidSettings(layout.epoch(), 6, 1, false).scheme(), 0,
					Duration.ofSeconds(1), Duration.ofSeconds(1));
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> IdDdl.on(DatabaseIds.target(this.testDatabase)).withFunction(function))
				.withMessageContaining("decimal-uid.signed");
			return;
		}
		create(new Text("unsigned", TextDigits.of(Alphabet.of("0123456789"), 20, last), TextForm.decimal20()));
		try (Connection connection = this.pool.getConnection();
				PreparedStatement read = connection.prepareStatement("select next_id_number(?), next_id_text(?)")) {
			String text = TextForm.decimal20().format(last);
			read.setString(1, text);
			read.setString(2, text);
			try (ResultSet row = read.executeQuery()) {
				assertThat(row.next()).isTrue();
				assertThat(row.getString(1)).isEqualTo(text);
				assertThat(row.getString(2)).isEqualTo(text);
			}
			read.setString(1, "99999999999999999999");
			assertThatExceptionOfType(SQLException.class).isThrownBy(read::executeQuery)
				.withMessageContaining("higher than any");
		}
	}

	private boolean isPostgresql() {
		return this.kind == Kind.POSTGRESQL;
	}

	private void create(Text text) {
		DatabaseIds.create(this.pool, IdDdl.on(DatabaseIds.target(this.testDatabase)).withText(text.digits));
	}

	/**
	 * A text form, and what the generator makes of it.
	 */
	record Text(String name, TextDigits digits, TextForm form) {

		@Override
		public String toString() {
			return this.name;
		}

	}

}
