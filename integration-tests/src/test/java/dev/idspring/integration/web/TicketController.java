package dev.idspring.integration.web;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.idspring.annotation.IdAsString;
import dev.idspring.integration.web.Ticket.TicketId;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/tickets")
class TicketController {

	private final Tickets tickets;

	TicketController(Tickets tickets) {
		this.tickets = tickets;
	}

	@GetMapping("/{ticket}")
	Ticket show(@PathVariable Ticket ticket) {
		return ticket;
	}

	@GetMapping("/{id}/exists")
	boolean exists(@PathVariable TicketId id) {
		return this.tickets.existsById(id);
	}

	@GetMapping("/with-token/{token}")
	Ticket withToken(@PathVariable UUID token) {
		return this.tickets.findByToken(token).orElseThrow();
	}

	@GetMapping("/with-text/{token}")
	Ticket withText(@PathVariable @IdAsString("invoices") UUID token) {
		return this.tickets.findByToken(token).orElseThrow();
	}

	@PostMapping("/form")
	String form(@ModelAttribute Form form) {
		return form.first().value() + ", " + form.others().size() + ", " + form.token();
	}

	@PostMapping("/board")
	Board board(@RequestBody Board board) {
		return board;
	}

	record Form(TicketId first, List<TicketId> others, UUID token) {

	}

	record Board(Map<TicketId, String> seats, List<TicketId> waiting, Map<String, TicketId> named, UUID token,
			@IdAsString("invoices") UUID text) {

	}

}
