package dev.idspring.neighbours.datarest;

import java.util.UUID;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Parcel {

	@Id
	@GeneratedId("parcels")
	private UUID id;

	public UUID getId() {
		return this.id;
	}

}
