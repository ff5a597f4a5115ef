package dev.idspring.scope;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * Has a number of a scope as its key, which is refused.
 */
@Entity(name = "colliding")
public class Colliding {

	@Id
	@GeneratedId("invoices")
	public Long id;

}
