package dev.idspring.neighbours.datarest;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * Has an id of its own, which no generator makes.
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
