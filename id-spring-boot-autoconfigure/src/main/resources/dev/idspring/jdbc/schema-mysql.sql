-- One row a key space: how far it has been reserved, and what fixes the order of its keys.
-- Names must not be compared without regard to case, as the default collations do.
create table if not exists ids_key_space (
	name varchar(100) not null primary key,
	definition varchar(500) not null,
	capacity bigint not null,
	next_ordinal bigint not null check (next_ordinal >= 0),
	next_slot bigint not null check (next_slot >= 0)
) engine = InnoDB default character set ascii collate ascii_bin;
