-- Run this in the database that contains the tables of the id store. It reserves the node permanently for the function.
-- It fails if an instance has or had the node, if another function has it, or if this function had another layout.
insert into {table} (key_space, slot, next_position, end_position, owner, leased_at, lease_until)
	select {keySpace}, {node}, 9223372036854775807, 9223372036854775807, '{owner}', {now}, 9223372036854775807{dummyFrom}
	where not exists (select 1 from {table} where key_space = {keySpace} and slot = {node} and owner = '{owner}')
