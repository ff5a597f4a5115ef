package dev.idspring.recipes.scope;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Ticket {

	@Id
	@GeneratedId
	Long id;

	@GeneratedId("tickets")
	@Column(unique = true, nullable = false, updatable = false)
	String number;

}
