package dev.idspring.integration.shutdown;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.annotation.GeneratedId;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Provider;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.SmartLifecycle;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Beans that save entities or draw ids when they are stopped or destroyed. The first two
 * beans are created before the {@code DataSource}. The other beans are created before the
 * generators, unless they depend on the generators, directly or indirectly.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = R2dbcAutoConfiguration.class)
class LateSavingShop {

	static final String[] CREATE_TABLES = { "create table note (id bigint primary key)",
			"create table bill (id bigint primary key, number bigint not null unique)",
			"create table memo (id bigint primary key)", "create table letter (id bigint primary key)",
			"create table client_row (id bigint primary key)" };

	static final String[] ARGUMENTS = { "--spring.jpa.hibernate.ddl-auto=none", "--ids.strategy=sequential",
			"--ids.block.size=1", "--ids.block.max-size=1" };

	static final String[] GAPLESS_ARGUMENTS = { "--ids.generators.numbers.strategy=gapless",
			"--ids.generators.invoices.strategy=gapless", "--ids.generators.invoices.scoped=true" };

	@Bean
	Providers providers(LastSaves saves) {
		return new Providers(saves);
	}

	@Bean
	LazyIds lazyIds(LastSaves saves, @Lazy IdGenerator ids) {
		return new LazyIds(saves, ids);
	}

	@Bean
	DisposableBean jpaNoteRepository(LastSaves saves, Notes notes) {
		return saves.onDestruction("jpaNoteRepository", () -> notes.save(new Note()).id);
	}

	@Bean
	DisposableBean jpaFactory(LastSaves saves, EntityManagerFactory factory) {
		return saves.onDestruction("jpaFactory", () -> {
			Note note = new Note();
			factory.runInTransaction((entities) -> entities.persist(note));
			return note.id;
		});
	}

	@Bean
	DisposableBean entities(LastSaves saves, EntityManager entities, PlatformTransactionManager transactions) {
		return saves.onDestruction("entities", () -> new TransactionTemplate(transactions).execute((status) -> {
			Bill bill = new Bill();
			entities.persist(bill);
			return bill.id;
		}));
	}

	@Bean
	DisposableBean dataJdbcMemoRepository(LastSaves saves, Memos memos) {
		return saves.onDestruction("dataJdbcMemoRepository", () -> memos.save(new Memo(null)).id());
	}

	@Bean
	DisposableBean dataJdbcTemplate(LastSaves saves, JdbcAggregateOperations template) {
		return saves.onDestruction("dataJdbcTemplate", () -> template.save(new Memo(null)).id());
	}

	@Bean
	DisposableBean applicationCallback(LastSaves saves, Letters letters) {
		return saves.onDestruction("applicationCallback", () -> letters.save(new Letter(null)).id());
	}

	@Bean
	DisposableBean client(LastSaves saves, JdbcClient client, ObjectProvider<IdGenerator> ids) {
		return saves.onDestruction("client", () -> {
			long id = ids.getObject().nextLong();
			client.sql("insert into client_row values (?)").param(id).update();
			return id;
		});
	}

	@Bean
	DisposableBean injected(LastSaves saves, IdGenerator ids) {
		return saves.onDestruction("injected", ids::nextLong);
	}

	@Bean
	DisposableBean lookedUp(LastSaves saves, IdGenerators generators) {
		return saves.onDestruction("lookedUp", () -> generators.get("default").nextLong());
	}

	@Bean
	DisposableBean scoped(LastSaves saves, PlatformTransactionManager transactions,
			@Qualifier("invoices") ScopedIdGenerator invoices) {
		return saves.onDestruction("scoped",
				() -> new TransactionTemplate(transactions).execute((status) -> invoices.in("acme").nextLong()));
	}

	@Bean
	SmartLifecycle lifecycle(LastSaves saves, Notes notes) {
		return new SmartLifecycle() {

			private boolean running;

			@Override
			public void start() {
				this.running = true;
			}

			@Override
			public void stop() {
				this.running = false;
				saves.save("lifecycle", () -> notes.save(new Note()).id);
			}

			@Override
			public boolean isRunning() {
				return this.running;
			}

			@Override
			public int getPhase() {
				return Integer.MIN_VALUE;
			}

		};
	}

	@Bean
	BeforeConvertCallback<Letter> callback(ObjectProvider<IdGenerators> generators) {
		return (letter) -> new Letter(generators.getObject().get("default").nextLong());
	}

	/**
	 * Looks up its generators when it is destroyed.
	 */
	static final class Providers {

		private final LastSaves saves;

		@Autowired
		private ObjectProvider<IdGenerator> ids;

		@Autowired
		private ObjectFactory<IdGenerators> generators;

		@Autowired
		private Provider<ScopedIdGenerator> invoices;

		@Autowired
		private ObjectProvider<DataSource> dataSource;

		Providers(LastSaves saves) {
			this.saves = saves;
		}

		@PreDestroy
		void save() {
			this.saves.save("provider", () -> this.ids.getObject().nextLong());
			this.saves.save("generatorsProvider", () -> this.generators.getObject().get("default").nextLong());
			this.saves.save("scopesProvider",
					() -> new TransactionTemplate(new JdbcTransactionManager(this.dataSource.getObject()))
						.execute((status) -> this.invoices.get().in("acme").nextLong()));
		}

	}

	static final class LazyIds implements DisposableBean {

		private final LastSaves saves;

		private final IdGenerator ids;

		LazyIds(LastSaves saves, IdGenerator ids) {
			this.saves = saves;
			this.ids = ids;
		}

		@Override
		public void destroy() {
			this.saves.save("lazyIds", this.ids::nextLong);
		}

	}

	@Entity(name = "note")
	static class Note {

		@jakarta.persistence.Id
		@GeneratedId
		private @Nullable Long id;

		@Nullable Long id() {
			return this.id;
		}

	}

	/**
	 * An entity with a gapless number.
	 */
	@Entity(name = "bill")
	static class Bill {

		@jakarta.persistence.Id
		@GeneratedId
		private @Nullable Long id;

		@GeneratedId("numbers")
		private long number;

	}

	@Table("MEMO")
	record Memo(@Id @GeneratedId @Nullable Long id) {

	}

	@Table("LETTER")
	record Letter(@Id @Nullable Long id) {

	}

}
