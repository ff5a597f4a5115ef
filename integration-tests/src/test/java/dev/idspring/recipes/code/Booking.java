package dev.idspring.recipes.code;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Booking {

	@Id
	@GeneratedId
	Long id;

	@GeneratedId("codes")
	@Column(length = 8, unique = true, nullable = false, updatable = false)
	String code;

	String guest;

	protected Booking() {
	}

	Booking(String guest) {
		this.guest = guest;
	}

}
