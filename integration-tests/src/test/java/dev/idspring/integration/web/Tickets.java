package dev.idspring.integration.web;

import java.util.Optional;
import java.util.UUID;

import dev.idspring.integration.web.Ticket.TicketId;
import org.springframework.data.jpa.repository.JpaRepository;

interface Tickets extends JpaRepository<Ticket, TicketId> {

	Optional<Ticket> findByToken(UUID token);

}
