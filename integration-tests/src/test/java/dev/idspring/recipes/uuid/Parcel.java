package dev.idspring.recipes.uuid;

import java.util.UUID;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Parcel {

	@Id
	@GeneratedId("parcels")
	UUID id;

	String address;

	protected Parcel() {
	}

	Parcel(String address) {
		this.address = address;
	}

}
