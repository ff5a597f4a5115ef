package dev.idspring.benchmarks.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.LongSupplier;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.TableGenerator;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Hibernate's table generator with the {@code pooled-lo} optimizer. The benchmark calls
 * it in the same way as a session does when an entity is persisted.
 *
 * @param step the number of ids per reservation
 */
record HibernateContestant(int step) implements Contestant {

	private static final String GENERATOR = "ids";

	private static final String TABLE = "hibernate_sequences";

	@Override
	public String name() {
		return "Hibernate table, pooled-lo %,d".formatted(this.step);
	}

	@Override
	public Source open(Network network, String keySpace) {
		Properties properties = new Properties();
		properties.put("hibernate.connection.datasource", network.pool());
		properties.put("hibernate.hbm2ddl.auto", "update");
		properties.put("hibernate.id.optimizer.pooled.preferred", "pooled-lo");
		Class<?> entity = (this.step == 50) ? By50.class : By1000.class;
		SessionFactory sessions = new Configuration().addAnnotatedClass(entity)
			.addProperties(properties)
			.buildSessionFactory();
		// begin with an empty table each time
		network.direct().update("delete from " + TABLE);
		return new Table(network.direct(), entity, sessions.unwrap(SessionFactoryImplementor.class), new ArrayList<>());
	}

	private record Table(JdbcTemplate jdbc, Class<?> entity, SessionFactoryImplementor factory,
			List<StatelessSession> sessions) implements Source {

		@Override
		public LongSupplier idSupplier() {
			StatelessSession session = this.factory.openStatelessSession();
			this.sessions.add(session);
			SharedSessionContractImplementor caller = (SharedSessionContractImplementor) session;
			BeforeExecutionGenerator generator = (BeforeExecutionGenerator) this.factory.getMappingMetamodel()
				.getEntityDescriptor(this.entity)
				.getGenerator();
			return () -> (Long) generator.generate(caller, null, null, EventType.INSERT);
		}

		@Override
		public long reserved() {
			Long next = this.jdbc.queryForObject("select next_val from " + TABLE, Long.class);
			return (next != null) ? next - 1 : 0;
		}

		@Override
		public void close() {
			this.sessions.forEach(StatelessSession::close);
			this.factory.close();
		}

	}

	@Entity
	static class By50 {

		@Id
		@TableGenerator(name = GENERATOR, table = TABLE, allocationSize = 50)
		@GeneratedValue(strategy = GenerationType.TABLE, generator = GENERATOR)
		Long id;

	}

	@Entity
	static class By1000 {

		@Id
		@TableGenerator(name = GENERATOR, table = TABLE, allocationSize = 1000)
		@GeneratedValue(strategy = GenerationType.TABLE, generator = GENERATOR)
		Long id;

	}

}
