package dev.idspring.benchmarks.inserts;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.benchmarks.inserts.Engine.Column;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The sources of primary keys.
 */
enum KeyScheme {

	IDENTITY("identity, auto-increment", Column.IDENTITY) {

		@Override
		List<?> keys(KeySource source, int count) {
			return List.of();
		}

	},

	IDENTITY_READ("identity, read back", Column.IDENTITY) {

		@Override
		List<?> keys(KeySource source, int count) {
			return List.of();
		}

		@Override
		boolean readsKeysBack() {
			return true;
		}

	},

	MAX("max + 1", Column.NUMBER) {

		@Override
		List<?> keys(KeySource source, int count) {
			return afterGreatest(source, count);
		}

	},

	LOCKED_MAX("max + 1, locked", Column.NUMBER) {

		@Override
		List<?> keys(KeySource source, int count) {
			source.jdbc().execute(source.engine().lock(table()));
			return afterGreatest(source, count);
		}

	},

	GAPLESS("gapless", Column.NUMBER),

	SEQUENTIAL("sequential", Column.NUMBER),

	/**
	 * The table contains the number. The benchmark also creates the text form, which is
	 * encrypted with a secret, as an application does for its public ids.
	 */
	SEQUENTIAL_SECRET("sequential, secret text outside", Column.NUMBER) {

		@Override
		List<?> keys(KeySource source, int count) {
			IdGenerator generator = source.generator(this);
			return super.keys(source, count).stream().filter((key) -> !generator.format((Long) key).isEmpty()).toList();
		}

	},

	RECYCLED("recycled", Column.NUMBER),

	COPRIME_NUMBER("coprime, number", Column.NUMBER),

	COPRIME_TEXT("coprime, text", Column.TEXT) {

		@Override
		List<?> keys(KeySource source, int count) {
			return source.generator(this).nextStrings(count);
		}

	},

	PARK_MILLER("park-miller", Column.NUMBER),

	SNOWFLAKE("snowflake, standard", Column.NUMBER),

	RANDOM_TAIL("snowflake, random-tail", Column.NUMBER),

	DECIMAL_UID("decimal-uid", Column.NUMBER),

	COMPOSITE("composite", Column.NUMBER),

	SEQUENTIAL_UUID("sequential, UUID", Column.UUID) {

		@Override
		List<?> keys(KeySource source, int count) {
			return uuids(source, count, source.generator(this)::nextUuid);
		}

	},

	SNOWFLAKE_UUID("snowflake, UUID", Column.UUID) {

		@Override
		List<?> keys(KeySource source, int count) {
			return uuids(source, count, source.generator(this)::nextUuid);
		}

	},

	UUID_4("UUID, version 4", Column.UUID) {

		@Override
		List<?> keys(KeySource source, int count) {
			return uuids(source, count, UUID::randomUUID);
		}

	},

	UUID_7("UUID, version 7", Column.UUID) {

		@Override
		List<?> keys(KeySource source, int count) {
			return uuids(source, count, UuidCreator::getTimeOrderedEpoch);
		}

	};

	private final String title;

	private final Column column;

	KeyScheme(String title, Column column) {
		this.title = title;
		this.column = column;
	}

	String title() {
		return this.title;
	}

	Column column() {
		return this.column;
	}

	/** Return the name of the table. */
	String table() {
		return "by_" + name().toLowerCase(Locale.ROOT);
	}

	/** Return the name of the generator, if the scheme has one. */
	String generatorName() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Return whether the keys that the database generates are read back. Applications
	 * that use the inserted rows need these keys.
	 */
	boolean readsKeysBack() {
		return false;
	}

	/**
	 * Return keys for rows that are inserted in the caller's transaction, or an empty
	 * list if the database generates the keys.
	 */
	List<?> keys(KeySource source, int count) {
		IdGenerator generator = source.generator(this);
		return (count == 1) ? List.of(generator.nextLong())
				: Arrays.stream(generator.nextLongs(count)).boxed().toList();
	}

	List<?> uuids(KeySource source, int count, Supplier<UUID> next) {
		return Stream.generate(next)
			.limit(count)
			.map((uuid) -> (source.engine() == Engine.POSTGRESQL) ? uuid : uuid.toString())
			.toList();
	}

	List<?> afterGreatest(KeySource source, int count) {
		Long greatest = source.jdbc().queryForObject("select coalesce(max(id), 0) from " + table(), Long.class);
		long first = ((greatest != null) ? greatest : 0) + 1;
		return LongStream.range(first, first + count).boxed().toList();
	}

	/**
	 * The objects that schemes need to create keys.
	 *
	 * @param engine the database server
	 * @param jdbc the access to the database
	 * @param generators this project's generators
	 */
	record KeySource(Engine engine, JdbcTemplate jdbc, IdGenerators generators) {

		IdGenerator generator(KeyScheme scheme) {
			return this.generators.get(scheme.generatorName());
		}

	}

}
