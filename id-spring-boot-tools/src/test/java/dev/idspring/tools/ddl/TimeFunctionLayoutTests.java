package dev.idspring.tools.ddl;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.IdDescription;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.time.DecimalUidSettings;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeScheme;
import dev.idspring.time.TimeScheme.Tail;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests of the layout of the time-based ids that a database function creates. The class
 * is also the fixture of the tests that extend it.
 */
@Tag("mysql")
abstract class TimeFunctionLayoutTests {

	static final Duration FIVE_SECONDS = Duration.ofSeconds(5);

	private final Kind kind;

	private DatabaseIds database;

	TimeFunctionLayoutTests(Kind kind) {
		this.kind = kind;
	}

	final Kind kind() {
		return this.kind;
	}

	final DatabaseIds create(TimeFunction function) {
		this.database = new DatabaseIds(this.kind.create(), function);
		return this.database;
	}

	@AfterEach
	void close() {
		if (this.database != null) {
			this.database.close();
		}
	}

	static Stream<TimeScheme> schemes() {
		Instant epoch = Instant.parse("2011-01-01T00:00:00Z");
		SnowflakeSettings allTails = new SnowflakeSettings(Instant.parse("2024-01-01T00:00:00Z"), 41, 0, 22,
				Tail.RANDOM);
		SnowflakeSettings noTail = new SnowflakeSettings(epoch, 42, 21, 0, Tail.SEQUENCE);
		return Stream.concat(Stream.of(Preset.values()).map((preset) -> preset.settings().scheme()),
				Stream.of(new DecimalUidSettings(epoch, 6, 1, true).scheme(),
						new DecimalUidSettings(epoch, 5, 2, true).scheme(), allTails.scheme(), noTail.scheme()));
	}

	/**
	 * The generator must be able to decode the ids of the database.
	 */
	@ParameterizedTest
	@MethodSource("schemes")
	void functionUsesTheLayoutOfTheGenerator(TimeScheme scheme) throws Exception {
		long node = scheme.layout().nodes() - 1;
		Duration maxAhead = Duration.ofSeconds(1);
		DatabaseIds ids = create(new TimeFunction(scheme, node, maxAhead, FIVE_SECONDS));
		Instant before = Instant.now();
		List<Long> drawn = ids.draw(300);
		drawn.addAll(ids.draw(300));
		Instant after = Instant.now();
		assertThat(drawn).doesNotHaveDuplicates();
		List<Instant> times = new ArrayList<>();
		for (long id : drawn) {
			IdDescription description = scheme.describe(id);
			assertThat(description.node()).isEqualTo(node);
			assertThat(scheme.parse(scheme.format(id))).isEqualTo(id);
			times.add(description.time());
		}
		assertThat(times).isSorted()
			.allSatisfy((time) -> assertThat(time).isBetween(before.minusMillis(1), after.plus(maxAhead)));
		if (scheme.tail() != Tail.RANDOM) {
			assertThat(drawn).isSorted();
		}
	}

	/**
	 * A tail distinguishes the ids of a millisecond. Random tails come from the whole
	 * range. Rolling tails do not always begin at 0, so that ids are spread over shards
	 * even if each millisecond has only one id.
	 */
	@Test
	void functionAppliesRandomAndRollingTails() throws Exception {
		DatabaseIds random = create(
				new TimeFunction(new DecimalUidSettings(Instant.parse("2011-01-01T00:00:00Z"), 6, 1, true).scheme(), 3,
						FIVE_SECONDS, FIVE_SECONDS));
		List<Long> tails = random.draw(400).stream().map((id) -> random.function.scheme().describe(id).tail()).toList();
		assertThat(tails).anyMatch((tail) -> tail < 250_000)
			.anyMatch((tail) -> tail >= 250_000 && tail < 500_000)
			.anyMatch((tail) -> tail >= 500_000 && tail < 750_000)
			.anyMatch((tail) -> tail >= 750_000);
		close();
		DatabaseIds rolling = create(DatabaseIds.function(Preset.STANDARD.settings()));
		List<Long> drawnOneByOne = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			drawnOneByOne.addAll(rolling.draw(1));
		}
		assertThat(drawnOneByOne.stream().map((id) -> id % 4)).contains(0L, 1L, 2L, 3L);
	}

	@Test
	void failsOutsideTheRangeOfTheLayout() {
		SnowflakeSettings endedSettings = new SnowflakeSettings(Instant.parse("2024-01-01T00:00:00Z"), 30, 10, 4,
				Tail.SEQUENCE);
		DatabaseIds ended = create(DatabaseIds.function(endedSettings));
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> ended.draw(1))
			.withMessageContaining("there are no ids of this layout after 2024-01-13T10:15:41.823Z");
		close();
		SnowflakeSettings futureSettings = new SnowflakeSettings(Instant.parse("2124-01-01T00:00:00Z"), 41, 10, 4,
				Tail.SEQUENCE);
		DatabaseIds future = create(DatabaseIds.function(futureSettings));
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> future.draw(1))
			.withMessageContaining("the clock shows a time before 2124-01-01T00:00:00Z");
	}

	@Test
	void failsAfterTheLastPosition() {
		Instant epoch = Instant.parse("2024-01-01T00:00:00Z");
		SnowflakeSettings settings = new SnowflakeSettings(epoch, 41, 10, 2, Tail.SEQUENCE);
		DatabaseIds ids = create(DatabaseIds.function(settings, Duration.ofDays(40_000), FIVE_SECONDS));
		ids.moveLastIdTo(settings.scheme().layout().lastInstant());
		List<Long> drawn = new ArrayList<>();
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> {
			for (int i = 0; i < 5; i++) {
				drawn.addAll(ids.draw(1));
			}
		}).withMessageContaining("there are no ids of this layout after 2093-09-06T15:47:35.551Z");
		assertThat(drawn).isNotEmpty().doesNotHaveDuplicates().allMatch((id) -> id > 0);
		assertThat(ids.time(drawn.get(drawn.size() - 1))).isEqualTo("2093-09-06T15:47:35.551Z");
	}

	/**
	 * Only MariaDB and MySQL have a type for unsigned numbers.
	 */
	@Test
	void supportsUnsignedIds() throws Exception {
		Instant epoch = Instant.parse("1990-01-01T00:00:00Z");
		TimeScheme scheme = new DecimalUidSettings(epoch, 6, 1, false).scheme();
		TimeFunction function = new TimeFunction(scheme, 7, FIVE_SECONDS, FIVE_SECONDS);
		assumeThat(this.kind).isNotEqualTo(Kind.POSTGRESQL);
		DatabaseIds ids = create(function);
		try (Connection connection = ids.pool.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute("create table orders (id bigint unsigned default 0 primary key, place int)");
			statement.execute("create trigger orders_id before insert on orders for each row"
					+ " set new.id = if(new.id = 0, next_id(), new.id)");
			Instant before = Instant.now();
			statement.execute("insert into orders (place) select 1 from " + ids.rows(300));
			List<String> written = new ArrayList<>();
			try (var rows = statement.executeQuery("select id from orders order by id")) {
				while (rows.next()) {
					written.add(rows.getString(1));
				}
			}
			assertThat(written).hasSize(300);
			for (String text : written) {
				long id = Long.parseUnsignedLong(text);
				assertThat(id).isNegative();
				IdDescription description = scheme.describe(id);
				assertThat(description.node()).isEqualTo(7);
				assertThat(description.time()).isBetween(before.minusMillis(1), Instant.now().plus(FIVE_SECONDS));
			}
		}
	}

}
