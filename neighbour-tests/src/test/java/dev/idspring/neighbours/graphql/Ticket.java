package dev.idspring.neighbours.graphql;

record Ticket(TicketId id, Long customer, String title) {

}
