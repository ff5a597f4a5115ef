package dev.idspring.integration.web;

import org.springframework.data.repository.CrudRepository;

interface Parcels extends CrudRepository<Parcel, String> {

}
