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
		signal sqlstate '45000' set message_text = 'binlog_format is STATEMENT: set it to ROW or MIXED';
	end if;
	if @@session.insert_id <> 0 then
		signal sqlstate '45000' set message_text = 'insert_id is set in this session, so it would determine the id';
	end if;
	if v_tick < 0 then
		signal sqlstate '45000' set message_text = 'the clock shows a time before {epoch}, the epoch of the ids';
	end if;
	if v_tick >= {ticks} then
		signal sqlstate '45000' set message_text = 'there are no ids of this layout after {lastInstant}';
	end if;
	set v_from = greatest(1, v_tick * {tails} + {start} - 1);
	insert into {table} (place, holder) values (v_from, connection_id()), (null, connection_id());
	set v_position = last_insert_id();
	if v_position <= v_from then
		signal sqlstate '45000' set message_text = 'the counter was not advanced, because this session has set insert_id';
	end if;
	delete from {table} where place = v_from and holder = connection_id();
	delete from {table} where place = v_position and holder = connection_id();
	if v_position > {lastPosition} then
		signal sqlstate '45000' set message_text = 'there are no ids of this layout after {lastInstant}';
	end if;
	set v_wait = v_position div {tails} - v_tick - {maxAhead};
	while v_wait > 0 do
		if v_waited + v_wait > {waitTimeout} then
			-- a caller that fails uses up a position: sleep first, so that the clock can catch up
			do sleep(({waitTimeout} - v_waited) / 1000);
			set v_message = concat('the clock is ', v_position div {tails} - v_tick, ' ms behind the last id,'
				' {maxAhead} ms are allowed: it was set back, or too many ids are drawn');
			signal sqlstate '45000' set message_text = v_message;
		end if;
		do sleep(v_wait / 1000);
		set v_waited = v_waited + v_wait;
		set v_tick = {name}_tick();
		set v_wait = v_position div {tails} - v_tick - {maxAhead};
	end while;
	return cast(v_position div {tails} as {cast}) * {timeUnit} + {nodePart}
		+ ({tail}) * {tailUnit};
end
