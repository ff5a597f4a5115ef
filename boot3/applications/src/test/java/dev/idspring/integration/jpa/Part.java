package dev.idspring.integration.jpa;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;

/**
 * An entity with a typed key and a UUID. The application assigns the key, because
 * Hibernate 6 does not call a generator for an embedded key.
 */
@Entity
class Part {

	@EmbeddedId
	private PartId id;

	@GeneratedId("public")
	@Column(unique = true, nullable = false, updatable = false)
	private UUID publicId;

	private String name;

	protected Part() {
	}

	Part(String name) {
		this.id = new PartId(ThreadLocalRandom.current().nextLong(1, Integer.MAX_VALUE));
		this.name = name;
	}

	PartId getId() {
		return this.id;
	}

	UUID getPublicId() {
		return this.publicId;
	}

	String getName() {
		return this.name;
	}

	/**
	 * The type of the key.
	 */
	@Embeddable
	record PartId(@Column(name = "id") long value) {

	}

}
