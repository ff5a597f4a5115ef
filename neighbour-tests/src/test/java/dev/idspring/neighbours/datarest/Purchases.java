package dev.idspring.neighbours.datarest;

import org.springframework.data.repository.CrudRepository;

public interface Purchases extends CrudRepository<Purchase, Integer> {

}
