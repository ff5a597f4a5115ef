package dev.idspring.annotation.aot;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/**
 * An entity in a separate package, which a test scans for entities.
 */
@Entity
@Table(name = "items")
public class Item {

	@Id
	@GeneratedId("items")
	private Long id;

	@GeneratedId("codes")
	private String code;

	public Long getId() {
		return this.id;
	}

	public String getCode() {
		return this.code;
	}

}
