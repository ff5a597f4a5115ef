package dev.idspring.ddl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.idspring.time.Tail;
import org.jspecify.annotations.Nullable;

/**
 * Functions for MariaDB and MySQL.
 * <p>
 * The state is the {@code auto_increment} counter of a table without rows, which counts
 * positions: pairs of millisecond and tail. It is the one thing in these databases that a
 * function can move ahead for everybody without taking part in the caller's transaction,
 * nor in its locks: MySQL has no sequences; MariaDB's cannot be moved to where a function
 * has computed, and a table that is no part of transactions may not be changed together
 * with one that is where global transaction ids are in use.
 */
final class MysqlDdl implements Dialect {

	private static final String WHY = """
			{name}() makes ids of {strategy} as node {node} of {nodes}:
			{definition}

			Why no id comes twice:
			1. An id is a one-to-one function of a position, a pair of millisecond and tail, and positions come from the
			   auto_increment counter of {table}, each of them once.
			2. A row whose position is just before the present millisecond moves the counter there if it is not beyond, and
			   never back. So positions rise, whatever the clock shows: a full millisecond borrows the next, and a clock
			   that was set back is not listened to until it has caught up.
			3. The counter is no part of transactions: a roll-back gives nothing back. The rows are, and nobody waits for
			   those of others: their keys differ by the connection, and they are deleted by their whole key at once.
			4. In the log of InnoDB the counter is moved before whatever was inserted with the id, so that after a crash no
			   row is there whose position is not. An id that was only seen, and stored elsewhere, is covered from when
			   its transaction has committed durably: not before that, not with innodb_flush_log_at_trx_commit=0 or 2,
			   and not if an asynchronous replica was promoted. It can then come again if the clock does not show a later
			   time than the id's: it was set back, it is behind on the new server, or the id was ahead of it, which is
			   {maxAhead} ms at most.
			5. The time is that of uuid(): of the moment, not of the beginning of the statement, in no time zone, and not what
			   a session has set its timestamp to.
			6. Nothing is made more than {maxAhead} ms ahead of the clock: callers wait, for {waitTimeout} ms at most, and
			   then fail. Nothing is made after {lastInstant}.
			7. No instance and no other server may be node {node}, nor may several servers of a cluster insert by it.

			Whoever inserts needs no right on the table: grant execute on function {name} to …;
			When this runs again, the counter stays: ids go on beyond all others. If it has counted for another layout, or
			other tails, this fails.
			{again}
			With a binary log, set binlog_format to ROW or MIXED, and log_bin_trust_function_creators=1 to create it: by
			STATEMENT a replica would make other ids, so that it is refused. So is a session that has set insert_id, which
			would choose the position.
			Run this script without --force: it must end where it fails, if the node is somebody else's.
			Use it in insert statements, or in a trigger: neither database takes it for the default of a column.
			""";

	private static final String SAME_POSITIONS = """
			-- Fails, as there are two rows, if {table} has counted for another layout, or other tails:
			-- give the function another name then, by ids.ddl.function, and another node.
			set @ids_positions = (select table_comment from information_schema.tables where table_schema = {tableSchema}
				and table_name = '{function}_position' and table_comment <> '{tableComment}'
				union all select '{tableComment}')""";

	private static final String TABLE = """
			create table if not exists {table} (
				place bigint not null auto_increment,
				holder bigint unsigned not null,
				primary key (place, holder)
			) engine = InnoDB comment '{tableComment}'""";

	private static final String CLOCK = """
			{create} function {name}_tick() returns bigint
				not deterministic no sql comment 'milliseconds since {epoch}'
			begin
				declare v_uuid varchar(36) default uuid();
				return (cast(conv(concat(substr(v_uuid, 16, 3), substr(v_uuid, 10, 4), substr(v_uuid, 1, 8)), 16, 10) as signed)
					- 122192928000000000) div 10000 - ({epochMillis});
			end""";

	private static final String FUNCTION = """
			{create} function {name}() returns {type}
				not deterministic modifies sql data sql security definer comment '{comment}'
			begin
				declare v_tick bigint default {name}_tick();
				declare v_from bigint;
				declare v_position bigint;
				declare v_wait bigint;
				declare v_waited bigint default 0;
				declare v_message varchar(128);
				if @@log_bin and @@session.binlog_format = 'STATEMENT' then
					signal sqlstate '45000' set message_text = 'binlog_format is STATEMENT, set it to ROW or MIXED';
				end if;
				if @@session.insert_id <> 0 then
					signal sqlstate '45000' set message_text = 'insert_id is set in this session, which must not choose ids';
				end if;
				if v_tick < 0 then
					signal sqlstate '45000' set message_text = 'the clock shows a time before {epoch}, with which ids begin';
				end if;
				if v_tick >= {ticks} then
					signal sqlstate '45000' set message_text = 'there are no ids of this layout after {lastInstant}';
				end if;
				set v_from = greatest(1, v_tick * {tails} + {start} - 1);
				insert into {table} (place, holder) values (v_from, connection_id()), (null, connection_id());
				set v_position = last_insert_id();
				if v_position <= v_from then
					signal sqlstate '45000' set message_text = 'the counter was not moved, as the session has set it';
				end if;
				delete from {table} where place = v_from and holder = connection_id();
				delete from {table} where place = v_position and holder = connection_id();
				if v_position > {lastPosition} then
					signal sqlstate '45000' set message_text = 'there are no ids of this layout after {lastInstant}';
				end if;
				set v_wait = v_position div {tails} - v_tick - {maxAhead};
				while v_wait > 0 do
					if v_waited + v_wait > {waitTimeout} then
						-- whoever fails has used a position up: slowly, so that the clock can catch up
						do sleep(({waitTimeout} - v_waited) / 1000);
						set v_message = concat('the clock is ', v_position div {tails} - v_tick, ' ms behind the last id,'
							' {maxAhead} are allowed: it was set back, or too many ids are drawn');
						signal sqlstate '45000' set message_text = v_message;
					end if;
					do sleep(v_wait / 1000);
					set v_waited = v_waited + v_wait;
					set v_tick = {name}_tick();
					set v_wait = v_position div {tails} - v_tick - {maxAhead};
				end while;
				return cast(v_position div {tails} as {cast}) * {timeUnit} + {nodePart}
					+ ({tail}) * {tailUnit};
			end""";

	private static final String WRITE = """
			{create} function {name}_text(p_value {type}) returns varchar({maxLength}) character set ascii collate ascii_bin
				deterministic no sql
			begin
				declare v_digits varchar(94) character set ascii collate ascii_bin default {digits};
				declare v_width int default {length};
				declare v_rest {type} default p_value;
				declare v_text varchar({maxLength}) character set ascii collate ascii_bin default '';
				if p_value is null then
					return null;
				end if;
				if p_value < 0 or p_value > {last} then
					signal sqlstate '22003' set message_text = '{function}_text: not an id, it must be from 0 to {last}';
				end if;
			{levels}	while v_width > 0 do
					set v_text = concat(substr(v_digits, v_rest mod {size} + 1, 1), v_text);
					set v_rest = v_rest div {size};
					set v_width = v_width - 1;
				end while;
				return v_text;
			end""";

	private static final String WRITE_LONGER = """
				if p_value >= {start} then
					set v_width = {length};
					set v_rest = p_value - {start};
				end if;
			""";

	private static final String READ_LOOK_ALIKE = """
					if v_digit >= {size} then
						set v_digit = locate(substr({meant}, v_digit - {zero}, 1), v_digits) - 1;
					end if;
			""";

	private static final String READ = """
			{create} function {name}_number(p_value varchar(255) character set utf8mb4 collate utf8mb4_bin) returns {type}
				deterministic no sql
			begin
				declare v_digits varchar(255) character set utf8mb4 collate utf8mb4_bin default {readable};
				declare v_number {type} default 0;
				declare v_digit int;
				declare v_at int default 1;
				if p_value is null then
					return null;
				end if;
				if char_length(p_value) not in ({lengths}) then
					signal sqlstate '22018' set message_text = '{function}_number: not an id, its length is wrong';
				end if;
				while v_at <= char_length(p_value) do
					set v_digit = locate(substr(p_value, v_at, 1), v_digits) - 1;
			{lookAlikes}		if v_digit < 0 then
						signal sqlstate '22018' set message_text = '{function}_number: not an id, a character is not a digit';
					end if;
					if v_number > ({last} - v_digit) div {size} then
						signal sqlstate '22003' set message_text = '{function}_number: not an id, it is higher than any';
					end if;
					set v_number = v_number * {size} + v_digit;
					set v_at = v_at + 1;
				end while;
				return v_number + case char_length(p_value) {starts} end;
			end""";

	private final DdlTarget target;

	private final String name;

	MysqlDdl(DdlTarget target) {
		this.target = target;
		this.name = target.name();
	}

	@Override
	public String introduction(TimeFunction function) {
		return SqlText.fill(WHY, values(function));
	}

	@Override
	public List<String> create(TimeFunction function) {
		Map<String, Object> values = values(function);
		List<String> statements = new ArrayList<>();
		statements.add(SqlText.fill(SAME_POSITIONS, values));
		statements.add(SqlText.fill(TABLE, values));
		statements.addAll(replace(this.name + "_tick", SqlText.fill(CLOCK, values)));
		statements.addAll(replace(this.name, SqlText.fill(FUNCTION, values)));
		return statements;
	}

	/**
	 * MySQL has no {@code create or replace}. MariaDB keeps what was granted with it.
	 */
	private List<String> replace(String name, String create) {
		return replaces() ? List.of(create) : List.of("drop function if exists " + name, create);
	}

	private boolean replaces() {
		return this.target.platform() == DdlPlatform.MARIADB;
	}

	private String create() {
		return replaces() ? "create or replace" : "create";
	}

	private Map<String, Object> values(TimeFunction function) {
		boolean unsigned = function.scheme().layout().isUnsigned();
		Map<String, Object> values = function.values();
		values.put("name", this.name);
		values.put("create", create());
		values.put("function", this.target.function());
		values.put("table", this.name + "_position");
		String schema = this.target.schema();
		values.put("tableSchema", (schema != null) ? "'" + schema + "'" : "database()");
		// without the schema, which a dump may be restored in under another name
		values.put("tableComment",
				"the counter of " + this.target.function() + "(), without rows: " + function.positions());
		values.put("again", replaces() ? "What was granted stays."
				: "If it runs again, grant again: MySQL forgets what was granted on a function that is dropped.");
		values.put("type", unsigned ? "bigint unsigned" : "bigint");
		values.put("cast", unsigned ? "unsigned" : "signed");
		values.put("comment", function.scheme().definition() + ", node " + function.node());
		Tail tail = function.scheme().tail();
		values.put("start",
				(tail == Tail.SEQUENCE) ? "0" : "cast(floor(rand() * " + values.get("half") + ") as signed)");
		String position = "v_position mod " + values.get("tails");
		values.put("tail", (tail == Tail.RANDOM) ? position + " * " + values.get("step") + " mod " + values.get("tails")
				: position);
		return values;
	}

	@Override
	public List<String> create(TextDigits text) {
		Map<String, Object> values = text.values(this.target.platform(), WRITE_LONGER, READ_LOOK_ALIKE);
		values.put("name", this.name);
		values.put("function", this.target.function());
		values.put("create", create());
		values.put("type", (text.last() < 0) ? "bigint unsigned" : "bigint");
		List<String> statements = new ArrayList<>(replace(this.name + "_text", SqlText.fill(WRITE, values)));
		statements.addAll(replace(this.name + "_number", SqlText.fill(READ, values)));
		return statements;
	}

	@Override
	public String currentMillis() {
		return "floor(unix_timestamp(now(3)) * 1000)";
	}

	@Override
	public String nothing() {
		return " from dual";
	}

	/**
	 * Each statement that creates commits for itself, but the clients stop when one has
	 * failed.
	 */
	@Override
	public List<String> joined(List<String> statements) {
		return statements;
	}

	@Override
	public String script(List<String> statements, @Nullable String introduction) {
		StringBuilder script = new StringBuilder();
		if (introduction != null) {
			script.append(SqlText.comment(introduction)).append('\n');
		}
		for (String statement : statements) {
			if (statement.contains(";")) {
				script.append("delimiter $$\n").append(statement).append("$$\ndelimiter ;\n\n");
			}
			else {
				script.append(statement).append(";\n\n");
			}
		}
		return script.toString().stripTrailing() + "\n";
	}

}
