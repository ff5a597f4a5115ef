package dev.idspring.integration.kotlin

import dev.idspring.annotation.GeneratedId
import org.springframework.data.annotation.Id

data class Note(
	@Id @GeneratedId val id: Long? = null,
	@GeneratedId("codes") val code: String? = null,
	val text: String
)
