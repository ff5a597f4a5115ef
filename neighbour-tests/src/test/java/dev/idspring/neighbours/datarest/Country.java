package dev.idspring.neighbours.datarest;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * An entity whose id is assigned by the application.
 */
@Entity
public class Country {

	@Id
	private Long id;

	public Long getId() {
		return this.id;
	}

	public void setId(Long id) {
		this.id = id;
	}

}
