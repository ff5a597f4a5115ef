package dev.idspring.integration.kotlin

import dev.idspring.annotation.GeneratedId
import jakarta.persistence.Entity
import jakarta.persistence.Id
import org.springframework.data.annotation.Id as DataId

@JvmInline
value class InlinedNumber(val value: Long)

@JvmInline
value class InlinedText(val value: String)

/** Kotlin compiles the properties to a long and a String. */
@Entity
class Inlined {

	@Id
	@GeneratedId
	var id: InlinedNumber = InlinedNumber(0)

	@GeneratedId("codes")
	var code: InlinedText? = null

}

/** Kotlin does not inline a nullable value class with a Long, but uses an object. */
data class Boxed(@DataId @GeneratedId val id: InlinedNumber? = null)
