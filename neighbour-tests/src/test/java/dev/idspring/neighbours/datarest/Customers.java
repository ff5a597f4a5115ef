package dev.idspring.neighbours.datarest;

import dev.idspring.annotation.IdAsString;
import org.springframework.data.repository.CrudRepository;

public interface Customers extends CrudRepository<Customer, Long> {

	Customer findByIdIs(@IdAsString Long id);

}
