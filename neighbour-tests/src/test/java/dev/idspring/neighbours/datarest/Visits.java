package dev.idspring.neighbours.datarest;

import org.springframework.data.repository.CrudRepository;

public interface Visits extends CrudRepository<Visit, VisitId> {

}
