package dev.idspring.integration.r2dbc;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.r2dbc.config.EnableR2dbcAuditing;

/**
 * A blog that stores its posts with Spring Data R2DBC.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableR2dbcAuditing
@Import(Blog.class)
class BlogApplication {

	static final String[] CREATE_TABLES = {
			"create table author (id varchar(19) primary key, name varchar(40) not null, created_at timestamp)",
			"create table post (id bigint primary key, code varchar(13) not null unique, author varchar(19) not null,"
					+ " title varchar(40) not null)",
			"create table comment (id bigint primary key, version int not null, post bigint not null references post,"
					+ " text varchar(40) not null, link varchar(13))",
			"create table vote (id bigint primary key, stars int not null)" };

	/** Creates the table with a UUID key, on databases that have a UUID type. */
	static final String CREATE_UUID_TABLE = "create table badge (id uuid primary key, code varchar(13) not null unique)";

}
