package dev.idspring.neighbours.graphql;

record NewTicket(String title, TicketId duplicateOf, Long customer) {

}
