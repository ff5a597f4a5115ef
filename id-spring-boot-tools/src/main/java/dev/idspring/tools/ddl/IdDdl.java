package dev.idspring.tools.ddl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * Generates SQL for a function in the database, such as {@code next_id()}, that creates
 * ids like those of a time-based generator. The function has its own node: a number in
 * its ids that distinguishes them from the ids of instances of the application.
 * {@link #withReservation} adds a statement that reserves this node in the id store, so
 * that no instance uses the node.
 * <p>
 * A comment at the beginning of the script explains why no id is repeated in the
 * database, and when an id that is stored elsewhere can be repeated.
 * <p>
 * Objects of this class are immutable. Each {@code with} method returns a new object.
 *
 * @since 0.1.0
 */
public final class IdDdl {

	private static final int OWNER_LENGTH = 36;

	private static final Pattern PREFIX = Pattern
		.compile("([A-Za-z_][A-Za-z0-9_]{0,62}\\.)?[A-Za-z_][A-Za-z0-9_]{0,19}");

	private final DdlTarget target;

	private final Dialect dialect;

	private final List<String> statements;

	private final @Nullable TimeFunction function;

	private final @Nullable String reservation;

	private IdDdl(DdlTarget target, Dialect dialect, List<String> statements, @Nullable TimeFunction function,
			@Nullable String reservation) {
		this.target = target;
		this.dialect = dialect;
		this.statements = List.copyOf(statements);
		this.function = function;
		this.reservation = reservation;
	}

	/**
	 * Create an {@code IdDdl} without statements.
	 * @param target the database, the schema and the name of the function
	 * @return the new {@code IdDdl}
	 */
	public static IdDdl on(DdlTarget target) {
		InvalidSettingException.requireGiven(IdDdl.class, "target", target);
		Dialect dialect = switch (target.platform()) {
			case POSTGRESQL -> new PostgresqlDdl(target);
			case MARIADB, MYSQL -> new MysqlDdl(target);
		};
		return new IdDdl(target, dialect, List.of(), null, null);
	}

	/**
	 * Add the function for time-based ids.
	 * @param function the parameters of the function
	 * @return a new {@code IdDdl} with the additional statements
	 * @throws IllegalArgumentException if the database cannot create such ids; the
	 * message gives the reason
	 */
	public IdDdl withFunction(TimeFunction function) {
		InvalidSettingException.requireGiven(IdDdl.class, "function", function);
		return with(this.dialect.create(function), function, this.reservation);
	}

	/**
	 * Add a statement that permanently reserves the node for the function, so that no
	 * instance leases the node. The statement fails if an instance or another function
	 * has or had the node. In the script, the statement precedes the function, so that a
	 * failure prevents the creation of the function.
	 * <p>
	 * Call {@link #withFunction} first, because the reservation also records the layout
	 * of the function.
	 * @param tablePrefix the prefix of the names of the id store's tables
	 * @param keySpace the name of the key space
	 * @param node the number of the node
	 * @return a new {@code IdDdl} with the additional statements
	 * @throws IllegalArgumentException if the prefix is not allowed, the name of the key
	 * space is missing, or the node is negative
	 */
	public IdDdl withReservation(String tablePrefix, String keySpace, long node) {
		InvalidSettingException.require(tablePrefix != null && PREFIX.matcher(tablePrefix).matches(), IdDdl.class,
				"tablePrefix", tablePrefix,
				"must be 1 to 20 letters, digits and underscores, not beginning with a digit, optionally after a schema"
						+ " and a dot");
		InvalidSettingException.requireGiven(IdDdl.class, "keySpace", keySpace);
		InvalidSettingException.requireRange(IdDdl.class, "node", node, 0L, Long.MAX_VALUE);
		Map<String, Object> values = new HashMap<>();
		values.put("table", tablePrefix + "slot");
		values.put("keySpace", SqlText.literal(this.target.platform(), keySpace));
		values.put("node", node);
		values.put("owner", owner());
		values.put("now", this.dialect.currentMillis());
		values.put("dummyFrom", this.dialect.dummyFrom());
		return with(List.of(), this.function, SqlText.fill("reservation.sql", values));
	}

	/**
	 * Return the owner name under which the node is reserved. It differs from the random
	 * names of instances, and from the names of other functions. It also depends on the
	 * meaning of the function's counter ({@link TimeFunction#positions}). If that meaning
	 * changes, the function therefore has another owner name, and cannot reserve the node
	 * again.
	 */
	private String owner() {
		String name = this.target.name();
		String positions = (this.function != null) ? this.function.positions() : "";
		String hash = String.format("#%08x", (name + " " + positions).hashCode());
		String owner = "database " + name;
		return owner.substring(0, Math.min(owner.length(), OWNER_LENGTH - hash.length())) + hash;
	}

	private IdDdl with(List<String> more, @Nullable TimeFunction function, @Nullable String reservation) {
		List<String> all = new ArrayList<>(this.statements);
		all.addAll(more);
		return new IdDdl(this.target, this.dialect, all, function, reservation);
	}

	/**
	 * Return the statements.
	 * @return SQL statements without terminators, in the order of execution
	 */
	public List<String> statements() {
		if (this.function == null && this.reservation == null) {
			return this.statements;
		}
		List<String> all = new ArrayList<>();
		if (this.reservation != null) {
			all.add(this.reservation);
		}
		all.addAll(this.statements);
		return this.dialect.combined(all);
	}

	/**
	 * Return the statements as a script.
	 * @return text for the database's own client, and for Flyway migrations
	 */
	public String script() {
		return this.dialect.script(statements(),
				(this.function != null) ? this.dialect.introduction(this.function) : null);
	}

}
