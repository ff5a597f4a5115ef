create table if not exists link (
	link_key varchar(6) not null primary key,
	url varchar(2048) not null
);
