package dev.idspring.recipes.databases;

import dev.idspring.IdGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

@Service
class Sales {

	private final IdGenerator ids;

	private final JdbcClient shop;

	private final JdbcClient reports;

	Sales(IdGenerator ids, JdbcClient shop, @Qualifier("reports") JdbcClient reports) {
		this.ids = ids;
		this.shop = shop;
		this.reports = reports;
	}

	long sell(long cents) {
		long id = this.ids.nextLong();
		this.shop.sql("insert into sale (id, cents) values (?, ?)").params(id, cents).update();
		this.reports.sql("insert into sale_report (id, cents) values (?, ?)").params(id, cents).update();
		return id;
	}

}
