package dev.idspring.integration.jdbc;

import org.springframework.data.repository.ListCrudRepository;

interface Shipments extends ListCrudRepository<Shipment, Long> {

}
