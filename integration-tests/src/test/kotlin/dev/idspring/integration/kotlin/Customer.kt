package dev.idspring.integration.kotlin

import dev.idspring.annotation.GeneratedId
import dev.idspring.annotation.IdAsString
import jakarta.persistence.Column
import jakarta.persistence.Embeddable
import jakarta.persistence.EmbeddedId
import jakarta.persistence.Entity

@JvmRecord
@Embeddable
@IdAsString
data class CustomerId(@Column(name = "id") val value: Long)

@Entity
class Customer(var name: String = "") {

	@EmbeddedId
	@GeneratedId
	var id: CustomerId? = null

}
