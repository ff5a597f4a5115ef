package dev.idspring.integration.web;

import java.util.List;
import java.util.Optional;

import dev.idspring.annotation.IdAsString;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;

@HttpExchange("/orders")
interface OrderClient {

	@GetExchange("/{id}/exists")
	boolean exists(@PathVariable @IdAsString("orders") long id);

	@GetExchange
	long count(@RequestParam List<OrderId> ids);

	@GetExchange("/{id}")
	OrderView show(@PathVariable OrderId id, @RequestParam Optional<OrderId> related);

}
