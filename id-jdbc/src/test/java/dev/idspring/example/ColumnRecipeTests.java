package dev.idspring.example;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.Documentation;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.params.ParameterizedTest;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the column types in {@code docs/recipes.md} on each database.
 */
class ColumnRecipeTests {

	private static final String HEADING = "Column types and collations";

	@ParameterizedTest
	@Databases
	void columnsDistinguishUpperAndLowerCase(Kind kind) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = database.pool(1)) {
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			jdbc.execute(createStatement(database.platform()));
			UUID token = UUID.fromString("00000000-0000-8000-877c-0124b8dfefb1");
			for (String code : List.of("8phu14aB", "8phu14AB")) {
				UUID unique = new UUID(token.getMostSignificantBits() + code.charAt(6),
						token.getLeastSignificantBits());
				jdbc.update("insert into coupon (id, code, token) values (?, ?, ?)", Long.MAX_VALUE - code.charAt(6),
						code, token(database.platform(), unique));
			}
			assertThat(jdbc.queryForList("select id from coupon where code = '8phu14AB'", Long.class))
				.containsExactly(Long.MAX_VALUE - 'A');
			assertThat(jdbc.queryForObject("select count(distinct code) from coupon", Integer.class)).isEqualTo(2);
		}
	}

	/**
	 * Return the statement that follows the comment with the name of a database.
	 */
	private static String createStatement(String platform) {
		String page = Documentation.page("recipes");
		String section = page.substring(page.indexOf("## " + HEADING));
		String statements = Documentation.examples(section, "sql").get(0);
		return Arrays.stream(statements.split("(?m)^-- "))
			.filter((statement) -> List
				.of(statement.lines().findFirst().orElse("").toLowerCase(Locale.ROOT).split(", "))
				.contains(platform))
			.findFirst()
			.orElseThrow()
			.replaceFirst(".*", "")
			.replace(";", "");
	}

	/**
	 * Return the token in the form that the driver binds to the column.
	 */
	private static Object token(String platform, UUID token) {
		return switch (platform) {
			case "mysql",
					"derby" ->
				ByteBuffer.allocate(16)
					.putLong(token.getMostSignificantBits())
					.putLong(token.getLeastSignificantBits())
					.array();
			case "mariadb", "sqlite" -> token.toString();
			default -> token;
		};
	}

}
