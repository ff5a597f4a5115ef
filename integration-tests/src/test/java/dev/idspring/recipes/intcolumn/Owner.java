package dev.idspring.recipes.intcolumn;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Owner {

	@Id
	@GeneratedId
	Integer id;

	String name;

	protected Owner() {
	}

	Owner(String name) {
		this.name = name;
	}

}
