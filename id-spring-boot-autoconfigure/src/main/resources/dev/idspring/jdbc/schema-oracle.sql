-- Not tested on this database.
-- One row a key space: how far it has been reserved, and what fixes the order of its keys.
create table ids_key_space (
	name varchar2(100) not null primary key,
	definition varchar2(500) not null,
	capacity number(19) not null,
	next_ordinal number(19) not null check (next_ordinal >= 0),
	next_slot number(19) not null check (next_slot >= 0)
);
