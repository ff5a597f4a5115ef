package dev.idspring.neighbours.jta;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
class Receipt {

	@Id
	@GeneratedValue
	private Long id;

	@GeneratedId("receipts")
	private Long number;

	Long getNumber() {
		return this.number;
	}

}
