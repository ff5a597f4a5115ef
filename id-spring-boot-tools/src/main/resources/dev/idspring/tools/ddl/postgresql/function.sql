create or replace function {name}() returns bigint
	language plpgsql volatile parallel unsafe security definer set search_path = pg_catalog, pg_temp
as $ids$
declare
	v_lock constant bigint := (1768190832::bigint << 32) | '{sequence}'::regclass::oid::bigint;
	v_tick bigint;
	v_last bigint;
	v_position bigint;
	v_wait bigint;
	v_waited bigint := 0;
begin
	loop
		begin
			perform pg_advisory_xact_lock(v_lock);
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
			raise sqlstate 'IDS01'; -- releases the lock
		exception
			when sqlstate 'IDS01' then null;
		end;
		if v_position is not null then
			return (v_position / {tails}) * {timeUnit} + {nodePart}
				+ ({tail}) * {tailUnit};
		end if;
		if v_tick < 0 then
			raise exception '{name}(): the clock shows a time before {epoch}, the epoch of the ids'
				using errcode = 'object_not_in_prerequisite_state';
		end if;
		if v_tick >= {ticks} or v_last >= {lastPosition} then
			raise exception '{name}(): there are no ids of this layout after {lastInstant}'
				using errcode = 'sequence_generator_limit_exceeded';
		end if;
		if v_waited + v_wait > {waitTimeout} then
			raise exception '{name}(): the clock is % ms behind the last id', v_last / {tails} - v_tick
				using errcode = 'object_not_in_prerequisite_state',
					detail = 'Ids may be {maxAhead} ms ahead of the clock, and callers wait at most {waitTimeout} ms.',
					hint = 'The clock was set back, or more ids are drawn than the layout allows.';
		end if;
		v_waited := v_waited + v_wait;
		perform pg_sleep(v_wait / 1000.0);
	end loop;
end
$ids$
