-- Untested on this database: see docs/database.md of id-spring-boot.
-- One row per key space: the next ordinal to reserve, and the definition that determines the order of the keys.
create table ids_key_space (
	name varchar2(100) not null primary key,
	definition varchar2(500) not null,
	capacity number(19) not null,
	next_ordinal number(19) not null check (next_ordinal >= 0),
	next_slot number(19) not null check (next_slot >= 0),
	usage_history varchar2(400) not null,
	reservation varchar2(36),
	bridge varchar2(500),
	incarnation varchar2(200),
	fenced_slot number(19),
	fenced_end number(19),
	fenced_until number(19),
	line_time number(19),
	line_rate number(19),
	line_raised_rate number(19),
	line_raised_at number(19),
	line_held_until number(19)
);

-- One row per slot (a node, or a series of the strategy 'recycled'): its owner and lease, and the next position to reserve. Times are in milliseconds since 1970.
create table ids_slot (
	key_space varchar2(100) not null,
	slot number(19) not null check (slot >= 0),
	next_position number(19) not null,
	end_position number(19) not null,
	owner varchar2(36),
	token varchar2(36),
	leased_at number(19) not null,
	lease_until number(19) not null,
	primary key (key_space, slot),
	unique (key_space, lease_until, slot)
);

-- One row per scope and period of a gapless sequence: its next number. The row without a scope stores the number of scopes in its period.
create table ids_gapless (
	name varchar2(100) not null,
	scope_period varchar2(10) default '-' not null,
	scope_key varchar2(64) default '-' not null,
	scope_name varchar2(500 char),
	next_value number(19) not null check (next_value >= 0),
	scope_count number(19) default 0 not null,
	primary key (name, scope_period, scope_key)
);
