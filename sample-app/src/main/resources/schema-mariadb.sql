-- The default collations do not tell upper from lower case, and so would refuse most keys as duplicates.
create table if not exists link (
	link_key varchar(6) character set ascii collate ascii_bin not null primary key,
	url varchar(2048) not null
);
