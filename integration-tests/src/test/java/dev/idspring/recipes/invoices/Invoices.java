package dev.idspring.recipes.invoices;

import dev.idspring.ScopedIdGenerator;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Invoices {

	private final ScopedIdGenerator numbers;

	private final JdbcClient jdbc;

	Invoices(ScopedIdGenerator invoicesIdGenerator, JdbcClient jdbc) {
		this.numbers = invoicesIdGenerator;
		this.jdbc = jdbc;
	}

	@Transactional
	public String issue(String tenant, long cents) {
		String number = this.numbers.in(tenant).nextString();
		this.jdbc.sql("insert into invoice (number, cents) values (?, ?)").params(number, cents).update();
		return number;
	}

}
