package dev.idspring.integration

import dev.idspring.IdSetupException
import dev.idspring.integration.kotlin.Boxed
import dev.idspring.integration.kotlin.Customer
import dev.idspring.integration.kotlin.CustomerId
import dev.idspring.integration.kotlin.Helpdesk
import dev.idspring.integration.kotlin.HelpdeskApplication
import dev.idspring.integration.kotlin.Inlined
import dev.idspring.integration.kotlin.Note
import dev.idspring.integration.kotlin.NoteView
import dev.idspring.integration.kotlin.Ticket
import dev.idspring.integration.kotlin.Visit
import dev.idspring.integration.kotlin.VisitCode
import dev.idspring.integration.kotlin.VisitView
import dev.idspring.testsupport.Documentation
import jakarta.persistence.EntityManager
import java.nio.file.Files
import java.nio.file.Path
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.data.jdbc.core.JdbcAggregateTemplate
import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.transaction.support.TransactionTemplate
import tools.jackson.databind.json.JsonMapper

/**
 * Tests the examples of `docs/kotlin.md`.
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
	fun idsAreStringsInJson(@Autowired mapper: JsonMapper) {
		assertThat(mapper.writeValueAsString(NoteView(1, "call back"))).isEqualTo("""{"id":"000001","text":"call back"}""")
	}

	@Test
	fun typedIdOfJpaIsAssignedAndFound(@Autowired entities: EntityManager, @Autowired transaction: TransactionTemplate) {
		val customer = Customer("Ada")
		transaction.executeWithoutResult { entities.persist(customer) }
		assertThat(customer.id!!.value).isPositive()
		assertThat(entities.find(Customer::class.java, customer.id).name).isEqualTo("Ada")
	}

	@Test
	fun typedIdOfSpringDataIsAssignedAndFound(@Autowired visits: JdbcAggregateTemplate, @Autowired jdbc: JdbcTemplate) {
		jdbc.execute("create table visit (id bigint primary key, code varchar(6))")
		val visit = visits.insert(Visit())
		assertThat(visit.id!!.value).isPositive()
		assertThat(visit.code!!.value).hasSize(6)
		assertThat(visits.findById(visit.id, Visit::class.java)).isEqualTo(visit)
	}

	@Test
	fun typedIdsAreStringsInJson(@Autowired mapper: JsonMapper) {
		val view = VisitView(CustomerId(7), mapOf(VisitCode("000001") to 3))
		val json = mapper.writeValueAsString(view)
		assertThat(json).isEqualTo("""{"id":"7","codes":{"000001":3}}""")
		assertThat(mapper.readValue(json, VisitView::class.java)).isEqualTo(view)
	}

	@Test
	fun idOfAValueClassIsSetUnlessTheClassIsBoxed(
		@Autowired entities: EntityManager, @Autowired transaction: TransactionTemplate, @Autowired rows: JdbcAggregateTemplate
	) {
		val inlined = Inlined()
		transaction.executeWithoutResult { entities.persist(inlined) }
		assertThat(inlined.id.value).isPositive()
		assertThat(inlined.code!!.value).hasSize(6)
		assertThatExceptionOfType(IdSetupException::class.java).isThrownBy { rows.insert(Boxed()) }
			.withMessageContaining("Boxed.id is annotated with @GeneratedId but is of type")
	}

	@Test
	fun documentationShowsTheTestedSources() {
		val text = Documentation.page("kotlin")
		val sources = Files.list(Path.of("src/test/kotlin/dev/idspring/integration/kotlin")).use { files ->
			files.map { normalized(Files.readString(it)) }.toList()
		}
		val (builds, examples) = Documentation.examples(text, "kotlin").map { normalized(it) }
			.partition { it.contains("dependencies {") }
		assertThat(builds).hasSize(1)
		assertThat(Documentation.examples(text, "yaml").map { normalized(it) })
			.containsExactly("ids: strategy: sequential generators: codes: strategy: coprime")
		assertThat(examples).hasSize(5).allSatisfy { example ->
			assertThat(sources).anyMatch { it.contains(example) }
		}
	}

	private fun normalized(code: String) =
		code.replace(Regex("(?m)^(package|import) .*$"), "").replace(Regex("\\s+"), " ").trim()

}
