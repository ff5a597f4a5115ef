create table if not exists link (
	link_id bigint not null primary key,
	url varchar(2048) not null,
	clicks bigint default 0 not null
);

create table if not exists customer_order (
	order_id bigint not null primary key,
	customer varchar(200) not null,
	cents bigint not null
);

create table if not exists invoice (
	invoice_number bigint not null primary key,
	document_number varchar(60) not null unique,
	order_id bigint not null unique references customer_order (order_id)
);

create table if not exists payment (
	payment_reference bigint not null primary key,
	invoice_number bigint not null unique references invoice (invoice_number),
	cents bigint not null
);

create table if not exists shipment (
	shipment_id bigint not null primary key,
	order_id bigint not null references customer_order (order_id)
);

create table if not exists event (
	event_id bigint not null primary key,
	event_type varchar(100) not null,
	detail varchar(2000) not null
);
