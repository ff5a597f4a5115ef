package dev.idspring.jdbc;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import dev.idspring.gapless.scope.ScopedGaplessIdGenerator;
import dev.idspring.testsupport.TestDatabase;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writes invoices of many tenants, numbered by tenant and year, and verifies that no
 * number is missing.
 */
final class InvoiceWriter {

	static final String PATTERN = "{scope}-{yyyy}-{n:5}";

	static final String LAST_YEAR = "2026-12-31T12:00:00Z";

	static final String NEW_YEAR = "2027-01-01T00:00:00Z";

	private final ScopedGaplessIdGenerator ids;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	private final int tenants;

	private final boolean rollsBack;

	InvoiceWriter(ScopedGaplessIdGenerator ids, DataSource dataSource, int tenants, boolean rollsBack) {
		this.ids = ids;
		this.jdbc = new JdbcTemplate(dataSource);
		this.transactions = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
		this.tenants = tenants;
		this.rollsBack = rollsBack;
	}

	static void createTable(DataSource dataSource) {
		TestDatabase.execute(dataSource,
				"create table invoice (tenant varchar(100) not null, number_text varchar(200) not null,"
						+ " number_value bigint not null, primary key (tenant, number_text))");
	}

	/**
	 * Write invoices of one or two tenants in one transaction, which may be rolled back.
	 * @return the number of committed invoices
	 */
	int write(Random random) {
		Map<List<String>, Integer> counts = new LinkedHashMap<>();
		for (int i = 0; i <= random.nextInt(2); i++) {
			counts.put(List.of("t" + random.nextInt(this.tenants)), 1 + random.nextInt(2));
		}
		LocalDate day = LocalDate.parse(random.nextBoolean() ? "2027-03-01" : "2026-03-01");
		boolean fails = this.rollsBack && random.nextInt(10) < 3;
		while (true) {
			try {
				return this.transactions.execute((status) -> {
					int inserted = insert(counts, day);
					if (fails) {
						status.setRollbackOnly();
						return 0;
					}
					return inserted;
				});
			}
			catch (ConcurrencyFailureException ex) {
				// retry after a conflict, as applications do
			}
		}
	}

	private int insert(Map<List<String>, Integer> counts, LocalDate day) {
		if (counts.size() == 1) {
			String tenant = counts.keySet().iterator().next().get(0);
			return insert(tenant, this.ids.in(tenant).nextString());
		}
		int inserted = 0;
		for (Map.Entry<List<String>, long[]> numbers : this.ids.next(counts, day).entrySet()) {
			String tenant = numbers.getKey().get(0);
			inserted += LongStream.of(numbers.getValue())
				.mapToObj(this.ids.in(tenant).at(day)::format)
				.mapToInt((text) -> insert(tenant, text))
				.sum();
		}
		return inserted;
	}

	private int insert(String tenant, String text) {
		return this.jdbc.update("insert into invoice (tenant, number_text, number_value) values (?, ?, ?)", tenant,
				text, Long.parseLong(text.substring(text.lastIndexOf('-') + 1)));
	}

	/**
	 * Verify that each tenant has consecutive numbers from 1 in each year, and that there
	 * are invoices in both years.
	 * @return the number of invoices
	 */
	static int verifyNoGap(DataSource dataSource) {
		Map<String, List<Long>> numbers = new TreeMap<>();
		new JdbcTemplate(dataSource).query("select number_text, number_value from invoice order by number_value",
				(row) -> {
					String text = row.getString(1);
					numbers.computeIfAbsent(text.substring(0, text.lastIndexOf('-')), (key) -> new ArrayList<>())
						.add(row.getLong(2));
				});
		assertThat(numbers.keySet()).anyMatch((scope) -> scope.endsWith("-2026"))
			.anyMatch((scope) -> scope.endsWith("-2027"));
		numbers.forEach((scope, drawnNumbers) -> assertThat(drawnNumbers).as(scope)
			.isEqualTo(LongStream.rangeClosed(1, drawnNumbers.size()).boxed().toList()));
		return numbers.values().stream().mapToInt(List::size).sum();
	}

}
