package dev.idspring.recipes.events;

import dev.idspring.IdGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Checkout {

	private final IdGenerator orderIds;

	private final IdGenerator eventIds;

	private final JdbcClient jdbc;

	private final ApplicationEventPublisher publisher;

	Checkout(@Qualifier("orders") IdGenerator orderIds, @Qualifier("events") IdGenerator eventIds, JdbcClient jdbc,
			ApplicationEventPublisher publisher) {
		this.orderIds = orderIds;
		this.eventIds = eventIds;
		this.jdbc = jdbc;
		this.publisher = publisher;
	}

	@Transactional
	public void place(String customer) {
		long id = this.orderIds.nextLong();
		this.publisher.publishEvent(new OrderPlaced(this.eventIds.nextLong(), id, customer));
		this.jdbc.sql("insert into orders (id, customer) values (?, ?)").params(id, customer).update();
	}

}
