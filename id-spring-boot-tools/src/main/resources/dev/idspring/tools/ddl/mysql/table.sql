create table if not exists {table} (
	place bigint not null auto_increment,
	holder bigint unsigned not null,
	primary key (place, holder)
) engine = InnoDB comment '{tableComment}'
