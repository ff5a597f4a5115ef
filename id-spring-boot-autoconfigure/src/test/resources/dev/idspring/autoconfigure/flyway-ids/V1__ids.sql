-- One row per key space: the next ordinal to reserve, and the definition that determines the order of the keys.
create table if not exists ids_key_space (
	name varchar(100) not null primary key,
	definition varchar(500) not null,
	capacity bigint not null,
	next_ordinal bigint not null check (next_ordinal >= 0),
	next_slot bigint not null check (next_slot >= 0),
	usage_history varchar(400) not null,
	reservation varchar(36),
	bridge varchar(500),
	incarnation varchar(200),
	fenced_slot bigint,
	fenced_end bigint,
	fenced_until bigint,
	line_time bigint,
	line_rate bigint,
	line_raised_rate bigint,
	line_raised_at bigint,
	line_held_until bigint
);

-- One row per slot (a node, or a series of 'recycled'): its owner, its lease and its next position. Times are in
-- milliseconds since 1970.
create table if not exists ids_slot (
	key_space varchar(100) not null,
	slot bigint not null check (slot >= 0),
	next_position bigint not null,
	end_position bigint not null,
	owner varchar(36),
	token varchar(36),
	leased_at bigint not null,
	lease_until bigint not null,
	primary key (key_space, slot),
	unique (key_space, lease_until, slot)
);

-- One row per scope and period of a gapless sequence: its next number. The row without a scope stores the number of
-- scopes in its period.
create table if not exists ids_gapless (
	name varchar(100) not null,
	scope_period varchar(10) default '-' not null,
	scope_key varchar(64) default '-' not null,
	scope_name varchar(500),
	next_value bigint not null check (next_value >= 0),
	scope_count bigint default 0 not null,
	primary key (name, scope_period, scope_key)
);
