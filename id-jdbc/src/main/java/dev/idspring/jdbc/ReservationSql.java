package dev.idspring.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.jdbc.CounterUpdate.Update;
import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.FenceState;
import org.jspecify.annotations.Nullable;

/**
 * The statements that reserve ordinals or slot numbers in the row of a key space, and
 * those that change the state of the {@linkplain FailoverFence fence}. The fence limits
 * the rate of reservations, so that no ordinal is reserved again after a fail-over. The
 * {@code line_} columns of the row contain the state of the fence, a {@link FenceLine}.
 * Each statement is a single update, so the server checks the conditions and changes the
 * row atomically. A comment in {@link JdbcKeySpaceStore} explains why no ordinal is
 * reserved twice.
 * <p>
 * In the templates, a name after a colon is a parameter of the statement. A name in
 * braces is replaced by SQL: <pre class="code">
 * {table}   the table of key spaces
 * {server}  the server that executes the statement, {@link Dialect#serverIdentity}
 * {now}     the clock of that server in microseconds, {@link Dialect#clockMicros}
 * {/}       an integer division, {@link Dialect#division}
 * {paid}    line_time after the reservation, {@link #PAID}
 * {burst}   how far line_time may run ahead of the clock, {@link FenceLine#burst}
 * {ready}   whether the session has the required settings, {@link Dialect#readyCondition}
 * {writer}  the comparison with the server that wrote the row last
 * {counter} the counter that the server takes over: next_ordinal or next_slot
 * </pre>
 *
 * A line of a template is omitted if one of its placeholders is empty. Without a fence,
 * no server takes over, and all placeholders except {@code {table}} and {@code {ready}}
 * are empty. A statement that {@link CounterUpdate} runs must assign the counter last, in
 * the form {@code counter + ?}. {@code CounterUpdate} replaces this end on MariaDB and
 * MySQL, and reads the last parameter on some other databases.
 */
final class ReservationSql {

	/**
	 * Computes {@code line_time} after a reservation, as in {@link FenceLine#reserve}.
	 * The value {@code cost} is the number of ordinals times a million. Divided by the
	 * rate (ordinals per second) and rounded up, {@code cost} is the number of
	 * microseconds to add.
	 */
	private static final String PAID = """
			case when {now} > line_held_until and {now} > line_time then {now} else line_time end \
			+ (:cost - 1) {/} (case when {now} >= line_raised_at then line_raised_rate else line_rate end) + 1""";

	/**
	 * Reserves the {@code count} ordinals below the new {@code next_ordinal}. The token
	 * identifies this reservation, so that {@link #GIVE_BACK} cannot affect a later one.
	 */
	private static final String RESERVE = """
			update {table} set
			reservation = :token,
			line_time = {paid},
			next_ordinal = next_ordinal + :count
			where name = :name
			and next_ordinal <= :last
			and bridge is null
			and definition = :definition
			and incarnation = :server and incarnation = {server}
			and {paid} <= {now} + {burst}
			and {ready}""";

	/** Reserves ordinals that were drawn from a {@link Bridge}. */
	private static final String RESERVE_DRAWN = """
			update {table} set
			reservation = :token,
			line_time = {paid},
			next_ordinal = :end
			where name = :name
			and next_ordinal <= :start
			and definition = :definition
			and incarnation = :server and incarnation = {server}
			and {paid} <= {now} + {burst}
			and {ready}""";

	/** Gives back unused ordinals, as in {@link FenceLine#giveBack}. */
	private static final String GIVE_BACK = """
			update {table} set
			line_time = line_time - :cost {/} line_raised_rate,
			next_ordinal = :start,
			reservation = null
			where name = :name
			and next_ordinal = :end
			and reservation = :token
			and definition = :definition
			and incarnation = :server and incarnation = {server}""";

	/**
	 * Takes the number of a new series. The fence counts this as a fixed number of
	 * ordinals.
	 */
	private static final String NEXT_SERIES = """
			update {table} set
			line_time = {paid},
			next_slot = next_slot + :count
			where name = :name
			and next_slot < :end
			and incarnation = {server}
			and {paid} <= {now} + {burst}""";

	/**
	 * Takes the number of a new node. The fence does not limit this, because a node
	 * reserves times, not ordinals.
	 */
	private static final String NEXT_NODE = """
			update {table} set
			next_slot = next_slot + :count
			where name = :name
			and next_slot < :end
			and incarnation = {server}""";

	/**
	 * Makes the executing server the recorded writer of the row. If another instance has
	 * already done so, the statement changes nothing. The new state of the line is the
	 * result of {@link FenceLine#takeOver}, of {@link FenceLine#hold} for nodes or, if
	 * the row has no writer yet, of {@link FenceLine#first}.
	 */
	private static final String TAKE_OVER = """
			update {table} set
			{counter} = :position,
			line_time = :time,
			line_rate = :rate,
			line_raised_rate = :raised,
			line_raised_at = :raiseAt,
			line_held_until = :holdUntil,
			incarnation = {server}
			where name = :name
			and {counter} = :before
			and incarnation {writer}
			and {server} = :newWriter""";

	/**
	 * Changes the rate, as in {@link FenceLine#raise}, {@link FenceLine#raiseToMargin}
	 * and {@link FenceLine#lower}.
	 */
	private static final String CHANGE_RATE = """
			update {table} set
			line_rate = :rate,
			line_raised_rate = :raised,
			line_raised_at = :raiseAt
			where name = :name
			and line_raised_rate = :beforeRaised
			and line_raised_at = :beforeRaiseAt
			and incarnation = {server}""";

	/**
	 * Starts a stored raise of the rate, as in {@link FenceLine#startRaise}. The raise is
	 * already committed, because this transaction has read it with a row lock. The server
	 * computes when the raise takes effect, because the statement may arrive late.
	 */
	private static final String START_RAISE = """
			update {table} set
			line_raised_at = {now} + :lag
			where name = :name
			and line_raised_rate = :raised
			and line_raised_at = :raiseAt
			and incarnation = {server}""";

	/**
	 * Moves the times of the line back if they are too far ahead of the server's clock,
	 * as in {@link FenceLine#followClock}. Nothing changes if the clock was read more
	 * than {@code :lag} ago. The statement that read the clock may then have waited for
	 * the row lock, and the line that it read may be newer than its clock reading.
	 */
	private static final String FOLLOW_CLOCK = """
			update {table} set
			line_time = :time,
			line_raised_at = :raiseAt,
			line_held_until = :holdUntil
			where name = :name
			and line_time = :before
			and line_raised_at = :beforeRaiseAt
			and {now} - :clock <= :lag
			and incarnation = {server}""";

	private static final Pattern PLACEHOLDER = Pattern.compile("\\{(.+?)}");

	private static final Pattern PLACEHOLDER_OR_VALUE = Pattern.compile(PLACEHOLDER + "|:(\\w+)");

	private final Map<String, String> placeholders;

	/**
	 * Create the statements of a database.
	 * @param incarnation an SQL expression for the identity of the server, which is
	 * stored in the column {@code incarnation}, or {@code null} if there is no fence
	 * @param burst how far the line may run ahead of the clock, in microseconds
	 */
	ReservationSql(TableNames tables, Dialect dialect, @Nullable String incarnation, long burst) {
		this.placeholders = (incarnation != null) ? Map.of("table", tables.keySpace(), "server", incarnation, "now",
				dialect.clockMicros(), "/", dialect.division(), "burst", String.valueOf(burst))
				: Map.of("table", tables.keySpace());
	}

	/**
	 * Reserve ordinals.
	 * @param bound the exclusive upper bound of the ordinals
	 * @param ready the result of {@link JdbcTransactions#readyCondition}
	 */
	Update reserve(String name, String definition, @Nullable String server, String token, long count, long bound,
			String ready) {
		return fill(RESERVE, Map.of("ready", ready), "name", name, "definition", definition, "server", server, "token",
				token, "count", count, "last", bound - count, "cost", cost(count));
	}

	/**
	 * Reserve ordinals that come from a bridge.
	 * @param charged how many ordinals the fence counts
	 */
	Update reserveDrawn(String name, String definition, @Nullable String server, String token, long start, long end,
			long charged, String ready) {
		return fill(RESERVE_DRAWN, Map.of("ready", ready), "name", name, "definition", definition, "server", server,
				"token", token, "start", start, "end", end, "cost", cost(charged));
	}

	Update giveBack(String name, String definition, @Nullable String server, String token, long start, long end) {
		return fill(GIVE_BACK, Map.of(), "name", name, "definition", definition, "server", server, "token", token,
				"start", start, "end", end, "cost", cost(end - start));
	}

	Update nextSeries(String name, long end, long units) {
		return fill(NEXT_SERIES, Map.of(), "name", name, "count", 1L, "end", end, "cost", cost(units));
	}

	Update nextNode(String name, long end) {
		return fill(NEXT_NODE, Map.of(), "name", name, "count", 1L, "end", end);
	}

	/**
	 * Take over the row of a key space from another server.
	 * @param counter the column of the counter that the line limits
	 * @param before the position of the counter
	 * @param writer the server that wrote the row last, or {@code null} if none has been
	 * recorded yet
	 * @param newWriter the server that takes over, which must also execute the statement
	 */
	Update takeOver(String name, String counter, long before, @Nullable String writer, @Nullable String newWriter,
			FenceLine line) {
		return fill(TAKE_OVER.replace("{writer}", (writer != null) ? "= :writer" : "is null"),
				Map.of("counter", counter), "name", name, "before", before, "writer", writer, "newWriter", newWriter,
				"position", line.position(), "time", line.time(), "rate", line.rate(), "raised", line.raised(),
				"raiseAt", line.raiseAt(), "holdUntil", line.holdUntil());
	}

	Update changeRate(String name, FenceState before, FenceLine line) {
		return fill(CHANGE_RATE, Map.of(), "name", name, "beforeRaised", before.line().raised(), "beforeRaiseAt",
				before.line().raiseAt(), "rate", line.rate(), "raised", line.raised(), "raiseAt", line.raiseAt());
	}

	Update startRaise(String name, FenceLine before, long lag) {
		return fill(START_RAISE, Map.of(), "name", name, "lag", lag, "raised", before.raised(), "raiseAt",
				before.raiseAt());
	}

	Update followClock(String name, FenceState before, FenceLine line, long lag) {
		return fill(FOLLOW_CLOCK, Map.of(), "name", name, "before", before.line().time(), "beforeRaiseAt",
				before.line().raiseAt(), "clock", before.clock(), "lag", lag, "time", line.time(), "raiseAt",
				line.raiseAt(), "holdUntil", line.holdUntil());
	}

	/**
	 * Return the value {@code cost} of a number of ordinals. Without a fence, the number
	 * is unlimited and the product could overflow, so return 0.
	 */
	private long cost(long count) {
		return this.placeholders.containsKey("now") ? Math.multiplyExact(count, FenceLine.SECOND) : 0;
	}

	/**
	 * Fill a template.
	 * @param placeholders the SQL for further placeholders
	 * @param values the names, each followed by its value
	 */
	private Update fill(String template, Map<String, String> placeholders, @Nullable Object... values) {
		Map<String, String> allPlaceholders = new HashMap<>(this.placeholders);
		allPlaceholders.putAll(placeholders);
		Map<String, @Nullable Object> byName = new HashMap<>();
		for (int i = 0; i < values.length; i += 2) {
			byName.put(String.valueOf(values[i]), values[i + 1]);
		}
		String[] parts = template.replace("{paid}", PAID).split("\nwhere ", 2);
		return new Update(part(parts[0], allPlaceholders, byName), part(parts[1], allPlaceholders, byName));
	}

	/**
	 * Fill one part of a template. Colons in the SQL of a placeholder have no effect.
	 */
	private static Sql part(String template, Map<String, String> placeholders, Map<String, @Nullable Object> values) {
		List<@Nullable Object> boundValues = new ArrayList<>();
		String lines = template.lines()
			.filter((line) -> PLACEHOLDER.matcher(line)
				.results()
				.noneMatch((placeholder) -> placeholders.getOrDefault(placeholder.group(1), "").isEmpty()))
			.collect(Collectors.joining(" "));
		String text = PLACEHOLDER_OR_VALUE.matcher(lines).replaceAll((found) -> {
			if (found.group(1) != null) {
				return Matcher.quoteReplacement(placeholders.get(found.group(1)));
			}
			boundValues.add(values.get(found.group(2)));
			return "?";
		});
		return new Sql(text, boundValues.toArray());
	}

}
