package dev.idspring.tools.doctor;

import java.util.List;
import java.util.stream.Stream;

import dev.idspring.tools.doctor.Finding.Code;
import dev.idspring.tools.doctor.PlantedSchema.Fault;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@link Doctor} finds faulty tables that can exist in both MariaDB and MySQL.
 */
abstract class AbstractMysqlPlantedFaultsTests extends AbstractPlantedFaultsTests {

	private static final String CASE_INSENSITIVE = " character set utf8mb4 collate utf8mb4_general_ci";

	@Override
	Stream<Fault> faults() {
		return Stream.of(
				Fault.of("emptied.id", Code.LITTLE_LEFT,
						"create table emptied (id int not null auto_increment primary key comment 'the ''key''')",
						"insert into emptied values (2147483646)", "delete from emptied"),
				Fault.of("flagged.id", Code.LITTLE_LEFT,
						"create table flagged (id tinyint(1) not null auto_increment primary key)",
						"insert into flagged values (120)"),
				Fault.of("bits.id", Code.LITTLE_LEFT, "create table bits (id bit(8) not null primary key)",
						"insert into bits values (b'11111010')"),
				Fault.of("medium.id", Code.LITTLE_LEFT,
						"create table medium (id mediumint not null auto_increment primary key)",
						"insert into medium values (8000000)"),
				Fault.of("unsigned_end.id", Code.LITTLE_LEFT,
						"create table unsigned_end (id int unsigned not null auto_increment primary key)",
						"create table unsigned_child (id bigint primary key, parent int unsigned,"
								+ " constraint of_unsigned_end foreign key (parent) references unsigned_end (id)"
								+ " on delete cascade)",
						"insert into unsigned_end values (4200000000)"),
				Fault.of("digits.id", Code.LITTLE_LEFT, "create table digits (id decimal(5,0) not null primary key)",
						"insert into digits values (99000)"),
				Fault.of("by_month.id", Code.LITTLE_LEFT,
						"create table by_month (id int not null auto_increment, month int not null,"
								+ " primary key (id, month)) partition by hash (month) partitions 2",
						"insert into by_month values (2147000000, 1)"),
				Fault.of("uuid_keyed.number", Code.LITTLE_LEFT,
						"create table uuid_keyed (id binary(16) not null primary key,"
								+ " number smallint not null auto_increment unique)",
						"insert into uuid_keyed values (unhex(replace(uuid(), '-', '')), 32000)"),
				Fault.of("source.id", Code.LITTLE_LEFT, "create table source (id int not null primary key)",
						"create table computed (id bigint primary key, parent int, next int as (parent + 1) virtual,"
								+ " foreign key (parent) references source (id))",
						"insert into source values (2147483000)")
					.withObstacle("generated column next of computed"),
				Fault.of("growing.id", Code.SMALL_TYPE,
						"create table growing (id smallint unsigned not null auto_increment primary key)",
						"insert into growing values (20000)"),
				// NanoIDs, strings with a prefix, strings without digits
				Fault.of("nano.id", Code.CASE_BLIND_TEXT,
						"create table nano (id varchar(21)" + CASE_INSENSITIVE + " not null primary key)",
						"insert into nano values ('V1StGXR8_Z5jdHi6B-myT')"),
				Fault.of("prefixed.code", Code.CASE_BLIND_TEXT,
						"create table prefixed (id bigint primary key, code varchar(30)" + CASE_INSENSITIVE
								+ " not null comment 'shown' unique)",
						"insert into prefixed values (1, 'ord_5f2aB9xQ')"),
				Fault.of("letters.code", Code.CASE_BLIND_TEXT,
						"create table letters (tenant int not null, code char(8)" + CASE_INSENSITIVE
								+ ", id bigint primary key, unique (tenant, code))",
						"insert into letters values (1, 'xKqPzRtW', 1), (1, null, 2)"),
				Fault.of("text_parent.id", Code.CASE_BLIND_TEXT,
						"create table text_parent (id varchar(30)" + CASE_INSENSITIVE + " not null primary key)",
						"insert into text_parent values ('api_4qD329Bz36dAo1uY')"),
				Fault.of("text_child.parent", Code.CASE_BLIND_TEXT,
						"create table text_child (id bigint primary key, parent varchar(30)" + CASE_INSENSITIVE
								+ ", constraint of_text_parent foreign key (parent) references text_parent (id)"
								+ " on update cascade)",
						"insert into text_child values (1, 'api_4qD329Bz36dAo1uY')"),
				Fault.of("prefix_unique", Code.NO_KEY,
						"create table prefix_unique (url text character set ascii collate ascii_bin not null,"
								+ " unique key (url(100)))",
						"insert into prefix_unique values ('a')"),
				Fault.of("keyless", Code.NO_KEY, "create table keyless (name varchar(10), id int)"),
				Fault.of("unique_only", Code.NO_KEY, "create table unique_only (number bigint not null unique)"));
	}

	@Override
	List<String> healthyTables() {
		return List.of(
				"create table ids_key_space (name varchar(10), definition varchar(10), capacity bigint,"
						+ " next_ordinal bigint)",
				"create table orders (id bigint not null auto_increment primary key, n int comment 'AUTO_INCREMENT=9')",
				"insert into orders (n) values (1), (2)",
				"create table people (id bigint primary key, name varchar(30)" + CASE_INSENSITIVE + " unique)",
				"insert into people values (1, 'McDonald'), (2, 'Room 4b'), (3, 'dailyReportJob'), (4, 'USA'),"
						+ " (5, 'iPhone 15 Pro')",
				"create table member_of (a bigint, b bigint, primary key (a, b))",
				"create table counter_seq (next_val bigint)");
	}

	@Test
	void reportsTablesThatAreLeftOut() {
		assertThat(schema().keys().leftOut().stream().map(schema()::withoutSchema)).containsExactlyInAnyOrder(
				"member_of: its key has the columns a, b", "by_month: its key has the columns id, month",
				"counter_seq: a Hibernate table with a single counter");
		assertThat(schema().keys().notRead()).isEmpty();
	}

	@Test
	void statementKeepsTheOtherAttributesOfAColumn() {
		assertThat(schema().problems()).flatExtracting(Finding::statements)
			.map((statement) -> statement.replace("`" + schema().keys().schema() + "`.", ""))
			.contains("alter table `emptied` modify column `id` bigint NOT NULL AUTO_INCREMENT COMMENT 'the ''key''';")
			.contains("alter table `unsigned_child` drop foreign key `of_unsigned_end`;",
					"alter table `unsigned_end` modify column `id` bigint unsigned NOT NULL AUTO_INCREMENT;",
					"alter table `unsigned_child` modify column `parent` bigint unsigned DEFAULT NULL;",
					"alter table `unsigned_child` add CONSTRAINT `of_unsigned_end` FOREIGN KEY (`parent`)"
							+ " REFERENCES `unsigned_end` (`id`) ON DELETE CASCADE;");
	}

	@Test
	void remedyListsWhatWasNotRead() {
		assertThat(schema().findingsAt("unsigned_end.id", schema().problems())).singleElement()
			.satisfies((finding) -> assertThat(finding.remedy()).contains("Not read: whether foreign key ",
					"of_unsigned_end of ", ".unsigned_child references only existing rows"));
	}

}
