package dev.idspring.integration

import dev.idspring.integration.kotlin.Helpdesk
import dev.idspring.integration.kotlin.HelpdeskApplication
import dev.idspring.integration.kotlin.Note
import dev.idspring.integration.kotlin.NoteView
import dev.idspring.integration.kotlin.Ticket
import dev.idspring.testsupport.Documentation
import jakarta.persistence.EntityManager
import java.nio.file.Files
import java.nio.file.Path
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.data.jdbc.core.JdbcAggregateTemplate
import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.transaction.support.TransactionTemplate
import tools.jackson.databind.json.JsonMapper

/**
 * The examples of README and `docs/kotlin.md`.
 */
@SpringBootTest(
	classes = [HelpdeskApplication::class],
	webEnvironment = SpringBootTest.WebEnvironment.NONE,
	properties = [
		"spring.datasource.url=jdbc:h2:mem:kotlin",
		"spring.jpa.hibernate.ddl-auto=create",
		"spring.autoconfigure.exclude=org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
		"ids.strategy=sequential",
		"ids.generators.codes.strategy=coprime"
	]
)
class KotlinTests {

	@Test
	fun entityOfJpaGetsItsIds(@Autowired entities: EntityManager, @Autowired transaction: TransactionTemplate) {
		val ticket = Ticket("printer")
		transaction.executeWithoutResult { entities.persist(ticket) }
		assertThat(ticket.id).isPositive()
		assertThat(ticket.code).hasSize(6)
	}

	@Test
	fun dataClassIsCopiedWithItsIds(@Autowired notes: JdbcAggregateTemplate, @Autowired jdbc: JdbcTemplate) {
		jdbc.execute("create table note (id bigint primary key, code varchar(6), text varchar(20))")
		val note = notes.insert(Note(text = "call back"))
		assertThat(note.id).isPositive()
		assertThat(note.code).hasSize(6)
	}

	@Test
	fun generatorsAreInjected(@Autowired helpdesk: Helpdesk) {
		assertThat(helpdesk.invite()).matches("\\d+/\\w{6}")
	}

	@Test
	fun idsTravelAsStrings(@Autowired mapper: JsonMapper) {
		assertThat(mapper.writeValueAsString(NoteView(1, "call back"))).isEqualTo("""{"id":"000001","text":"call back"}""")
	}

	@Test
	fun documentationShowsTheseSources() {
		val text = Documentation.readme() + Documentation.page("kotlin")
		val sources = Files.list(Path.of("src/test/kotlin/dev/idspring/integration/kotlin")).use { files ->
			files.map { normalized(Files.readString(it)) }.toList()
		}
		val (builds, examples) = Documentation.examples(text, "kotlin").map { normalized(it) }
			.partition { it.contains("dependencies {") }
		assertThat(builds).hasSize(2)
		assertThat(examples).hasSize(5).allSatisfy { example ->
			assertThat(sources).anyMatch { it.contains(example) }
		}
	}

	private fun normalized(code: String) =
		code.replace(Regex("(?m)^(package|import) .*$"), "").replace(Regex("\\s+"), " ").trim()

}
