package dev.idspring.scope;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * Has a number of a scope beside its key. Apart from the tests, as applications find the
 * entities of their package.
 */
@Entity(name = "invoice")
public class Invoice {

	@Id
	@GeneratedId
	public Long id;

	@GeneratedId("invoices")
	public String number;

}
