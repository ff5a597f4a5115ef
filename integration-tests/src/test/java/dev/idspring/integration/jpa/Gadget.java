package dev.idspring.integration.jpa;

import java.util.UUID;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;

/**
 * An entity whose key is a UUID and whose public id is a record that wraps an id. It
 * refers to an entity whose key is such a record.
 */
@Entity
class Gadget {

	@Id
	@GeneratedId
	private UUID id;

	@GeneratedId("product-codes")
	@Convert(converter = CodeConverter.class)
	@Column(length = 8, unique = true, nullable = false, updatable = false)
	private Code code;

	@ManyToOne
	private Part part;

	protected Gadget() {
	}

	Gadget(Part part) {
		this.part = part;
	}

	UUID getId() {
		return this.id;
	}

	void setId(UUID id) {
		this.id = id;
	}

	Code getCode() {
		return this.code;
	}

	Part getPart() {
		return this.part;
	}

	/**
	 * The type of the public id.
	 */
	record Code(String value) {

	}

	static final class CodeConverter implements AttributeConverter<Code, String> {

		@Override
		public String convertToDatabaseColumn(Code code) {
			return (code != null) ? code.value() : null;
		}

		@Override
		public Code convertToEntityAttribute(String text) {
			return (text != null) ? new Code(text) : null;
		}

	}

}
