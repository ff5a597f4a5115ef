package dev.idspring.recipes.scope;

import org.springframework.data.jpa.repository.JpaRepository;

interface Tickets extends JpaRepository<Ticket, Long> {

}
