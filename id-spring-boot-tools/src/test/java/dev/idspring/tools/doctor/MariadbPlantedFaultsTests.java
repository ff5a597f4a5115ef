package dev.idspring.tools.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.tools.doctor.Finding.Code;
import dev.idspring.tools.doctor.PlantedSchema.Fault;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link Doctor} on MariaDB.
 */
class MariadbPlantedFaultsTests extends AbstractMysqlPlantedFaultsTests {

	@Override
	TestDatabase database() {
		return TestDatabase.mariadb();
	}

	@Override
	Stream<Fault> faults() {
		return Stream.concat(super.faults(), Stream.of(
				Fault.of("imported.id", Code.SEQUENCE_BEHIND, "create sequence import_seq",
						"create table imported (id bigint default nextval(import_seq) primary key)",
						"insert into imported values (5), (6), (7)"),
				Fault.of("borrower.id", Code.SEQUENCE_BEHIND, "create sequence lender_seq nocache",
						"create table lender (id bigint default nextval(lender_seq) primary key, n int)",
						"create table borrower (id bigint default nextval(lender_seq) primary key)",
						"insert into lender (n) values (1), (2)", "insert into borrower values (40)"),
				Fault.of("descending.id", Code.SEQUENCE_BEHIND, "create sequence down increment by -1 nocache",
						"create table descending (id bigint default nextval(down) primary key)",
						"insert into descending values (-1), (-2), (-3)"),
				Fault.of("clustered.id", Code.SEQUENCE_BEHIND, "create sequence cluster_seq increment by 0 nocache",
						"create table clustered (id bigint default nextval(cluster_seq) primary key)",
						"insert into clustered values (5)"),
				Fault.of("capped.id", Code.LITTLE_LEFT, "create sequence cap maxvalue 1000 nocache",
						"create table capped (id bigint default nextval(cap) primary key)", "select setval(cap, 980)"),
				Fault.of("round.id", Code.SEQUENCE_CYCLES, "create sequence ring cycle",
						"create table round (id bigint default nextval(ring) primary key)")));
	}

	@Override
	List<String> healthyTables() {
		List<String> healthy = new ArrayList<>(super.healthyTables());
		healthy.addAll(List.of("create table hilo (id bigint primary key)", "create sequence hilo_seq nocache",
				"select setval(hilo_seq, 20)", "insert into hilo values (1000)", "create sequence odd increment by 2",
				"create table odd_numbers (id bigint default nextval(odd) primary key)",
				"insert into odd_numbers values (2), (4), (6)", "create sequence shard",
				"create table multiplied (id bigint default (nextval(shard) * 1000 + 7) primary key)",
				"insert into multiplied values (1007), (2007)"));
		return healthy;
	}

	@Test
	void uncertainFindingsAreNotes() {
		assertThat(schema().notes()).extracting((note) -> schema().withoutSchema(note.where()), Finding::code)
			.containsExactly(tuple("hilo.id", Code.SEQUENCE_BEHIND), tuple("people.name", Code.CASE_BLIND_TEXT));
	}

}
