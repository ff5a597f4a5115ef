package dev.idspring.neighbours.mybatisplus;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.incrementer.DefaultIdentifierGenerator;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
import com.baomidou.mybatisplus.core.toolkit.IdWorker;
import com.baomidou.mybatisplus.core.toolkit.Sequence;
import com.baomidou.mybatisplus.spring.MybatisSqlSessionFactoryBean;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.Documentation;
import dev.idspring.testsupport.TestDatabase;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mybatis.spring.mapper.MapperFactoryBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests ids with the MyBatis-Plus starter, mostly on H2.
 */
@ExtendWith(OutputCaptureExtension.class)
class MybatisPlusTests {

	private static final String SEQUENTIAL = "--ids.generators.orders.strategy=sequential";

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	@Test
	void keyIsDrawnFromTheGeneratorInTheAnnotation(CapturedOutput output) {
		try (ConfigurableApplicationContext context = start(SEQUENTIAL,
				"--ids.generators.orders.sequential.start=1000")) {
			Order order = order("Ada");
			context.getBean(Orders.class).insert(order);
			assertThat(order.getId()).isEqualTo(1000);
			assertThat(context.getBean(Orders.class).selectById(1000L).getCustomer()).isEqualTo("Ada");
			assertThat(output).containsOnlyOnce("orders.id (" + Order.class.getName()
					+ ".id) <- id generator 'orders' (sequential), from 1000 to ");
		}
	}

	@Test
	void rowsOfABatchGetKeys() {
		try (ConfigurableApplicationContext context = start(SEQUENTIAL)) {
			List<Order> orders = new ArrayList<>();
			for (int i = 0; i < 250; i++) {
				orders.add(order("customer " + i));
			}
			context.getBean(Orders.class).insert(orders);
			assertThat(orders).extracting(Order::getId).doesNotHaveDuplicates().doesNotContainNull();
			assertThat(context.getBean(Orders.class).selectCount(null)).isEqualTo(250);
		}
	}

	@Test
	@Tag("wide")
	void rowInsertedDuringBeanDestructionGetsItsKey() {
		start(LastInsert.class, SEQUENTIAL).close();
		assertThat(new JdbcTemplate(new DriverManagerDataSource(this.url, "sa", ""))
			.queryForList("select id from orders where customer = 'last'", Long.class)).containsExactly(1L);
	}

	@Test
	@Tag("wide")
	void assignedKeyIsUsed() {
		try (ConfigurableApplicationContext context = start(SEQUENTIAL)) {
			Order order = order("Ada");
			order.setId(77L);
			context.getBean(Orders.class).insert(order);
			assertThat(order.getId()).isEqualTo(77);
		}
	}

	@Test
	void keyWithoutAnnotationComesFromTheDefaultGenerator() {
		try (ConfigurableApplicationContext context = start(PartConfiguration.class, "--ids.strategy=sequential",
				"--ids.sequential.start=500")) {
			Part part = new Part();
			context.getBean(PartMapper.class).insert(part);
			assertThat(part.id).isEqualTo(500);
			assertThat(IdWorker.getId()).isEqualTo(501);
			assertThat(IdWorker.getId(part)).isEqualTo(502);
		}
	}

	@Test
	void stringKeyGetsTheTextFormOfTheId() {
		try (ConfigurableApplicationContext context = start(CodeConfiguration.class,
				"--ids.generators.codes.text.prefix=cd_")) {
			IdGenerator codes = context.getBean(IdGenerators.class).get("codes");
			Code code = new Code();
			context.getBean(CodeMapper.class).insert(code);
			assertThat(code.id).startsWith("cd_").isEqualTo(codes.format(codes.parse(code.id)));
			assertThat(context.getBean(CodeMapper.class).selectById(code.id).id).isEqualTo(code.id);
			assertThat(codes.describe(IdWorker.getId(code)).ordinal()).isEqualTo(1);
		}
	}

	/**
	 * The unsigned numbers of this layout exceed the range of {@code long}, but their
	 * text forms are correct.
	 */
	@Test
	@Tag("wide")
	void stringKeyCanExceedTheRangeOfLong() {
		try (ConfigurableApplicationContext context = start(CodeConfiguration.class,
				"--ids.generators.codes.strategy=decimal-uid", "--ids.generators.codes.decimal-uid.signed=false",
				"--ids.generators.codes.decimal-uid.epoch=1980-01-01T00:00:00Z")) {
			Code code = new Code();
			context.getBean(CodeMapper.class).insert(code);
			assertThat(context.getBean(IdGenerators.class).get("codes").parse(code.id)).isNegative();
			assertThat(new BigInteger(code.id)).isGreaterThan(BigInteger.valueOf(Long.MAX_VALUE));
		}
	}

	@Test
	@Tag("wide")
	void uuidKeyHas32Digits() {
		try (ConfigurableApplicationContext context = start(NoteConfiguration.class)) {
			Note note = new Note();
			context.getBean(NoteMapper.class).insert(note);
			assertThat(note.id).hasSize(32);
			UUID uuid = UUID.fromString(note.id.replaceFirst("(.{8})(.{4})(.{4})(.{4})", "$1-$2-$3-$4-"));
			assertThat(context.getBean(IdGenerators.class)
				.get("notes")
				.describe(context.getBean(IdGenerators.class).get("notes").fromUuid(uuid))
				.ordinal()).isZero();
		}
	}

	@Test
	@Tag("wide")
	void twitterPresetUsesTheSameLayoutAsMybatisPlus() {
		long before = new DefaultIdentifierGenerator(5, 9).nextId(null);
		try (ConfigurableApplicationContext context = start("--ids.generators.orders.strategy=snowflake",
				"--ids.generators.orders.snowflake.preset=twitter")) {
			Instant start = Instant.now();
			Order order = order("Ada");
			context.getBean(Orders.class).insert(order);
			assertThat(order.getId()).isGreaterThan(before);
			assertThat(Instant.ofEpochMilli(Sequence.parseIdTimestamp(order.getId()))).isBetween(start.minusSeconds(60),
					start.plusSeconds(60));
			assertThat((order.getId() >> 12) & 1023).isEqualTo(nodeOf(context));
		}
	}

	/**
	 * The steps are those of the documentation: query the nodes of old pods, reserve
	 * these nodes, then start the application.
	 */
	@Test
	@Tag("wide")
	void reservedNodesAreNotLeased() {
		TestDatabase postgresql = TestDatabase.postgresql();
		try (HikariDataSource dataSource = postgresql.pool(2)) {
			JdbcTemplate database = new JdbcTemplate(dataSource);
			new ResourceDatabasePopulator(new ClassPathResource("mybatisplus.sql"),
					new ClassPathResource("dev/idspring/jdbc/schema-postgresql.sql"))
				.execute(dataSource);
			for (long worker = 0; worker < 3; worker++) {
				Number id = new DefaultIdentifierGenerator(worker, 0).nextId(null);
				database.update("insert into orders (id) values (?)", id);
			}
			// an old row, whose node the query must not return
			database.update("insert into orders (id) values (?)", (1L << 22) + (700 << 12));
			List<Long> nodes = database.queryForList(statement("select distinct"), Long.class);
			assertThat(nodes).containsExactlyInAnyOrder(0L, 1L, 2L);
			for (Long node : nodes) {
				database.execute(statement("insert into").replace("992", node.toString()));
			}
			try (ConfigurableApplicationContext context = start("--spring.datasource.url=" + postgresql.url(),
					"--spring.datasource.username=" + postgresql.username(),
					"--spring.datasource.password=" + postgresql.password(),
					"--ids.generators.orders.strategy=snowflake", "--ids.generators.orders.snowflake.preset=twitter")) {
				assertThat(nodeOf(context)).isEqualTo(3);
				Order order = order("Ada");
				context.getBean(Orders.class).insert(order);
				assertThat((order.getId() >> 12) & 1023).isEqualTo(3);
			}
		}
	}

	private static String statement(String start) {
		return Documentation.examples(Documentation.page("neighbours"), "sql")
			.stream()
			.flatMap((example) -> Stream.of(example.split(";")))
			.map((sql) -> sql.replaceAll("--.*", "").strip())
			.filter((sql) -> sql.startsWith(start))
			.findFirst()
			.orElseThrow();
	}

	private static long nodeOf(ConfigurableApplicationContext context) {
		JdbcTemplate database = context.getBean(JdbcTemplate.class);
		return database.queryForObject(
				"select slot from ids_slot where key_space = 'orders' and lease_until < " + Long.MAX_VALUE, Long.class);
	}

	@Test
	@Tag("wide")
	void startupFailsWhenRowsExistBeforeTheKeySpace() {
		JdbcTemplate database = new JdbcTemplate(new DriverManagerDataSource(this.url, "sa", ""));
		database.execute("create table orders (id bigint primary key, customer varchar(100))");
		database.update("insert into orders (id) values (1234)");
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> start(SEQUENTIAL, "--spring.sql.init.mode=never").close())
			.withMessageContaining("orders.id")
			.withMessageContaining("already contains 1234");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "AutoIncremented | has the IdType AUTO, for which MyBatis-Plus assigns no id",
					"Primitive | is of type long; with MyBatis-Plus, the key must be a Long, an Integer or a String",
					"WrongProperty | the persistence library does not read the annotation there",
					"UnknownGenerator | is annotated with @GeneratedId(\"nowhere\")",
					"NarrowKey | can hold 2147483647 at most" })
	@Tag("wide")
	void startupFailsForAWrongAnnotation(String entity, String message) throws Exception {
		Class<?> mapper = Class.forName(MybatisPlusTests.class.getName() + "$" + entity + "Mapper");
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> {
			SpringApplication application = new SpringApplication(Application.class);
			application.setWebApplicationType(WebApplicationType.NONE);
			application.addInitializers(
					(context) -> ((GenericApplicationContext) context).registerBean("wrong", MapperFactoryBean.class,
							() -> new MapperFactoryBean<>(mapper), (definition) -> ((AbstractBeanDefinition) definition)
								.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_BY_TYPE)));
			application.run("--spring.datasource.url=" + this.url).close();
		}).withMessageContaining("$" + entity + ".").withMessageContaining(message);
	}

	@Test
	void gaplessKeyIsDrawnOnlyInATransaction() {
		try (ConfigurableApplicationContext context = start(BillConfiguration.class,
				"--ids.generators.bills.strategy=gapless", "--spring.main.lazy-initialization=true")) {
			BillMapper bills = context.getBean("billMapper", BillMapper.class);
			// the entity also has a mapper for another DataSource
			context.getBean("otherBillMapper", BillMapper.class);
			TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
			transaction.executeWithoutResult((status) -> {
				Bill bill = new Bill();
				bills.insert(bill);
				assertThat(bill.id).isEqualTo(1);
				status.setRollbackOnly();
			});
			assertThatException().isThrownBy(() -> bills.insert(new Bill()))
				.satisfies((failure) -> assertThat(failure).hasStackTraceContaining("there is no transaction"));
		}
	}

	@Test
	@Tag("wide")
	void gaplessKeyOfARowInAnotherDataSourceIsNotDrawn() {
		assertThatException()
			.isThrownBy(() -> start(OtherBillConfiguration.class, "--ids.generators.bills.strategy=gapless").close())
			.isInstanceOf(IdSetupException.class)
			.withMessageContaining("$OtherBill.id (table part) gets numbers")
			.withMessageContaining("its rows are inserted through DataSource 'other'");
		try (ConfigurableApplicationContext context = start(OtherBillConfiguration.class,
				"--ids.generators.bills.strategy=gapless", "--spring.main.lazy-initialization=true",
				"--spring.sql.init.mode=never")) {
			TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
			OtherBillMapper bills = context.getBean(OtherBillMapper.class);
			assertThatException()
				.isThrownBy(() -> transaction.executeWithoutResult((status) -> bills.insert(new OtherBill())))
				.satisfies((failure) -> assertThat(failure)
					.hasStackTraceContaining("for " + OtherBill.class.getName() + ".id (table part)")
					.hasStackTraceContaining("the row is inserted through DataSource 'other'"));
			assertThat(
					transaction.<Long>execute((status) -> context.getBean(IdGenerators.class).get("bills").nextLong()))
				.isEqualTo(1);
		}
	}

	@Test
	@Tag("wide")
	void generatorOfTheApplicationIsUsed() {
		try (ConfigurableApplicationContext context = start(ApplicationIdentifierGenerator.class, SEQUENTIAL)) {
			Order order = order("Ada");
			context.getBean(Orders.class).insert(order);
			assertThat(order.getId()).isEqualTo(42);
		}
	}

	private static Order order(String customer) {
		Order order = new Order();
		order.setCustomer(customer);
		return order;
	}

	private ConfigurableApplicationContext start(String... arguments) {
		return start(Application.class, arguments);
	}

	private ConfigurableApplicationContext start(Class<?> application, String... arguments) {
		return new SpringApplicationBuilder(Application.class, application).web(WebApplicationType.NONE)
			.properties("spring.datasource.url=" + this.url,
					"spring.sql.init.schema-locations=classpath:mybatisplus.sql",
					"ids.generators.orders.block.size=100", "ids.generators.codes.block.size=100",
					"ids.generators.notes.block.size=100")
			.run(arguments);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class LastInsert {

		@Bean
		DisposableBean lastInsert(Orders orders) {
			return () -> orders.insert(order("last"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ApplicationIdentifierGenerator {

		@Bean
		IdentifierGenerator applicationIdentifierGenerator() {
			return (entity) -> 42L;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PartConfiguration {

		@Bean
		MapperFactoryBean<PartMapper> partMapper(SqlSessionFactory sessions) {
			return mapper(PartMapper.class, sessions);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CodeConfiguration {

		@Bean
		MapperFactoryBean<CodeMapper> codeMapper(SqlSessionFactory sessions) {
			return mapper(CodeMapper.class, sessions);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NoteConfiguration {

		@Bean
		MapperFactoryBean<NoteMapper> noteMapper(SqlSessionFactory sessions) {
			return mapper(NoteMapper.class, sessions);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherDatabase {

		@Bean(defaultCandidate = false)
		HikariDataSource other() {
			return TestDatabase.h2().pool(2);
		}

		@Bean(defaultCandidate = false)
		MybatisSqlSessionFactoryBean otherSessions(@Qualifier("other") HikariDataSource other,
				IdentifierGenerator ids) {
			MybatisSqlSessionFactoryBean sessions = new MybatisSqlSessionFactoryBean();
			sessions.setDataSource(other);
			sessions.setGlobalConfig(GlobalConfigUtils.defaults().setIdentifierGenerator(ids));
			return sessions;
		}

	}

	/**
	 * Configures an entity with one mapper for each of two DataSources.
	 */
	@Configuration(proxyBeanMethods = false)
	@Import(OtherDatabase.class)
	static class BillConfiguration {

		@Bean
		MapperFactoryBean<BillMapper> billMapper(SqlSessionFactory sessions) {
			return mapper(BillMapper.class, sessions);
		}

		@Bean
		MapperFactoryBean<BillMapper> otherBillMapper(@Qualifier("otherSessions") SqlSessionFactory sessions) {
			return mapper(BillMapper.class, sessions);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(OtherDatabase.class)
	static class OtherBillConfiguration {

		@Bean
		MapperFactoryBean<OtherBillMapper> otherBillMapper(@Qualifier("otherSessions") SqlSessionFactory sessions) {
			return mapper(OtherBillMapper.class, sessions);
		}

	}

	@TableName("part")
	static class Bill {

		@TableId
		@GeneratedId("bills")
		Long id;

	}

	interface BillMapper extends BaseMapper<Bill> {

	}

	@TableName("part")
	static class OtherBill {

		@TableId
		@GeneratedId("bills")
		Long id;

	}

	interface OtherBillMapper extends BaseMapper<OtherBill> {

	}

	private static <T> MapperFactoryBean<T> mapper(Class<T> type, SqlSessionFactory sessions) {
		MapperFactoryBean<T> mapper = new MapperFactoryBean<>(type);
		mapper.setSqlSessionFactory(sessions);
		return mapper;
	}

	@TableName("part")
	static class Part {

		Long id;

		String name;

	}

	interface PartMapper extends BaseMapper<Part> {

	}

	@TableName("code")
	static class Code {

		@TableId
		@GeneratedId("codes")
		String id;

	}

	interface CodeMapper extends BaseMapper<Code> {

	}

	@TableName("note")
	static class Note {

		@TableId(type = IdType.ASSIGN_UUID)
		@GeneratedId("notes")
		String id;

	}

	interface NoteMapper extends BaseMapper<Note> {

	}

	@TableName("part")
	static class AutoIncremented {

		@TableId(type = IdType.AUTO)
		@GeneratedId
		Long id;

	}

	interface AutoIncrementedMapper extends BaseMapper<AutoIncremented> {

	}

	@TableName("part")
	static class Primitive {

		@TableId
		@GeneratedId
		long id;

	}

	interface PrimitiveMapper extends BaseMapper<Primitive> {

	}

	@TableName("part")
	static class WrongProperty {

		@TableId
		Long id;

		@GeneratedId
		String name;

	}

	interface WrongPropertyMapper extends BaseMapper<WrongProperty> {

	}

	@TableName("part")
	static class UnknownGenerator {

		@TableId
		@GeneratedId("nowhere")
		Long id;

	}

	interface UnknownGeneratorMapper extends BaseMapper<UnknownGenerator> {

	}

	@TableName("part")
	static class NarrowKey {

		@TableId
		@GeneratedId
		Integer id;

	}

	interface NarrowKeyMapper extends BaseMapper<NarrowKey> {

	}

}
