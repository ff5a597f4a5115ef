package dev.idspring.neighbours.graphql;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.idspring.IdGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

@Controller
class Helpdesk {

	private final List<Ticket> tickets = new ArrayList<>();

	private final IdGenerator ids;

	Helpdesk(@Qualifier("tickets") IdGenerator ids) {
		this.ids = ids;
	}

	@QueryMapping
	Ticket ticket(@Argument TicketId id) {
		return this.tickets.stream().filter((ticket) -> ticket.id().equals(id)).findFirst().orElse(null);
	}

	@QueryMapping
	List<Ticket> tickets(@Argument long of) {
		return this.tickets.stream().filter((ticket) -> Objects.equals(ticket.customer(), of)).toList();
	}

	@MutationMapping
	Ticket open(@Argument NewTicket ticket) {
		String title = (ticket.duplicateOf() != null) ? ticket(ticket.duplicateOf()).title() : ticket.title();
		Ticket opened = new Ticket(new TicketId(this.ids.nextLong()), ticket.customer(), title);
		this.tickets.add(opened);
		return opened;
	}

	/**
	 * Return a number that is not an id.
	 */
	@SchemaMapping
	Long broken(Ticket ticket) {
		return -1L;
	}

}
