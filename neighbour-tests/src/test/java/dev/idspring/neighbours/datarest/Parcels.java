package dev.idspring.neighbours.datarest;

import java.util.UUID;

import org.springframework.data.repository.CrudRepository;

public interface Parcels extends CrudRepository<Parcel, UUID> {

}
