package dev.idspring.scope;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * An entity whose key is a scoped number. Scoped numbers are not unique, so startup
 * fails.
 */
@Entity(name = "colliding")
public class Colliding {

	@Id
	@GeneratedId("invoices")
	public Long id;

}
