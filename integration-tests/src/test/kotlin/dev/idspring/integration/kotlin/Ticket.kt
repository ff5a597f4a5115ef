package dev.idspring.integration.kotlin

import dev.idspring.annotation.GeneratedId
import jakarta.persistence.Column
import jakarta.persistence.Entity
import jakarta.persistence.Id

@Entity
class Ticket(var subject: String = "") {

	@Id
	@GeneratedId
	var id: Long? = null

	@GeneratedId("codes")
	@Column(unique = true, updatable = false)
	var code: String? = null

}
