package dev.idspring.testsupport;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * Time zones of this JVM and of database sessions.
 */
public final class TimeZones {

	/**
	 * Zones to the west and far to the east of Greenwich, a zone whose summer time
	 * differs by half an hour, a zone whose offset is not a whole hour, and UTC.
	 */
	public static final List<TimeZone> REAL_ZONES = List
		.of("America/New_York", "Pacific/Kiritimati", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC")
		.stream()
		.map((id) -> TimeZone.getTimeZone(ZoneId.of(id)))
		.toList();

	private static final ZoneOffset STANDARD = ZoneOffset.ofHours(2);

	private static final AtomicInteger NEXT_NUMBER = new AtomicInteger();

	private TimeZones() {
	}

	/**
	 * Run an action while a time zone is the default of this JVM.
	 */
	public static void runIn(TimeZone zone, Runnable action) {
		TimeZone before = TimeZone.getDefault();
		TimeZone.setDefault(zone);
		try {
			action.run();
		}
		finally {
			TimeZone.setDefault(before);
		}
	}

	/**
	 * Return statements that change the time zone of a session. Sessions of Derby and
	 * SQLite have no time zone.
	 */
	public static List<String> sessionStatements(Kind kind) {
		return switch (kind) {
			case H2, H2_FILE, POSTGRESQL -> List.of("set time zone 'America/New_York'",
					"set time zone 'Pacific/Kiritimati'", "set time zone 'Australia/Lord_Howe'");
			case HSQLDB -> List.of("set time zone interval '-11:00' hour to minute",
					"set time zone interval '13:30' hour to minute");
			case MARIADB, MYSQL_DRIVER -> List.of("set time_zone = '-11:00'", "set time_zone = '+12:45'");
			case DERBY, SQLITE -> List.of();
		};
	}

	/**
	 * Return zones in which summer time begins or ends shortly before or after now. No
	 * server knows these zones.
	 */
	public static List<TimeZone> withNearbyTransition() {
		return List.of(zone(true, -20, 60), zone(true, 20, 60), zone(false, -20, 60), zone(false, 20, 60),
				zone(false, -10, 30), zone(false, 10, 30));
	}

	private static TimeZone zone(boolean summerTimeBegins, int minutesAhead, int savedMinutes) {
		Instant change = Instant.now().truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(minutesAhead));
		Instant other = change.plus(Duration.ofDays(summerTimeBegins ? 90 : -90));
		LocalDateTime begin = LocalDateTime.ofInstant(summerTimeBegins ? change : other, ZoneOffset.UTC);
		LocalDateTime end = LocalDateTime.ofInstant(summerTimeBegins ? other : change, ZoneOffset.UTC);
		ZoneOffset summer = ZoneOffset.ofTotalSeconds(STANDARD.getTotalSeconds() + savedMinutes * 60);
		ZoneOffset before = summerTimeBegins ? STANDARD : summer;
		ZoneOffset after = summerTimeBegins ? summer : STANDARD;
		String id = "Test/" + NEXT_NUMBER.incrementAndGet();
		ZoneRulesProvider.registerProvider(new OneZone(id, ZoneRules.of(STANDARD, before, List.of(),
				List.of(ZoneOffsetTransition.of(LocalDateTime.ofInstant(change, before), before, after)), List.of())));
		return new SimpleTimeZone(STANDARD.getTotalSeconds() * 1_000, id, begin.getMonthValue() - 1,
				begin.getDayOfMonth(), 0, begin.toLocalTime().toSecondOfDay() * 1_000, SimpleTimeZone.UTC_TIME,
				end.getMonthValue() - 1, end.getDayOfMonth(), 0, end.toLocalTime().toSecondOfDay() * 1_000,
				SimpleTimeZone.UTC_TIME, savedMinutes * 60_000);
	}

	/**
	 * Makes a zone available to {@link ZoneId}.
	 */
	private static final class OneZone extends ZoneRulesProvider {

		private final String id;

		private final ZoneRules rules;

		OneZone(String id, ZoneRules rules) {
			this.id = id;
			this.rules = rules;
		}

		@Override
		protected Set<String> provideZoneIds() {
			return Set.of(this.id);
		}

		@Override
		protected ZoneRules provideRules(String zoneId, boolean forCaching) {
			return this.rules;
		}

		@Override
		protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
			return new TreeMap<>(Map.of("1", this.rules));
		}

	}

}
