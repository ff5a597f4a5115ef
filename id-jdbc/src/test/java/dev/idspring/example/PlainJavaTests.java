package dev.idspring.example;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.jdbc.JdbcSettings;
import dev.idspring.jdbc.JdbcSlotStore;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.testsupport.Documentation;
import dev.idspring.text.Alphabet;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.worker.Deadline;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the example in {@code docs/without-spring.md}.
 */
class PlainJavaTests {

	@Test
	void exampleIssuesDistinctIds() {
		JdbcDataSource h2 = new JdbcDataSource();
		h2.setURL("jdbc:h2:mem:plain;DB_CLOSE_DELAY=-1");
		assertThat(draw(h2)).hasSize(3).doesNotHaveDuplicates();
	}

	@Test
	void documentationShowsThisExample() throws Exception {
		String source = Files.readString(Path.of("src/test/java/dev/idspring/example/PlainJavaTests.java"));
		List<String> examples = Documentation.examples(Documentation.page("without-spring"), "java")
			.stream()
			.map((example) -> example.replaceAll("\\s+", " ").strip())
			.toList();
		assertThat(examples).isNotEmpty()
			.allSatisfy((example) -> assertThat(source.replaceAll("\\s+", " ")).contains(example));
	}

	private static List<String> draw(DataSource dataSource) {
		new JdbcSchema(dataSource, "ids_").create();
		JdbcDatabase database = JdbcDatabase.open(dataSource, JdbcSettings.defaults("ids_"),
				Deadline.in(Duration.ofSeconds(5)));
		JdbcKeySpaceStore keySpaces = new JdbcKeySpaceStore(database);
		JdbcSlotStore slots = new JdbcSlotStore(database);
		CoprimeSettings sixCharacters = new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0);
		RecycledSettings series = new RecycledSettings(1_000_000, 1_000_000_000_000L);
		try (BlockIdGenerator orders = BlockIdGenerator.coprime("orders", sixCharacters, keySpaces).open();
				BlockIdGenerator lines = BlockIdGenerator
					.recycled("lines", series, SeriesSettings.defaults(), keySpaces, slots)
					.open();
				TimeIdGenerator events = TimeIdGenerator
					.builder("events", SnowflakeSettings.Preset.STANDARD.settings().scheme())
					.store(keySpaces, slots)
					.open()) {
			return List.of(orders.nextString(), lines.nextString(), events.nextString());
		}
	}

}
