package dev.idspring.recipes.events;

import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

@Component
class Outbox {

	private final JdbcClient jdbc;

	private final JsonMapper json;

	Outbox(JdbcClient jdbc, JsonMapper json) {
		this.jdbc = jdbc;
		this.json = json;
	}

	@EventListener
	void store(OrderPlaced event) {
		this.jdbc.sql("insert into outbox (id, payload) values (?, ?)")
			.params(event.id(), this.json.writeValueAsString(event))
			.update();
	}

}
