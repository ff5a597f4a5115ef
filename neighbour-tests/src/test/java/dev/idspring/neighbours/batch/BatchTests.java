package dev.idspring.neighbours.batch;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdSetupException;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.configuration.annotation.EnableBatchProcessing;
import org.springframework.batch.core.configuration.annotation.EnableJdbcJobRepository;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests {@link IdIncrementerFactory} with Spring Batch jobs, on H2.
 */
class BatchTests {

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	@ParameterizedTest
	@ValueSource(strings = { "gapless", "sequential", "snowflake" })
	void idsOfAllTablesAreDrawnFromTheGeneratorAndIncrease(String strategy) throws Exception {
		try (ConfigurableApplicationContext context = start(strategy)) {
			JobOperator jobs = context.getBean(JobOperator.class);
			Job job = context.getBean(Job.class);
			JobParameters monday = new JobParametersBuilder().addString("day", "monday").toJobParameters();
			JobExecution first = jobs.start(job, monday);
			assertThat(first.getStatus()).isEqualTo(BatchStatus.FAILED);
			JobExecution second = jobs.start(job, monday);
			assertThat(second.getStatus()).isEqualTo(BatchStatus.COMPLETED);
			assertThat(second.getJobInstanceId()).isEqualTo(first.getJobInstanceId());
			assertThat(second.getId()).isGreaterThan(first.getId());
			JobExecution last = context.getBean(JobRepository.class).getLastJobExecution("import", monday);
			assertThat(last.getId()).isEqualTo(second.getId());
			assertThat(last.getStepExecutions()).hasSize(1);

			JdbcTemplate database = context.getBean(JdbcTemplate.class);
			List<Long> ids = database.queryForList("select job_instance_id from batch_job_instance"
					+ " union all select job_execution_id from batch_job_execution"
					+ " union all select step_execution_id from batch_step_execution", Long.class);
			// one instance, two executions, and three step executions, since the second
			// step ran twice
			assertThat(ids).hasSize(6).doesNotHaveDuplicates();
			if (strategy.equals("gapless")) {
				assertThat(ids).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L);
			}
			assertThat(database.queryForList(
					"select base_value from information_schema.sequences" + " where sequence_name like 'BATCH%'",
					Long.class))
				.hasSize(3)
				.containsOnly(1L);
		}
		assertThat(new JdbcTemplate(new DriverManagerDataSource(this.url, "sa", ""))
			.queryForList("select job_instance_id from batch_job_instance where job_name = 'last'", Long.class))
			.as("inserted by a bean during its destruction")
			.hasSize(1);
	}

	/**
	 * By default, Spring Batch uses the application's transaction manager, even for a
	 * repository in another DataSource.
	 */
	@Test
	void startupFailsForGaplessIdsOfARepositoryInAnotherDataSource() {
		assertThatException().isThrownBy(() -> start("gapless", RepositoryInOtherDataSource.class).close())
			.havingRootCause()
			.isInstanceOf(IdSetupException.class)
			.withMessageContaining("a Spring Batch table gets numbers from the gapless sequence 'batch'")
			.withMessageContaining("its rows are inserted through DataSource 'other'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "coprime", "recycled", "composite" })
	void generatorWhoseIdsDoNotIncreaseIsRejected(String strategy) {
		assertThatException().isThrownBy(() -> start(strategy).close())
			.havingRootCause()
			.isInstanceOf(IdSetupException.class)
			.withMessageContaining("the ids of generator 'batch' (" + strategy + ") do not increase");
	}

	@Test
	void incrementerDrawsIntsAndStrings() {
		try (ConfigurableApplicationContext context = start("sequential")) {
			IdIncrementerFactory factory = context.getBean(IdIncrementerFactory.class);
			assertThat(factory.isSupportedIncrementerType("Any")).isTrue();
			assertThat(factory.getSupportedIncrementerTypes()).contains("H2", "POSTGRES");
			assertThat(factory.getIncrementer("H2", "any").nextIntValue()).isEqualTo(1);
			assertThat(factory.getIncrementer("H2", "any").nextStringValue()).isEqualTo("2");
		}
	}

	private ConfigurableApplicationContext start(String strategy) {
		return start(strategy, BatchConfiguration.class);
	}

	private ConfigurableApplicationContext start(String strategy, Class<?> configuration) {
		return new SpringApplicationBuilder(Application.class, configuration).web(WebApplicationType.NONE)
			.properties("spring.datasource.url=" + this.url, "ids.generators.batch.strategy=" + strategy,
					"spring.sql.init.schema-locations=classpath:org/springframework/batch/core/schema-h2.sql",
					"spring.batch.job.enabled=false")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableBatchProcessing
	@EnableJdbcJobRepository(dataSourceRef = "other", databaseType = "H2")
	static class RepositoryInOtherDataSource extends BatchConfiguration {

		@Bean(defaultCandidate = false)
		HikariDataSource other() {
			return TestDatabase.h2().pool(2);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		private final AtomicInteger attempts = new AtomicInteger();

		@Bean
		DisposableBean lastInstance(JobRepository repository) {
			return () -> repository.createJobInstance("last", new JobParameters());
		}

		@Bean
		Job importJob(JobRepository repository, PlatformTransactionManager transactions) {
			Step read = step("read", repository, transactions, () -> {
			});
			Step write = step("write", repository, transactions, () -> {
				if (this.attempts.getAndIncrement() == 0) {
					throw new IllegalStateException("The first attempt fails");
				}
			});
			return new JobBuilder("import", repository).start(read).next(write).build();
		}

		private static Step step(String name, JobRepository repository, PlatformTransactionManager transactions,
				Runnable work) {
			return new StepBuilder(name, repository).tasklet((contribution, chunk) -> {
				work.run();
				return RepeatStatus.FINISHED;
			}, transactions).allowStartIfComplete(false).build();
		}

	}

}
