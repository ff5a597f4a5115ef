package dev.idspring.recipes.uuid;

import java.util.UUID;

import org.springframework.data.jpa.repository.JpaRepository;

interface Parcels extends JpaRepository<Parcel, UUID> {

}
