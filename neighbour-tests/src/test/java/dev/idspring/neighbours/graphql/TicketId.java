package dev.idspring.neighbours.graphql;

import dev.idspring.annotation.IdAsString;

@IdAsString("tickets")
record TicketId(long value) {

}
