package dev.idspring.tools.ddl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * SQL for a function {@code next_id()} that lets a database make the ids of a generator,
 * and a statement that reserves its node in the table of slots, so that no instance takes
 * it. The script explains why no id is repeated: that depends on the database.
 * <p>
 * Immutable: each call returns a new instance.
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
	 * Start without statements.
	 * @param target where to create functions
	 * @return an instance without statements
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
	 * Add the function that makes ids of time.
	 * @param function the numbers of the layout
	 * @return these statements and more
	 * @throws IllegalArgumentException if the database cannot make them; the message
	 * gives the reason
	 */
	public IdDdl withFunction(TimeFunction function) {
		InvalidSettingException.requireGiven(IdDdl.class, "function", function);
		return with(this.dialect.create(function), function, this.reservation);
	}

	/**
	 * Add a statement that permanently reserves the node for the database, so that no
	 * instance leases it. It fails if an instance has, or had, that node. It runs first,
	 * so after a failure no function exists.
	 * @param tablePrefix the prefix of the table names of the id store
	 * @param keySpace the name of the key space
	 * @param node the number of the node
	 * @return these statements and more
	 * @throws IllegalArgumentException if the prefix cannot be used
	 */
	public IdDdl withReservation(String tablePrefix, String keySpace, long node) {
		InvalidSettingException.require(tablePrefix != null && PREFIX.matcher(tablePrefix).matches(), IdDdl.class,
				"tablePrefix", tablePrefix, "cannot be used");
		InvalidSettingException.requireGiven(IdDdl.class, "keySpace", keySpace);
		InvalidSettingException.requireRange(IdDdl.class, "node", node, 0L, Long.MAX_VALUE);
		Map<String, Object> values = new HashMap<>();
		values.put("table", tablePrefix + "slot");
		values.put("keySpace", SqlText.literal(this.target.platform(), keySpace));
		values.put("node", node);
		values.put("owner", owner());
		values.put("now", this.dialect.currentMillis());
		values.put("nothing", this.dialect.nothing());
		return with(List.of(), this.function, SqlText.fill("reservation.sql", values));
	}

	/**
	 * Return a unique owner name. No instance has it, since their names are random. No
	 * other function has it, nor this one with another layout or other tails: its counter
	 * holds positions that those would misread.
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
	 * @return SQL statements without terminators, to be executed in this order
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
		return this.dialect.joined(all);
	}

	/**
	 * Return a script of the statements.
	 * @return text for the database's own client, and for migrations by Flyway
	 */
	public String script() {
		return this.dialect.script(statements(),
				(this.function != null) ? this.dialect.introduction(this.function) : null);
	}

}
