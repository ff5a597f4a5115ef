package dev.idspring.integration.r2dbc;

import java.util.UUID;

import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import org.springframework.data.annotation.Id;

/**
 * An entity with a typed key that is a UUID, and a typed public id.
 */
record Badge(@Id @GeneratedId BadgeId id, @GeneratedId("codes") BadgeCode code) {

	/**
	 * The type of the key.
	 */
	@IdAsString
	record BadgeId(UUID value) {

	}

	/**
	 * The type of the public id.
	 */
	@IdAsString("codes")
	record BadgeCode(String value) {

	}

}
