package dev.idspring.recipes.scope;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class TicketController {

	private final Tickets tickets;

	TicketController(Tickets tickets) {
		this.tickets = tickets;
	}

	@PostMapping("/tickets")
	String open() {
		return this.tickets.save(new Ticket()).number;
	}

}
