create table orders (id bigint primary key);
insert into orders values (7);
