package dev.idspring.integration.jpa;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Version;

/**
 * The common properties of entities: key and version.
 */
@MappedSuperclass
abstract class StoredEntity {

	@Id
	@GeneratedId("stored")
	private Long id;

	@Version
	private Integer version;

	Long getId() {
		return this.id;
	}

	void setId(Long id) {
		this.id = id;
	}

	Integer getVersion() {
		return this.version;
	}

}
