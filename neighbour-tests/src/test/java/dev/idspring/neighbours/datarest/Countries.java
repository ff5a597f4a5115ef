package dev.idspring.neighbours.datarest;

import org.springframework.data.repository.CrudRepository;

public interface Countries extends CrudRepository<Country, Long> {

}
