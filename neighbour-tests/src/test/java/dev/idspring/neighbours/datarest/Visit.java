package dev.idspring.neighbours.datarest;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;

@Entity
public class Visit {

	@EmbeddedId
	@GeneratedId("visits")
	private VisitId id;

	public VisitId getId() {
		return this.id;
	}

}
