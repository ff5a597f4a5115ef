package dev.idspring.neighbours.datarest;

import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;

@Entity
public class Purchase {

	@Id
	@GeneratedId("purchases")
	private Integer id;

	@ManyToOne
	private Customer customer;

	@IdAsString
	private Long recommendedBy;

	public Integer getId() {
		return this.id;
	}

	public Customer getCustomer() {
		return this.customer;
	}

	public void setCustomer(Customer customer) {
		this.customer = customer;
	}

	public Long getRecommendedBy() {
		return this.recommendedBy;
	}

	public void setRecommendedBy(Long recommendedBy) {
		this.recommendedBy = recommendedBy;
	}

}
