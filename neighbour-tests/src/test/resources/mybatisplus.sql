create table orders (id bigint primary key, customer varchar(100));
create table part (id bigint primary key, name varchar(100));
create table code (id varchar(40) primary key);
create table note (id char(32) primary key);
