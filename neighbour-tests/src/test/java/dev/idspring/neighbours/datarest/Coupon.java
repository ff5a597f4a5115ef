package dev.idspring.neighbours.datarest;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Coupon {

	@Id
	@GeneratedId("coupons")
	private String id;

	public String getId() {
		return this.id;
	}

}
