-- Where the tables of ids are: the node belongs to the database permanently. Fails if an instance has, or had, it, and if
-- another function has it, or this one had another layout.
insert into {table} (key_space, slot, next_position, end_position, owner, leased_at, lease_until)
	select {keySpace}, {node}, 9223372036854775807, 9223372036854775807, '{owner}', {now}, 9223372036854775807{nothing}
	where not exists (select 1 from {table} where key_space = {keySpace} and slot = {node} and owner = '{owner}')
