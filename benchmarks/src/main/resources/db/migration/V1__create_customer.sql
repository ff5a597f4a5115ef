create table customer (
	id bigint not null primary key,
	name varchar(100) not null
);
