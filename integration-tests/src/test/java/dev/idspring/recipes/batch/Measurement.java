package dev.idspring.recipes.batch;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Measurement {

	@Id
	@GeneratedId
	Long id;

	double celsius;

	protected Measurement() {
	}

	Measurement(double celsius) {
		this.celsius = celsius;
	}

}
