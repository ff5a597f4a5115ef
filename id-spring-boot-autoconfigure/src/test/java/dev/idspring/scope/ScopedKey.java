package dev.idspring.scope;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * An entity whose key is a scoped number. Scoped numbers are not unique, so startup
 * fails.
 */
@Entity(name = "scoped_key")
public class ScopedKey {

	@Id
	@GeneratedId("invoices")
	public Long id;

}
