package dev.idspring.scope;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * An entity with a scoped number in addition to its key. It is in a separate package
 * because the applications of other tests scan their own packages for entities.
 */
@Entity(name = "invoice")
public class Invoice {

	@Id
	@GeneratedId
	public Long id;

	@GeneratedId("invoices")
	public String number;

}
