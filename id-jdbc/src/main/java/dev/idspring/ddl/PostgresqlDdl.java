package dev.idspring.ddl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.idspring.time.Tail;
import org.jspecify.annotations.Nullable;

/**
 * Functions for PostgreSQL.
 * <p>
 * The state is a sequence, which counts positions: pairs of millisecond and tail, of
 * which {@code position / tails} is the millisecond. The published function takes the
 * millisecond of the clock and a sequence modulo 1,024 instead, so that a millisecond in
 * which more are drawn, or that a clock shows twice, gives the same id again.
 */
final class PostgresqlDdl implements Dialect {

	private static final String WHY = """
			{name}() makes ids of {strategy} as node {node} of {nodes}:
			{definition}

			Why no id comes twice:
			1. An id is a one-to-one function of a position, a pair of millisecond and tail, and positions come from the
			   sequence {sequence}.
			2. Who wants one holds a lock that nobody else holds at the same time, and within it moves the sequence to the
			   next position, or to the present millisecond if that is beyond it. So positions rise, whatever the clock
			   shows: a full millisecond borrows the next, and a clock that was set back is not listened to until it has
			   caught up. setval() does it, not nextval(): each move is in the log, and lastval() of the session stays.
			   It is an advisory lock, which any session may take, without a right: that keeps the others waiting until
			   it gives it back, and lets no id come twice.
			3. Sequences are no part of transactions: a roll-back gives nothing back. The lock is, and therefore stands in
			   a subtransaction that is always rolled back: it ends with the call, also when that is cancelled.
			4. In the log of the database the sequence is moved before whatever was inserted with the id, so that after a
			   crash, on a standby that was promoted, or with synchronous_commit=off, no row is there whose position is
			   not. An id that was only seen, and stored elsewhere, is covered from when its transaction has committed
			   durably: not before that, not with synchronous_commit=off or fsync=off, and not if an asynchronous standby
			   was promoted. It can then come again if the clock does not show a later time than the id's: it was set
			   back, it is behind on the new server, or the id was ahead of it, which is {maxAhead} ms at most.
			5. Nothing is made more than {maxAhead} ms ahead of the clock: callers wait, for {waitTimeout} ms at most, and
			   then fail. Nothing is made after {lastInstant}, so that ids are never negative.
			6. No instance and no other database may be node {node}.
			7. When this runs again, the sequence stays: ids go on beyond all others. If it has counted for another layout,
			   or other tails, this fails and changes nothing.

			Whoever inserts needs no right on the sequence:
			  grant usage on schema {schema} to …; grant execute on function {name}() to …;
			Use it as: id bigint default {name}() primary key
			""";

	private static final String SEQUENCE = """
			create sequence if not exists {sequence}
				as bigint minvalue 0 maxvalue {lastPosition} start with 0 increment by 1 cache 1 no cycle""";

	private static final String SAME_POSITIONS = """
			do $same$
			declare
				v_sequence constant regclass := to_regclass('{sequence}');
				v_counted constant text := obj_description(v_sequence, 'pg_class');
			begin
				if v_sequence is not null and v_counted is distinct from '{positions}' then
					raise exception '{sequence} has counted positions of % but {name}() would make ids of {positions}',
							coalesce(v_counted, 'an unknown layout')
						using errcode = 'object_not_in_prerequisite_state',
							hint = 'Give the function another name, by ids.ddl.function, and another node.';
				end if;
			end
			$same$""";

	private static final String FUNCTION = """
			create or replace function {name}() returns bigint
				language plpgsql volatile parallel unsafe security definer set search_path = pg_catalog, pg_temp
			as $ids$
			declare
				v_turn constant bigint := (1768190832::bigint << 32) | '{sequence}'::regclass::oid::bigint;
				v_tick bigint;
				v_last bigint;
				v_position bigint;
				v_wait bigint;
				v_waited bigint := 0;
			begin
				loop
					begin
						perform pg_advisory_xact_lock(v_turn);
						v_tick := floor(extract(epoch from clock_timestamp()) * 1000)::bigint - ({epochMillis});
						select positions.last_value into v_last from {sequence} positions;
						if v_tick between 0 and {ticks} - 1 and v_last < {lastPosition} then
							v_wait := (v_last + 1) / {tails} - v_tick - {maxAhead};
							if v_last / {tails} < v_tick then
								v_position := setval('{sequence}'::regclass, v_tick * {tails} + {start});
							elsif v_wait <= 0 then
								v_position := setval('{sequence}'::regclass, v_last + 1);
							end if;
						end if;
						raise sqlstate 'IDS01'; -- gives the lock back
					exception
						when sqlstate 'IDS01' then null;
					end;
					if v_position is not null then
						return (v_position / {tails}) * {timeUnit} + {nodePart}
							+ ({tail}) * {tailUnit};
					end if;
					if v_tick < 0 then
						raise exception '{name}(): the clock shows a time before {epoch}, with which ids begin'
							using errcode = 'object_not_in_prerequisite_state';
					end if;
					if v_tick >= {ticks} or v_last >= {lastPosition} then
						raise exception '{name}(): there are no ids of this layout after {lastInstant}'
							using errcode = 'sequence_generator_limit_exceeded';
					end if;
					if v_waited + v_wait > {waitTimeout} then
						raise exception '{name}(): the clock is % ms behind the last id', v_last / {tails} - v_tick
							using errcode = 'object_not_in_prerequisite_state',
								detail = 'Ids may be {maxAhead} ms ahead of it, and callers wait for {waitTimeout} ms.',
								hint = 'The clock was set back, or more ids are drawn than the layout has.';
					end if;
					v_waited := v_waited + v_wait;
					perform pg_sleep(v_wait / 1000.0);
				end loop;
			end
			$ids$""";

	private static final String WRITE = """
			create or replace function {name}_text(value bigint) returns text
				language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
			as $ids$
			declare
				v_digits constant text := {digits};
				v_width integer := {length};
				v_rest bigint := value;
				v_text text := '';
			begin
				if value < 0 or value > {last} then
					raise exception '{name}_text: % is not an id, it must be from 0 to {last}', value
						using errcode = 'numeric_value_out_of_range';
				end if;
			{levels}	for i in 1..v_width loop
					v_text := substr(v_digits, (v_rest % {size})::integer + 1, 1) || v_text;
					v_rest := v_rest / {size};
				end loop;
				return v_text;
			end
			$ids$""";

	private static final String WRITE_LONGER = """
				if value >= {start} then
					v_width := {length};
					v_rest := value - {start};
				end if;
			""";

	private static final String READ_LOOK_ALIKE = """
					if v_digit >= {size} then
						v_digit := strpos(v_digits, substr({meant}, v_digit - {zero}, 1)) - 1;
					end if;
			""";

	private static final String READ = """
			create or replace function {name}_number(value text) returns bigint
				language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
			as $ids$
			declare
				v_digits constant text := {readable};
				v_number bigint := 0;
				v_digit integer;
			begin
				if char_length(value) not in ({lengths}) then
					raise exception '{name}_number: % is not an id, its length is wrong', quote_literal(left(value, 40))
						using errcode = 'invalid_text_representation';
				end if;
				for i in 1..char_length(value) loop
					v_digit := strpos(v_digits, substr(value, i, 1) collate "C") - 1;
			{lookAlikes}		if v_digit < 0 then
						raise exception '{name}_number: % is not an id, it has no digit at position %',
							quote_literal(left(value, 40)), i using errcode = 'invalid_text_representation';
					end if;
					if v_number > ({last} - v_digit) / {size} then
						raise exception '{name}_number: % is not an id, it is higher than any',
							quote_literal(left(value, 40)) using errcode = 'numeric_value_out_of_range';
					end if;
					v_number := v_number * {size} + v_digit;
				end loop;
				return v_number + case char_length(value) {starts} end;
			end
			$ids$""";

	private final DdlTarget target;

	private final String name;

	PostgresqlDdl(DdlTarget target) {
		this.target = target;
		this.name = target.name();
	}

	@Override
	public String introduction(TimeFunction function) {
		return SqlText.fill(WHY, values(function));
	}

	@Override
	public List<String> create(TimeFunction function) {
		if (function.scheme().layout().isUnsigned()) {
			throw new IllegalArgumentException("decimal-uid.signed is false but PostgreSQL has no unsigned numbers:"
					+ " leave it true, the ids of both are the same until the signed ones end");
		}
		Map<String, Object> values = values(function);
		List<String> statements = new ArrayList<>();
		if (this.target.schema() != null) {
			statements.add("create schema if not exists " + this.target.schema());
		}
		statements.add(SqlText.fill(SAME_POSITIONS, values));
		statements.add(SqlText.fill(SEQUENCE, values));
		statements.add(SqlText.fill("comment on sequence {sequence} is '{positions}'", values));
		statements.add(SqlText.fill(FUNCTION, values));
		statements.add("revoke all on function " + this.name + "() from public");
		statements.add(SqlText.fill("comment on function {name}() is '{definition}, node {node}'", values));
		return statements;
	}

	private Map<String, Object> values(TimeFunction function) {
		Map<String, Object> values = function.values();
		values.put("name", this.name);
		values.put("schema", String.valueOf(this.target.schemaName()));
		values.put("sequence", this.name + "_position");
		String tails = String.valueOf(values.get("tails"));
		String half = String.valueOf(values.get("half"));
		String after = "v_last % " + tails + " + 1";
		values.put("start", switch (function.scheme().tail()) {
			case SEQUENCE -> "0";
			case ROLLING, FREE_RUNNING -> "case when " + after + " < " + half + " then " + after + " else 0 end";
			case RANDOM -> "floor(random() * " + half + ")::bigint";
		});
		String position = "v_position % " + tails;
		values.put("tail", (function.scheme().tail() == Tail.RANDOM)
				? position + " * " + values.get("step") + " % " + tails : position);
		return values;
	}

	@Override
	public List<String> create(TextDigits text) {
		Map<String, Object> values = text.values(DdlPlatform.POSTGRESQL, WRITE_LONGER, READ_LOOK_ALIKE);
		values.put("name", this.name);
		return List.of(SqlText.fill(WRITE, values), SqlText.fill(READ, values));
	}

	@Override
	public String currentMillis() {
		return "floor(extract(epoch from clock_timestamp()) * 1000)";
	}

	@Override
	public String nothing() {
		return "";
	}

	/**
	 * One statement, as the client goes on with the next when one has failed.
	 */
	@Override
	public List<String> joined(List<String> statements) {
		StringBuilder all = new StringBuilder("do $all$\nbegin\n");
		statements.forEach((statement) -> all.append(statement).append(";\n\n"));
		return List.of(all.append("end\n$all$").toString());
	}

	@Override
	public String script(List<String> statements, @Nullable String introduction) {
		StringBuilder script = new StringBuilder();
		if (introduction != null) {
			script.append(SqlText.comment(introduction)).append('\n');
		}
		statements.forEach((statement) -> script.append(statement).append(";\n\n"));
		return script.toString().stripTrailing() + "\n";
	}

}
